import type { TokenCredential } from '@azure/core-auth';
import type { Context, ProviderImplementation } from '../../../../plugins/protocol';
import { ArmClient } from '../../../../plugins/azure-native/arm/client';
import { readSettings } from '../../../../plugins/azure-native/arm/settings';
import { Transport } from '../../../../plugins/azure-native/arm/transport';
import { createProvider } from '../../../../plugins/azure-native/provider';
import { FakeArm } from './fakeArm';

export const environment = {
  ARM_CLIENT_ID: 'client',
  ARM_CLIENT_SECRET: 'secret',
  ARM_TENANT_ID: 'tenant',
  ARM_SUBSCRIPTION_ID: 'sub',
};
export const groupId = '/subscriptions/sub/resourceGroups/rg';
export const vaultId = `${groupId}/providers/Microsoft.KeyVault/vaults/kv`;
export const clusterId = `${groupId}/providers/Microsoft.ContainerService/managedClusters/aks`;
export const now = { preview: false, timeoutSeconds: 0 };

const payload = Buffer.from(JSON.stringify({ oid: 'object' })).toString('base64url');
const credential: TokenCredential = {
  getToken: () => Promise.resolve({ token: `h.${payload}.s`, expiresOnTimestamp: Date.now() + 3_600_000 }),
};

/** A configured plugin over a resource manager in memory. */
export interface Harness {
  azure: FakeArm;
  provider: ProviderImplementation;
  context: Context;
  abort: AbortController;
}

export async function startHarness(): Promise<Harness> {
  const azure = new FakeArm();
  const provider = createProvider(environment, (config, env) => {
    const settings = readSettings(config, env);
    return {
      settings,
      credential,
      arm: new ArmClient(settings, credential, azure),
      vaults: new Transport(credential, 'https://vault.azure.net/.default', azure),
    };
  });
  const abort = new AbortController();
  await provider.configure({});
  return { azure, provider, abort, context: { signal: abort.signal, log: () => Promise.resolve() } };
}
