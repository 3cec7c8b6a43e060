import * as pulumi from '@pulumi/pulumi';
import { deploy as deployInput } from './deployed';
import { guidOf, ids } from '../components/support/azure';
import type { Recording } from '../components/support/recorder';
import { valueOf } from '../components/support/recorder';
import {
  clusterId,
  groupId,
  identityId,
  otherSubscription,
  ownSubscription,
  subnetId,
  vaultId,
  workspaceId,
} from './ids';
import type { Input } from './settings';
import { application, validInput } from './settings';

// What mocks do not prove: that a provider reaches its subscription and that nothing of what exists already changes; the
// end-to-end test on the local cloud does.

const other = `pulumi:providers:azure-native::subscription-${otherSubscription}`;
const own = `pulumi:providers:azure-native::subscription-${ownSubscription}`;
const release = 'kubernetes:helm.sh/v3:Release';
const credential = 'azure-native:managedidentity:FederatedIdentityCredential';

const deploy = (changes: Input) => deployInput(validInput(changes));

/** The explicit providers of everything in Azure, by `type::name` without the namespace. */
const providers = ({ registrations }: Recording<unknown>) =>
  Object.fromEntries(
    registrations
      .filter(({ type }) => type.startsWith('azure-native:'))
      .map(({ type, name, provider }) => [`${type.split(':').at(-1) ?? ''} ${name}`, provider]),
  );

const one = {
  clusters: [{ name: 'aks-1' }],
  applications: [application('a', { secrets: ['db'] })],
  secretValues: { db: 'value-of-the-test' },
};

describe('an environment that uses nothing', () => {
  it('has no provider for Azure but the engine’s default', async () => {
    const recording = await deploy(one);

    expect(recording.names('pulumi:providers:azure-native')).toEqual([]);
    expect(new Set(Object.values(providers(recording)))).toEqual(new Set([undefined]));
  });
});

describe('an environment in an existing group', () => {
  it('creates everything in the subscription of the group, and no group', async () => {
    const recording = await deploy({ ...one, resourceGroup: { existing: groupId('rg-there') } });

    expect(recording.names('azure-native:resources:ResourceGroup')).toEqual([]);
    expect(new Set(Object.values(providers(recording)))).toEqual(new Set([other]));
    expect(recording.find('azure-native:keyvault:Vault', 'kv-test').inputs).toMatchObject({
      resourceGroupName: 'rg-there',
      location: 'westeurope',
    });
    expect(await valueOf(recording.result.subscriptionId)).toBe(otherSubscription);
    expect(await valueOf(recording.result.resourceGroup)).toBe('rg-there');
    const operator = recording.find(release, 'aks-1-service-operator');
    expect(operator.inputs).toMatchObject({ values: { azureSubscriptionID: otherSubscription } });
  });
});

