import {
  checkConfiguration as check,
  noEnvironment,
  SettingsReader,
  type ConfigurationRules,
} from '../../azure/configuration';
import type { CheckFailure, Properties } from '../../protocol';
import { assertionOf, federationVariables } from '../../azure/federation';
import { cloudNamed, cloudNames, type Cloud } from './clouds';

/** Connection settings for Azure. */
export interface Settings {
  cloud: Cloud;
  tenantId: string;
  subscriptionId: string;
  clientId: string;
  clientSecret: string;
  /** Returns the token to exchange for one of Entra; undefined: the plugin signs in with the secret. */
  assertion: (() => Promise<string>) | undefined;
  /** Default location of resources that have no resource group. */
  location?: string;
}

/** Environment variables for settings that the provider's configuration lacks. */
const environmentVariables: Record<string, readonly string[]> = {
  clientId: ['ARM_CLIENT_ID', 'AZURE_CLIENT_ID'],
  clientSecret: ['ARM_CLIENT_SECRET', 'AZURE_CLIENT_SECRET'],
  tenantId: ['ARM_TENANT_ID', 'AZURE_TENANT_ID'],
  subscriptionId: ['ARM_SUBSCRIPTION_ID'],
  environment: ['ARM_ENVIRONMENT', 'AZURE_ENVIRONMENT'],
  location: ['ARM_LOCATION'],
  ...federationVariables,
};

const refused = ['clientCertificatePath', 'msiEndpoint'];
const refusedIfTrue = ['useMsi', 'useDefaultAzureCredential'];
const rules: ConfigurationRules = {
  plugin: 'azure-native',
  declared: new Set([
    ...Object.keys(environmentVariables),
    ...refused,
    ...refusedIfTrue,
    'auxiliaryTenantIds',
    'clientCertificatePassword',
    'disableInstanceDiscovery',
    'disablePulumiPartnerId',
    'metadataHost',
    'partnerId',
    'version',
    'pluginDownloadURL',
  ]),
  refused,
  refusedIfTrue,
  hint: 'set clientId, clientSecret or useOidc, tenantId and subscriptionId, or ARM_CLIENT_ID, ARM_CLIENT_SECRET, ARM_TENANT_ID and ARM_SUBSCRIPTION_ID',
  environments: { allowed: cloudNames, isAllowed: (name) => cloudNamed(name) !== undefined },
};

/** Returns errors in a provider's configuration. */
export function checkConfiguration(config: Properties): CheckFailure[] {
  return check(rules, config);
}

/**
 * Returns the settings from the provider's configuration and the environment.
 *
 * @throws an error with the names of all missing settings
 */
export function readSettings(config: Properties, environment: NodeJS.ProcessEnv): Settings {
  const settings = new SettingsReader('azure-native', config, environment, environmentVariables);
  const assertion = assertionOf(settings);
  const secret = assertion === undefined ? ['clientSecret'] : [];
  settings.require(['clientId', ...secret, 'tenantId', 'subscriptionId']);
  const environmentName = settings.read('environment') || 'public';
  const cloud = cloudNamed(environmentName);
  if (cloud === undefined) {
    throw new Error(`azure-native:environment: ${noEnvironment(environmentName, cloudNames)}`);
  }
  const location = settings.read('location');
  return {
    // The Azure SDKs read the same variable.
    cloud: { ...cloud, authorityHost: environment['AZURE_AUTHORITY_HOST'] ?? cloud.authorityHost },
    clientId: settings.read('clientId'),
    clientSecret: settings.read('clientSecret'),
    assertion,
    tenantId: settings.read('tenantId'),
    subscriptionId: settings.read('subscriptionId'),
    ...(location ? { location } : {}),
  };
}
