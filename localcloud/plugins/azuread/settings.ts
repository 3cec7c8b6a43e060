import {
  checkConfiguration as check,
  noEnvironment,
  SettingsReader,
  type ConfigurationRules,
} from '../azure/configuration';
import { assertionOf, federationVariables } from '../azure/federation';
import type { ServicePrincipal } from '../azure/credential';
import type { CheckFailure, Properties } from '../protocol';

/** Environment variables for settings that the provider's configuration lacks. */
const environmentVariables: Record<string, readonly string[]> = {
  clientId: ['ARM_CLIENT_ID'],
  clientSecret: ['ARM_CLIENT_SECRET'],
  tenantId: ['ARM_TENANT_ID'],
  environment: ['ARM_ENVIRONMENT'],
  ...federationVariables,
};

/** The official provider's names of the public cloud, the only one that the local cloud has. */
const environments = ['global', 'public'];
const refused = [
  'adoPipelineServiceConnectionId',
  'clientCertificate',
  'clientCertificatePassword',
  'clientCertificatePath',
  'clientIdFilePath',
  'clientSecretFilePath',
  'metadataHost',
  'msiEndpoint',
];
const refusedIfTrue = ['useAksWorkloadIdentity', 'useMsi'];
const rules: ConfigurationRules = {
  plugin: 'azuread',
  declared: new Set([
    ...Object.keys(environmentVariables),
    ...refused,
    ...refusedIfTrue,
    'disableTerraformPartnerId',
    'partnerId',
    'useCli',
    'version',
    'pluginDownloadURL',
  ]),
  refused,
  refusedIfTrue,
  hint: 'set clientId, clientSecret or useOidc, and tenantId, or ARM_CLIENT_ID, ARM_CLIENT_SECRET and ARM_TENANT_ID',
  environments: { allowed: environments, isAllowed: (name) => environments.includes(name.toLowerCase()) },
};

/** Returns errors in a provider's configuration. */
export function checkConfiguration(config: Properties): CheckFailure[] {
  return check(rules, config);
}

/**
 * Returns the service principal from the provider's configuration and the environment.
 *
 * @throws an error with the names of all missing settings
 */
export function readSettings(config: Properties, environment: NodeJS.ProcessEnv): ServicePrincipal {
  const settings = new SettingsReader('azuread', config, environment, environmentVariables);
  const assertion = assertionOf(settings);
  settings.require(['clientId', ...(assertion === undefined ? ['clientSecret'] : []), 'tenantId']);
  const name = settings.read('environment') || 'public';
  if (!rules.environments.isAllowed(name)) {
    throw new Error(`azuread:environment: ${noEnvironment(name, environments)}`);
  }
  return {
    // The Azure SDKs read the same variable.
    authorityHost: environment['AZURE_AUTHORITY_HOST'] ?? 'https://login.microsoftonline.com',
    clientId: settings.read('clientId'),
    clientSecret: settings.read('clientSecret'),
    assertion,
    tenantId: settings.read('tenantId'),
  };
}
