import { reveal, type CheckFailure, type Properties } from '../../protocol';
import { cloudNamed, cloudNames, type Cloud } from './clouds';

/** Connection settings for Azure. */
export interface Settings {
  cloud: Cloud;
  tenantId: string;
  subscriptionId: string;
  clientId: string;
  clientSecret: string;
  /** Default location of resources without a resource group. */
  location?: string;
}

/**
 * Environment variables for settings that the provider's configuration lacks; the first one that is set counts.
 */
const environmentVariables: Record<string, readonly string[]> = {
  clientId: ['ARM_CLIENT_ID', 'AZURE_CLIENT_ID'],
  clientSecret: ['ARM_CLIENT_SECRET', 'AZURE_CLIENT_SECRET'],
  tenantId: ['ARM_TENANT_ID', 'AZURE_TENANT_ID'],
  subscriptionId: ['ARM_SUBSCRIPTION_ID'],
  environment: ['ARM_ENVIRONMENT', 'AZURE_ENVIRONMENT'],
  location: ['ARM_LOCATION'],
};

/** Sign-in methods of the official plugin that this one does not support. They are refused, not ignored. */
const refused = ['clientCertificatePath', 'oidcToken', 'oidcTokenFilePath', 'oidcRequestUrl', 'msiEndpoint'];
const refusedIfTrue = ['useMsi', 'useOidc', 'useDefaultAzureCredential'];
/** Further inputs that the npm package's `ProviderArgs` declare. */
const accepted = new Set([
  ...Object.keys(environmentVariables),
  ...refused,
  ...refusedIfTrue,
  'auxiliaryTenantIds',
  'clientCertificatePassword',
  'disableInstanceDiscovery',
  'disablePulumiPartnerId',
  'metadataHost',
  'oidcRequestToken',
  'partnerId',
  'version',
  'pluginDownloadURL',
]);

/**
 * Errors in a provider's configuration. Credentials may be missing, because they can come from the environment.
 */
export function checkConfiguration(config: Properties): CheckFailure[] {
  const failures: CheckFailure[] = [];
  for (const [property, secretOrPlain] of Object.entries(config)) {
    const value = reveal(secretOrPlain);
    if (property.startsWith('__') || value === null || value === '') continue;
    if (!accepted.has(property)) {
      failures.push({ property, reason: `azure-native has no configuration '${property}'` });
    } else if (
      refused.includes(property) ||
      (refusedIfTrue.includes(property) && (value === true || value === 'true'))
    ) {
      failures.push({
        property,
        reason: `'${property}' is not supported by the local cloud's azure-native plugin: set clientId, clientSecret, tenantId and subscriptionId, or ARM_CLIENT_ID, ARM_CLIENT_SECRET, ARM_TENANT_ID and ARM_SUBSCRIPTION_ID`,
      });
    } else if (property === 'environment' && typeof value === 'string' && !cloudNamed(value)) {
      failures.push({
        property,
        reason: `'${value}' is not an Azure environment: allowed are ${cloudNames.join(', ')}`,
      });
    }
  }
  return failures;
}

/**
 * The settings from the provider's configuration and the environment.
 *
 * @throws with the names of all missing settings
 */
export function readSettings(config: Properties, environment: NodeJS.ProcessEnv): Settings {
  const read = (key: string): string => {
    const configured = config[key] === undefined ? undefined : reveal(config[key]);
    if (typeof configured === 'string' && configured !== '') return configured;
    for (const variable of environmentVariables[key] ?? []) {
      const value = environment[variable];
      if (value) return value;
    }
    return '';
  };
  const required = ['clientId', 'clientSecret', 'tenantId', 'subscriptionId'] as const;
  const missing = required.filter((key) => read(key) === '');
  if (missing.length > 0) {
    const remedies = missing.map((key) => `azure-native:${key} or ${environmentVariables[key]?.[0] ?? key}`);
    throw new Error(`azure-native has no credentials: set ${remedies.join(', ')}`);
  }
  const environmentName = read('environment') || 'public';
  const cloud = cloudNamed(environmentName);
  if (cloud === undefined) {
    throw new Error(
      `azure-native:environment: '${environmentName}' is not an Azure environment: allowed are ${cloudNames.join(', ')}`,
    );
  }
  const location = read('location');
  return {
    // The Azure SDKs use the same variable.
    cloud: { ...cloud, authorityHost: environment['AZURE_AUTHORITY_HOST'] ?? cloud.authorityHost },
    clientId: read('clientId'),
    clientSecret: read('clientSecret'),
    tenantId: read('tenantId'),
    subscriptionId: read('subscriptionId'),
    ...(location ? { location } : {}),
  };
}
