import * as signIn from '@pulumi/azure-native/config';
import { Provider } from '@pulumi/azure-native/provider';
import * as pulumi from '@pulumi/pulumi';
import { memoize } from '../components/resource/memoize';

/**
 * A provider for each subscription with an existing resource, created on first use.
 *
 * Even the subscription that is deployed to gets one: the program learns its id only from Azure, and a resource must not change
 * its provider because of that. Without existing resources, there are no such providers.
 */
export class Subscriptions {
  private readonly providers = new Map<string, Provider>();

  /** @param environment name of the cloud */
  constructor(private readonly environment: string) {}

  /** Returns the provider of the subscription with this id. */
  provider(subscriptionId: string): Provider {
    const key = subscriptionId.toLowerCase();
    // The engine passes `azure-native:…` of the stack file only to its default provider. All providers read environment
    // variables (`ARM_…`).
    return memoize(this.providers, key, () => this.newProvider(key));
  }

  /** Returns the options to call a function in this subscription; without one, in the subscription that is deployed to. */
  optsOf(subscriptionId: string | undefined): pulumi.InvokeOptions {
    return subscriptionId === undefined ? {} : { provider: this.provider(subscriptionId) };
  }

  private newProvider(subscriptionId: string): Provider {
    const config = new pulumi.Config('azure-native');
    return new Provider(`subscription-${subscriptionId}`, {
      ...signIn,
      location: undefined,
      subscriptionId,
      // Without this, the SDK would use `public` when the stack file sets no cloud, and ignore the variables.
      environment: this.environment,
      // The SDK marks the other secrets as secret itself.
      oidcRequestToken: config.getSecret('oidcRequestToken'),
      oidcToken: config.getSecret('oidcToken'),
    });
  }
}
