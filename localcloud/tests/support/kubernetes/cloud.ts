import { randomUUID } from 'node:crypto';
import type { ManagedCluster as ClusterParameters } from '@azure/arm-containerservice';
import { TestCloud } from '../azure';
import type { Client } from './client';
import { connect } from './client';
import { helm } from './helm';
import type { TestRuntime } from './runtime';
import { charts, openRuntime } from './runtime';

const secretsUser = '4633458b-17de-408a-b874-0445c86b69e6';

/** The local Azure with real clusters, whose pods reach it by Azure's public names. */
export interface WholeCloud {
  cloud: TestCloud;
  test: TestRuntime;
  dispose(): Promise<void>;
}

export async function startWholeCloud(
  options: Pick<NonNullable<Parameters<typeof openRuntime>[0]>, 'images'> = {},
): Promise<WholeCloud> {
  const running: { cloud?: TestCloud } = {};
  const test = openRuntime({
    ...options,
    tokenForPod: (clusterId, request) => {
      if (running.cloud === undefined) throw new Error('the local Azure was not started');
      return running.cloud.azure.tokenForPod(clusterId, request);
    },
    podEnvironment: (clusterId, podAddress): Record<string, string> => {
      const azure = running.cloud?.azure;
      if (azure === undefined) return {};
      const proxy = azure.nodeProxy(clusterId, podAddress);
      return {
        HTTPS_PROXY: proxy,
        HTTP_PROXY: proxy,
        NO_PROXY: '127.0.0.1,localhost,.svc,10.0.0.0/8',
        NODE_EXTRA_CA_CERTS: azure.caFile,
        SSL_CERT_FILE: azure.caFile,
      };
    },
  });
  const cloud = await TestCloud.start({ runtime: test.runtime });
  running.cloud = cloud;
  await cloud.group('rg');
  return {
    cloud,
    test,
    async dispose() {
      await test.dispose();
      await cloud.stop();
    },
  };
}

/** A cluster of the local Azure, with an administrator's client. */
export interface ManagedCluster {
  readonly name: string;
  /** The id in the cluster runtime. */
  readonly id: string;
  readonly issuer: string;
  readonly client: Client;
  /** The identity of the Key Vault add-on, if it is enabled. */
  readonly addon: { clientId: string; principalId: string };
}

/** Makes a managed cluster, or enables or disables the Key Vault add-on. */
export async function managedCluster(
  { cloud, test }: WholeCloud,
  name: string,
  secretsProvider = false,
  config?: Record<string, string>,
): Promise<ManagedCluster> {
  const { managedClusters } = cloud.clusters();
  const created = await managedClusters.createOrUpdate('rg', name, clusterWith(secretsProvider, config));
  const issuer = created.oidcIssuerProfile?.issuerURL ?? '';
  const id = issuer.split('/').at(-2) ?? '';
  const { clientId = '', objectId = '' } =
    created.addonProfiles?.['azureKeyvaultSecretsProvider']?.identity ?? {};
  const addon = { clientId, principalId: objectId };
  return { name, id, issuer, addon, client: await connect(test.runtime, { id, name }) };
}

/** Installs a chart, and waits for its pods. */
export async function installChart(
  { test }: WholeCloud,
  cluster: ManagedCluster,
  release: 'cert-manager' | 'azure-service-operator',
  namespace: string,
  values: Record<string, unknown>,
): Promise<void> {
  const { [release]: chart } = await charts();
  await helm(
    ...([test, cluster] as const),
    ...['install', release, chart, '--namespace', namespace, '--create-namespace'],
    ...Object.entries(values).flatMap(([key, value]) => ['--set-json', `${key}=${JSON.stringify(value)}`]),
    ...['--wait', '--timeout', '20m'],
  );
}

/** A managed cluster with the Key Vault add-on enabled or disabled. */
export const clusterWith = (
  secretsProvider: boolean,
  config?: Record<string, string>,
): ClusterParameters => ({
  location: 'westeurope',
  dnsPrefix: 'dns',
  identity: { type: 'SystemAssigned' },
  agentPoolProfiles: [{ name: 'system', mode: 'System', count: 1, vmSize: 'Standard_D2s_v5' }],
  oidcIssuerProfile: { enabled: true },
  addonProfiles: { azureKeyvaultSecretsProvider: { enabled: secretsProvider, config } },
});

/** A vault with secrets. */
export async function vaultWith(cloud: TestCloud, secrets: Record<string, string>): Promise<string> {
  const name = `kv-${randomUUID().slice(0, 8)}`;
  await cloud.makeVault(name);
  for (const [secret, value] of Object.entries(secrets)) await cloud.secrets(name).setSecret(secret, value);
  return name;
}

/** An identity that trusts a service account of the cluster, and may read the vault's secrets if requested. */
export async function identityFor(
  cloud: TestCloud,
  options: { name: string; issuer: string; serviceAccount: string; vault?: string },
): Promise<{ clientId: string; principalId: string }> {
  const { name, issuer, serviceAccount, vault } = options;
  const client = cloud.identities();
  const identity = await client.userAssignedIdentities.createOrUpdate('rg', name, { location: 'westeurope' });
  await client.federatedIdentityCredentials.createOrUpdate('rg', name, 'test', {
    issuer,
    subject: `system:serviceaccount:${serviceAccount}`,
    audiences: ['api://AzureADTokenExchange'],
  });
  const { clientId = '', principalId = '' } = identity;
  if (vault !== undefined) await mayRead(cloud, vault, principalId);
  return { clientId, principalId };
}

/** Lets a principal read the secrets of a vault, or one of them; returns how to revoke it. */
export async function mayRead(
  cloud: TestCloud,
  vault: string,
  principalId: string,
  secret?: string,
): Promise<() => Promise<unknown>> {
  const { id = '' } = await cloud.vaults().vaults.get('rg', vault);
  const [scope, name] = [secret === undefined ? id : `${id}/secrets/${secret}`, randomUUID()];
  const { roleAssignments } = cloud.authorization();
  await roleAssignments.create(scope, name, {
    principalId,
    principalType: 'ServicePrincipal',
    roleDefinitionId: secretsUser,
  });
  return () => roleAssignments.delete(scope, name);
}
