import { KeyVaultManagementClient } from '@azure/arm-keyvault';
import type { KeyVaultManagementClientOptionalParams } from '@azure/arm-keyvault';
import {
  AzureCliCredential,
  ChainedTokenCredential,
  ClientSecretCredential,
  EnvironmentCredential,
} from '@azure/identity';
import type { TokenCredential } from '@azure/identity';
import type { VaultOutput } from '../stacks/outputs/outputs';

/** How long the Azure CLI may take for a token, and a vault's list to arrive; both in milliseconds. */
const cliTimeout = 15_000;
const listTimeout = 60_000;

/**
 * Lists the names of a vault's secrets through the resource manager: its answer has no values, and needs no role on
 * the vault's data, only `Microsoft.KeyVault/vaults/secrets/read`, which Reader has. Soft-deleted secrets
 * are not among them.
 */
export function createVaultListing(): (vault: Pick<VaultOutput, 'id' | 'uri'>) => Promise<string[]> {
  const clients = new Map<string, KeyVaultManagementClient>();
  // One client a subscription, so that its vaults share a token.
  const client = (subscription: string, uri: string): KeyVaultManagementClient => {
    const known = clients.get(subscription);
    if (known !== undefined) return known;
    const options = { cloudSetting: cloudOf(uri) };
    const made = new KeyVaultManagementClient(callersCredential(subscription), subscription, options);
    clients.set(subscription, made);
    return made;
  };
  return async ({ id, uri }) => {
    const { subscription, resourceGroup, name } = parseVaultId(id);
    const names: string[] = [];
    const options = { abortSignal: AbortSignal.timeout(listTimeout) };
    for await (const secret of client(subscription, uri).secrets.list(resourceGroup, name, options)) {
      if (secret.name !== undefined) names.push(secret.name);
    }
    return names;
  };
}

/**
 * Who runs the verification: AZURE_* as in every client of Azure, ARM_* as for Pulumi's provider, or the Azure CLI's
 * login. Not DefaultAzureCredential, which also asks the network for a machine's identity: a long wait where
 * there is none, for a list that may be missing.
 */
function callersCredential(subscription: string): TokenCredential {
  const { ARM_TENANT_ID, ARM_CLIENT_ID, ARM_CLIENT_SECRET } = process.env;
  const deployer =
    ARM_TENANT_ID && ARM_CLIENT_ID && ARM_CLIENT_SECRET
      ? [new ClientSecretCredential(ARM_TENANT_ID, ARM_CLIENT_ID, ARM_CLIENT_SECRET)]
      : [];
  return new ChainedTokenCredential(
    new EnvironmentCredential(),
    ...deployer,
    new AzureCliCredential({ subscription, processTimeoutInMs: cliTimeout }),
  );
}

/** The vault's DNS suffix tells the cloud, and with it the resource manager's address. */
function cloudOf(uri: string): KeyVaultManagementClientOptionalParams['cloudSetting'] {
  const { hostname } = new URL(uri);
  if (hostname.endsWith('.vault.azure.cn')) return 'AZURE_CHINA_CLOUD';
  return hostname.endsWith('.vault.usgovcloudapi.net') ? 'AZURE_US_GOVERNMENT' : 'AZURE_PUBLIC_CLOUD';
}

/** The parts of a vault's resource id, whose words Azure gives in any case. */
export function parseVaultId(id: string): { subscription: string; resourceGroup: string; name: string } {
  const [, subscription, resourceGroup, name] =
    /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/Microsoft\.KeyVault\/vaults\/([^/]+)$/i.exec(
      id,
    ) ?? [];
  if (subscription === undefined || resourceGroup === undefined || name === undefined) {
    throw new Error(`'${id}' is not the resource id of a vault`);
  }
  return { subscription: subscription.toLowerCase(), resourceGroup, name };
}