describe('an environment that uses what is elsewhere', () => {
  let recording: Awaited<ReturnType<typeof deploy>>;
  beforeAll(async () => {
    recording = await deploy({
      ...one,
      logs: { workspace: { existing: workspaceId('log-there') } },
      vault: { existing: vaultId('kv-there', ownSubscription) },
      clusters: [{ name: 'aks-1', identity: { existing: identityId('id-there') } }],
      applications: [
        ...one.applications,
        application('b', { secrets: ['db'], vault: { placement: 'perApplication', name: 'kv-b' } }),
      ],
    });
  });

  it('reaches each thing, and what is written into it, through its own subscription', () => {
    expect(providers(recording)).toEqual({
      'ResourceGroup rg-test': undefined,
      'ManagedCluster aks-1': undefined,
      'DiagnosticSetting aks-1-logs': undefined,
      'FederatedIdentityCredential aks-1/a_a': other,
      'FederatedIdentityCredential aks-1/b_b': other,
      'UserAssignedIdentity aks-1-aso': undefined,
      'FederatedIdentityCredential aks-1-aso/azureserviceoperator-system_azureserviceoperator-default':
        undefined,
      'RoleAssignment aks-1-aso/itself': undefined,
      'Secret kv-there/db': own,
      'RoleAssignment kv-there/aks-1/db': own,
      'Vault kv-b': undefined,
      'DiagnosticSetting kv-b-logs': undefined,
      'Secret kv-b/db': undefined,
      'RoleAssignment kv-b/aks-1/db': undefined,
    });
  });

  it('makes the providers once for each subscription', () => {
    expect(recording.names('pulumi:providers:azure-native').sort()).toEqual([
      `subscription-${ownSubscription}`,
      `subscription-${otherSubscription}`,
    ]);
  });

  it('sends logs of new resources to the existing workspace, and none of existing ones', () => {
    const settings = recording.registrations.filter(({ type }) => type.endsWith(':DiagnosticSetting'));

    expect(settings.map(({ name }) => name).sort()).toEqual(['aks-1-logs', 'kv-b-logs']);
    for (const { inputs } of settings) expect(inputs.workspaceId).toBe(workspaceId('log-there'));
  });

  it('lets workloads run as the existing identity', async () => {
    const [workload] = await valueOf(recording.result.workloads);

    expect(workload?.identity).toMatchObject({ name: 'id-there', clientId: guidOf('client-id-there') });
  });
});

describe('a vault', () => {
  const subnet = subnetId('apps', ids.subscription);
  const vault = {
    name: 'kv-test',
    publicAccess: true,
    network: { allowedIpRanges: ['203.0.113.7'] },
    privateEndpoints: [{ subnet }],
    lock: true,
    tags: { data: 'secret' },
  };

  it('has the settings of the file, and the lock last', async () => {
    const { find } = await deploy({ ...one, vault, tags: { environment: 'test' } });

    expect(find('azure-native:keyvault:Vault', 'kv-test').inputs).toMatchObject({
      tags: { environment: 'test', data: 'secret', 'pulumi-stack': 'aks-workload-identity/test' },
      properties: { networkAcls: { defaultAction: 'Deny', bypass: 'AzureServices' } },
    });
    expect(find('azure-native:network:PrivateEndpoint', 'kv-test/vnet/apps/aae04614').inputs).toMatchObject({
      resourceGroupName: 'rg-test',
      location: 'westeurope',
    });
    expect(find('azure-native:authorization:ManagementLockByScope', 'kv-test-lock').dependencies).toContain(
      'azure-native:authorization:RoleAssignment::kv-test/aks-1/db',
    );
  });

  it('of an application has what the central one has, unless it says otherwise', async () => {
    const applications = [
      application('a', { secrets: ['db'], vault: { placement: 'perApplication', name: 'kv-a' } }),
      application('b', {
        secrets: ['db'],
        vault: { placement: 'perApplication', name: 'kv-b', lock: false, privateEndpoints: [], tags: {} },
      }),
    ];
    const { find, names } = await deploy({ ...one, vault, applications });

    expect(names('azure-native:authorization:ManagementLockByScope')).toEqual(['kv-test-lock', 'kv-a-lock']);
    expect(names('azure-native:network:PrivateEndpoint')).toEqual([
      'kv-test/vnet/apps/aae04614',
      'kv-a/vnet/apps/aae04614',
    ]);
    expect(find('azure-native:keyvault:Vault', 'kv-a').inputs.tags).toEqual({
      data: 'secret',
      'pulumi-stack': 'aks-workload-identity/test',
    });
    expect(find('azure-native:keyvault:Vault', 'kv-b').inputs.tags).toEqual({
      'pulumi-stack': 'aks-workload-identity/test',
    });
  });
});

