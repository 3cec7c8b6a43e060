import { stringify } from 'yaml';
import type { AzureClients } from '../support/azureClients';
import type { LocalCloud } from '../support/localCloud';
import { theirCluster, withoutCharts } from './neighbours';

interface Application {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly vault?: object;
}
type Change = (application: Application) => Application | undefined;

const stack = 'policies';
const group = 'rg-policies';
const central = { vault: { placement: 'central' } };
const applications: readonly Application[] = [
  { name: 'orders', secrets: ['orders-db'], ...central },
  { name: 'billing', secrets: ['billing-db'], ...central },
  { name: 'reports', secrets: ['reports-db'] },
  { name: 'invoices', secrets: ['invoices-db'] },
];
/** A namespace of its own, because others use the cluster. */
const namespaceOf = (name: string) => `policies-${name}`;

const withSecrets =
  (...names: string[]): Change =>
  (application) =>
    names.includes(application.name)
      ? { ...application, secrets: [...application.secrets, `${application.name}-key`] }
      : application;
const without =
  (...names: string[]): Change =>
  (application) =>
    names.includes(application.name) ? undefined : application;

/** The steps of removing an application. */
const gone = (name: string, vault: string) => [
  `delete aks-workload-identity:application:Workload aks-p-${name}`,
  `delete aks-workload-identity:identity:FederatedCredentials aks-p-${name}`,
  `delete aks-workload-identity:identity:ManagedIdentity aks-p-${name}`,
  `retain azure-native:managedidentity:UserAssignedIdentity aks-p-${name}`,
  `retain azure-native:keyvault:Secret ${vault}/${name}-db`,
  `delete azure-native:keyvault:AccessPolicy ${vault}/aks-p-${name}`,
  `delete azure-native:managedidentity:FederatedIdentityCredential aks-p-${name}/${namespaceOf(name)}_${name}`,
  `delete kubernetes:apps/v1:Deployment aks-p-${name}`,
  `delete kubernetes:core/v1:Namespace aks-p/${namespaceOf(name)}`,
  `delete kubernetes:core/v1:ServiceAccount aks-p-${name}-account`,
];

/**
 * Vaults with access policies: two applications use the central one and two have their own, on a cluster of
 * another stack.
 */
export function policiesSuite(cloud: LocalCloud): void {
  let azure: AzureClients;

  /** The whole environment has `retainOnDelete`. */
  function policies(
    change: Change = (application) => application,
    cluster = 'aks-p',
    inNamespace = namespaceOf,
  ) {
    const settings = {
      location: 'westeurope',
      resourceGroup: group,
      protect: false,
      identity: 'application',
      vaults: 'perApplication',
      vault: {
        name: 'kv-wi-policies',
        access: 'accessPolicy',
        overreach: 'accepted',
        publicAccess: true,
        softDeleteRetentionInDays: 7,
        purgeProtection: false,
      },
      clusters: [theirCluster(azure.subscriptionId, cluster)],
      applications: applications
        .flatMap((application) => change(application) ?? [])
        .map((application) => ({
          ...application,
          namespace: inNamespace(application.name),
          image: 'ghcr.io/aks-workload-identity/reader:0.1.0',
          replicas: 1,
        })),
    };
    const own = Object.entries(settings).map(([key, value]) => [`aks-workload-identity:${key}`, value]);
    return {
      stack,
      yaml: stringify({ config: { ...(Object.fromEntries(own) as object), ...withoutCharts() } }),
    };
  }
  const readers = async (name: string) =>
    (await azure.vaults().vaults.get(group, name)).properties.accessPolicies ?? [];

  beforeAll(async () => {
    azure = await cloud.azure();
    await cloud.deploy(policies());
  });

  it('are for the namespaces of their own stack, and for no other', async () => {
    const output = await cloud.refusedUp(policies(without('invoices'), 'aks-p', (name) => name));

    for (const name of ['orders', 'reports'])
      expect(output.replace(/\s+/g, ' ')).toContain(
        `"${name}" is a Namespace that exists on the cluster aks-p, created by the stack vaults.`,
      );
    const { core } = await cloud.kubernetes('aks-vaults');
    const { metadata } = await core.readNamespace({ name: 'orders' });
    expect(metadata?.annotations).toMatchObject({ 'aks-workload-identity/owner': 'vaults/aks-vaults' });
  });

  it('do not go with the old name of a cluster', async () => {
    const output = await cloud.refusedUp(policies(undefined, 'aks-q'));

    expect(output.replace(/\s+/g, ' ')).toContain(
      '"policies-orders" is a Namespace that this stack created on the cluster aks-q when the stack file named that cluster aks-p',
    );
  });

  it('get exactly the secrets that applications name additionally, in the central vault and in their own', async () => {
    const steps = await cloud.deploy(policies(withSecrets('orders', 'reports')));

    // The policies already cover every secret of a vault.
    expect(steps.summary).toEqual([
      'create azure-native:keyvault:Secret kv-wi-policies-reports/reports-key',
      'create azure-native:keyvault:Secret kv-wi-policies/orders-key',
      'update kubernetes:apps/v1:Deployment aks-p-orders',
      'update kubernetes:apps/v1:Deployment aks-p-reports',
    ]);
  });

  it('keep the secrets that applications no longer name', async () => {
    const steps = await cloud.deploy(policies());

    expect(steps.summary).toEqual([
      'retain azure-native:keyvault:Secret kv-wi-policies-reports/reports-key',
      'retain azure-native:keyvault:Secret kv-wi-policies/orders-key',
      'update kubernetes:apps/v1:Deployment aks-p-orders',
      'update kubernetes:apps/v1:Deployment aks-p-reports',
    ]);
  });

  it('keep the secrets of removed applications without their policies, so that nobody can read them', async () => {
    expect(await readers('kv-wi-policies')).toHaveLength(2);

    const steps = await cloud.deploy(policies(without('billing', 'reports')));

    expect(steps.summary).toEqual(
      [
        ...gone('billing', 'kv-wi-policies'),
        ...gone('reports', 'kv-wi-policies-reports'),
        'delete aks-workload-identity:vault:KeyVault kv-wi-policies-reports',
        'retain azure-native:keyvault:Vault kv-wi-policies-reports',
      ].sort(),
    );
    expect(await readers('kv-wi-policies')).toHaveLength(1);
    expect(await readers('kv-wi-policies-reports')).toEqual([]);
  });
}
