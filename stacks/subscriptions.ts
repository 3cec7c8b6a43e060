import * as signIn from '@pulumi/azure-native/config';
import { Provider } from '@pulumi/azure-native/provider';
import * as pulumi from '@pulumi/pulumi';

/**
 * A provider for each subscription in which something existing is used, made when it is first asked for.
 *
 * Even the subscription that is deployed to gets one: the program learns its id only from an answer of Azure, and a resource
 * must not change its provider by that.
 * Where nothing existing is used there is none of them.
 */
export class Subscriptions {
  private readonly providers = new Map<string, Provider>();

  /** @param environment name of the cloud */
  constructor(private readonly environment: string) {}

  /** The provider of the subscription with this id. */
  provider(subscriptionId: string): Provider {
    const key = subscriptionId.toLowerCase();
    // The engine hands `azure-native:…` of the stack file only to the provider that it makes by itself; variables of the
    // environment (`ARM_…`) are read by each of them.
    const provider = this.providers.get(key) ?? this.newProvider(key);
    this.providers.set(key, provider);
    return provider;
  }

  private newProvider(subscriptionId: string): Provider {
    const config = new pulumi.Config('azure-native');
    return new Provider(`subscription-${subscriptionId}`, {
      ...signIn,
      location: undefined,
      subscriptionId,
      // The SDK would say `public` where the stack file says nothing, over what the variables say.
      environment: this.environment,
      // The other secrets, the SDK makes secret by itself.
      oidcRequestToken: config.getSecret('oidcRequestToken'),
      oidcToken: config.getSecret('oidcToken'),
    });
  }
}
