import { Provider } from '@pulumi/azure-native/provider';
import * as pulumi from '@pulumi/pulumi';

/**
 * A provider for each subscription in which something existing is used, made when it is first asked for.
 *
 * It is always reached through the provider of its own subscription, even if that is the one deployed to:
 * which one that is, the program learns only from an answer, and what hangs on it would have another provider then.
 * Where nothing existing is used there is none of them.
 */
export class Subscriptions {
  private readonly providers = new Map<string, Provider>();

  /** @param environment name of the cloud, of the variable ARM_ENVIRONMENT */
  constructor(private readonly environment?: string) {}

  /** The provider of the subscription with this id. */
  provider(subscriptionId: string): Provider {
    const key = subscriptionId.toLowerCase();
    const known = this.providers.get(key);
    if (known !== undefined) return known;
    const made = new Provider(`subscription-${key}`, { ...signIn(this.environment), subscriptionId: key });
    this.providers.set(key, made);
    return made;
  }
}

/**
 * How the stack signs in to Azure. The engine hands `azure-native:…` of the stack file only to the provider that it
 * makes by itself; variables of the environment (`ARM_…`) are read by each of them.
 */
function signIn(cloud: string | undefined) {
  const config = new pulumi.Config('azure-native');
  const texts = [
    'auxiliaryTenantIds',
    'clientCertificatePath',
    'clientId',
    'disableInstanceDiscovery',
    'disablePulumiPartnerId',
    'environment',
    'metadataHost',
    'msiEndpoint',
    'oidcRequestUrl',
    'oidcTokenFilePath',
    'partnerId',
    'tenantId',
    'useDefaultAzureCredential',
    'useMsi',
    'useOidc',
  ] as const;
  const secrets = ['clientCertificatePassword', 'clientSecret', 'oidcRequestToken', 'oidcToken'] as const;
  return {
    // The SDK would say `public` where nothing is said, over what the environment says.
    ...(cloud !== undefined && { environment: cloud }),
    ...Object.fromEntries(
      texts.flatMap((key) => {
        const value = config.get(key);
        return value === undefined ? [] : [[key, parsed(key, value)]];
      }),
    ),
    ...Object.fromEntries(
      secrets.flatMap((key) => {
        const value = config.getSecret(key);
        return value === undefined ? [] : [[key, value]];
      }),
    ),
  };
}

/** What is no text there: flags and lists. */
function parsed(key: string, value: string): unknown {
  return /^(use|disable|auxiliary)/.test(key) ? (JSON.parse(value) as unknown) : value;
}