describe('clusters', () => {
  it('that are new have the settings of the file', async () => {
    const { find } = await deploy({
      ...one,
      clusters: [
        {
          name: 'aks-1',
          administratorGroups: ['55555555-5555-4555-8555-555555555555'],
          authorizedIpRanges: ['203.0.113.0/24'],
          tags: { tier: 'front' },
        },
      ],
      tags: { environment: 'test' },
    });

    const { inputs } = find('azure-native:containerservice:ManagedCluster', 'aks-1');
    expect(inputs).toMatchObject({
      disableLocalAccounts: true,
      apiServerAccessProfile: { authorizedIPRanges: ['203.0.113.0/24'] },
      tags: { environment: 'test', tier: 'front' },
    });
    expect(inputs).not.toHaveProperty('addonProfiles');
  });

  it.each(['files', 'environment'])('that are new get the driver for the delivery %s', async (delivery) => {
    const { find } = await deploy({
      ...one,
      applications: [application('a', { secrets: ['db'], delivery })],
    });

    expect(find('azure-native:containerservice:ManagedCluster', 'aks-1').inputs.addonProfiles).toEqual({
      azureKeyvaultSecretsProvider: { enabled: true, config: { enableSecretRotation: 'true' } },
    });
  });

  it('that exist are read in their subscription, and the objects in them are deleted again', async () => {
    const recording = await deploy({
      ...one,
      clusters: [{ name: 'aks-1', mode: 'existing', id: clusterId('aks-there'), retainOnDelete: false }],
    });

    expect(recording.names('azure-native:containerservice:ManagedCluster')).toEqual([]);
    const inCluster = recording.registrations.filter(({ type }) => /^kubernetes:/.test(type));
    expect(new Set(inCluster.map(({ deletedWith }) => deletedWith))).toEqual(new Set([undefined]));
    expect(recording.find(credential, 'aks-1/a_a').inputs.issuer).toBe('https://issuer.example/aks-there/');
    expect(recording.find(credential, 'aks-1/a_a').provider).toBeUndefined();
    expect(await valueOf(recording.result.clusters)).toMatchObject({
      'aks-1': { mode: 'existing', id: clusterId('aks-there'), issuer: 'https://issuer.example/aks-there/' },
    });
  });

  const edge = {
    clusters: [{ name: 'edge', mode: 'external', issuer: 'https://issuer.example/edge' }],
    kubeconfigs: { edge: 'the kubeconfig' },
  };

  it('of others get no second webhook, if they have one', async () => {
    const { names } = await deploy({ ...one, ...edge, workloadIdentityWebhook: { install: false } });

    expect(names(release)).not.toContain('edge-workload-identity-webhook');
    expect(names(release)).toContain('edge-cert-manager');
  });

  it('of others get the webhook, before everything that signs in', async () => {
    const recording = await deploy({ ...one, ...edge, workloadIdentityWebhook: { replicas: 1 } });

    const webhook = recording.find(release, 'edge-workload-identity-webhook');
    expect(webhook.inputs).toMatchObject({
      chart: 'workload-identity-webhook',
      version: '1.6.0',
      namespace: 'azure-workload-identity-system',
      values: { azureTenantID: ids.tenant, replicaCount: 1 },
    });
    // The components wait, and what is in them waits for them.
    for (const [type, name] of [
      ['aks-workload-identity:platform:ServiceOperator', 'edge-service-operator'],
      ['aks-workload-identity:application:Workload', 'edge-a'],
    ] as const) {
      expect(recording.find(type, name).dependencies).toContain(`${release}::edge-workload-identity-webhook`);
    }
    const clusters = await valueOf(recording.result.clusters);
    expect(clusters.edge).toMatchObject({ mode: 'external', issuer: 'https://issuer.example/edge' });
    expect(clusters.edge).not.toHaveProperty('id');
    expect(await valueOf(recording.result.kubeconfigs)).toEqual({ edge: 'the kubeconfig' });
    expect(await pulumi.isSecret(recording.result.kubeconfigs)).toBe(true);
    expect(await pulumi.isSecret(recording.result.clusters)).toBe(false);
  });
});
