import { newClusters } from '../../../cli/doctor/quotas';
import { subscriptionFindings, type Deployment } from '../../../cli/doctor/subscription';
import type { SubscriptionAccess } from '../../../cli/doctor/subscriptionAccess';
import { quotas } from '../../../cli/fleet/limits';
import type { DeployedOutputs } from '../../../cli/stackOutputs';
import { check } from '../stacks/stackFileText';
import { twoClusters } from '../verification/outputs.fixture';

// What fakes do not prove: what Azure answers; tests/e2e/doctor.test.ts asks the local cloud.

const namespaces = ['Authorization', 'Cache', 'ContainerService', 'Insights', 'KeyVault', 'ManagedIdentity']
  .concat('Network', 'OperationalInsights', 'Resources')
  .map((name) => `Microsoft.${name}`);
const identities = ['id-1', 'id-2'].map((name) => ({
  ...{ cluster: 'aks-1', name, id: `/subscriptions/s/resourceGroups/rg/providers/x/${name}`, trusts: [] },
}));
const outputs: DeployedOutputs = { ...twoClusters(), identities };

interface Azure {
  /** Providers that are not registered. */
  readonly unregistered?: readonly string[];
  /** Roles of the account; undefined if the group does not exist. */
  readonly permissions?: readonly object[] | undefined;
  readonly assignments?: number;
  readonly credentials?: number;
  /** Clusters in the subscription, by region. */
  readonly clusters?: Readonly<Record<string, number>>;
  /** Free vCPUs, by family and in total; undefined if the cloud does not say. */
  readonly vCpus?: Readonly<Record<string, number>> | undefined;
  /** State of the feature of identity bindings; undefined if the cloud does not say. */
  readonly feature?: string;
}

const types = [
  'azure-native:managedidentity:UserAssignedIdentity',
  'azure-native:containerservice:ManagedCluster',
  'azure-native:authorization:RoleAssignment',
  'kubernetes:core/v1:Namespace',
];
const binding = 'azure-native:containerservice:IdentityBinding';

const restriction = (type: string, ...values: string[]) => ({
  ...{ type, values, reasonCode: 'NotAvailableForSubscription' },
});
const size = (name: string, family: string, vCPUs: string, restrictions: readonly object[] = []) => ({
  ...{ resourceType: 'virtualMachines', name, family, restrictions },
  capabilities: [
    { name: 'MemoryGB', value: '8' },
    { name: 'vCPUs', value: vCPUs },
  ],
});
const sizes = [
  { resourceType: 'disks', name: 'Standard_D4ds_v5' },
  size('Standard_D4ds_v5', 'standardDDSv5Family', '4'),
  size('Standard_E2s_v5', 'standardESv5Family', '2', [
    restriction('Zone', 'westeurope'),
    restriction('Location', 'eastus'),
  ]),
  size('Standard_F2s_v2', 'standardFSv2Family', '2', [restriction('Location', 'WestEurope')]),
];

/** Answers for the lists of a subscription; undefined if there is none. */
function listAt(url: string, { clusters = {}, vCpus, feature }: Azure): object | undefined {
  if (url.includes('/features/'))
    return feature === undefined ? undefined : { properties: { state: feature } };
  if (url.includes('/managedClusters'))
    return {
      value: Object.entries(clusters).flatMap(([location, length]) =>
        Array.from({ length }, () => ({ location })),
      ),
    };
  if (vCpus === undefined) return undefined;
  if (url.includes('/skus')) return { value: url.includes("location%20eq%20'westeurope'") ? sizes : [] };
  return {
    value: Object.entries(vCpus).map(([value, free]) => ({
      name: { value },
      currentValue: 10,
      limit: 10 + free,
    })),
  };
}

function azure({ unregistered = [], assignments = 10, credentials = 3, ...rest }: Azure): SubscriptionAccess {
  const permissions = 'permissions' in rest ? rest.permissions : [{ actions: ['*'], notActions: [] }];
  const provider = (namespace: string) => ({
    namespace,
    registrationState: unregistered.includes(namespace) ? 'NotRegistered' : 'Registered',
  });
  return {
    manager: {
      endpoint: 'https://arm',
      read: (url) =>
        Promise.resolve(
          url.includes('/permissions')
            ? permissions && { value: permissions }
            : /\/providers\?/.test(url)
              ? { value: namespaces.map(provider) }
              : listAt(url, rest),
        ),
    },
    lists: {
      listAssignments: () =>
        Promise.resolve([
          ...Array.from(
            { length: assignments },
            () => ({ scope: '/subscriptions/s/resourceGroups/rg' }) as never,
          ),
          // Above the subscription, it does not count.
          { scope: '/' } as never,
        ]),
      listCredentials: (id) =>
        Promise.resolve(Array.from({ length: id.endsWith('2') ? credentials : 1 }) as never),
    },
  };
}

const troubleOf = async (of: Azure, stack = outputs, more: Partial<Deployment> = {}) =>
  (
    await subscriptionFindings('s', azure(of), { resourceGroup: 'rg', outputs: stack, types, ...more })
  ).filter(({ state }) => state !== 'ok');

it('in order, it has no finding but ok', async () => {
  expect(await troubleOf({})).toEqual([]);
});

const contributor = { actions: ['*'], notActions: ['Microsoft.Authorization/*/Write'] };
it.each<[string, Azure, object]>([
  [
    'a provider that is not registered',
    { unregistered: ['Microsoft.ManagedIdentity'] },
    {
      check: 'resource providers',
      state: 'failed',
      detail: 'Microsoft.ManagedIdentity is NotRegistered',
      hint: '`az provider register --namespace Microsoft.ManagedIdentity`',
    },
  ],
  [
    'a Reader',
    { permissions: [{ actions: ['*/read'], notActions: [] }] },
    {
      check: 'rights to deploy',
      state: 'warning',
      hint: expect.stringContaining('assign Contributor and Role Based') as string,
    },
  ],
  [
    'a Contributor, who may not grant',
    { permissions: [contributor] },
    { state: 'warning', detail: 'this account lacks Microsoft.Authorization/roleAssignments/write' },
  ],
  [
    'a missing resource group',
    { permissions: undefined },
    { check: 'rights to deploy', state: 'failed', detail: 'Azure has no resource group rg' },
  ],
  [
    'a full quota of role assignments, of which the update may need none',
    { assignments: 4000 },
    { check: 'quota of role assignments', state: 'warning', detail: '4000 of 4000 in the subscription' },
  ],
  [
    'one that is nearly full',
    { assignments: 3600 },
    { check: 'quota of role assignments', state: 'warning' },
  ],
  [
    'a full identity, which may need no more',
    { credentials: 20 },
    {
      check: 'quota of federated credentials',
      state: 'warning',
      detail: expect.stringContaining('id-2') as string,
    },
  ],
  [
    'one that is nearly full',
    { credentials: 18 },
    { check: 'quota of federated credentials', state: 'warning' },
  ],
])('with %s, it has one finding', async (_, of, expected) => {
  expect(await troubleOf(of)).toEqual([expect.objectContaining(expected)]);
});

it.each([
  [
    'azure-native:authorization:ManagementLockByScope',
    'Microsoft.Authorization/locks/write',
    'User Access Administrator',
  ],
  [
    'azure-native:authorization:RoleDefinition',
    'Microsoft.Authorization/roleDefinitions/write',
    'User Access Administrator',
  ],
  [
    'azure-native:resources:ResourceGroup',
    'Microsoft.Resources/subscriptions/resourceGroups/write',
    'Contributor',
  ],
  [binding, 'Microsoft.ContainerService/managedClusters/identityBindings/write', 'Contributor'],
  ['azure-native:monitor:DiagnosticSetting', 'Microsoft.Insights/diagnosticSettings/write', 'Contributor'],
  ['azure-native:keyvault:AccessPolicy', 'Microsoft.KeyVault/vaults/accessPolicies/write', 'Contributor'],
])('a stack with %s needs %s, and no other does', async (type, action, role) => {
  const of = { permissions: [{ actions: ['*'], notActions: [action] }], feature: 'Registered' };
  expect(await troubleOf(of)).toEqual([]);
  expect(await troubleOf(of, outputs, { types: [...types, type] })).toMatchObject([
    {
      ...{ check: 'rights to deploy', state: 'warning', detail: `this account lacks ${action}` },
      hint: expect.stringContaining(`assign ${role} on the resource group`) as string,
    },
  ]);
});

it('a stack that assigns no role needs no right to', async () => {
  expect(await troubleOf({ permissions: [contributor] }, outputs, { types: types.slice(0, 2) })).toEqual([]);
});

describe('with clusters to create', () => {
  const creates = {
    location: 'westeurope',
    nodes: [
      { count: 3, vmSize: 'Standard_D4ds_v5' },
      { count: 2, vmSize: 'standard_e2s_v5' },
    ],
  };
  const enough = { cores: 100, standardDDSv5Family: 100, 'Standard ESv5 Family': 100 };
  const most = (name: string) => quotas.find((quota) => quota.name === name)?.most ?? 0;
  const found = (of: Azure, more: Partial<Deployment> = { creates }) =>
    troubleOf({ vCpus: enough, ...of }, outputs, more);

  it('checks nothing of them if there are none', async () => {
    expect(await found({ vCpus: { cores: 0 } }, {})).toEqual([]);
  });

  it('has no finding if there is room', async () => {
    expect(await found({ clusters: { 'West Europe': 50, eastus: 500 } })).toEqual([]);
  });

  it.each<[string, Azure, object]>([
    [
      'fewer vCPUs in total',
      { vCpus: { ...enough, cores: 15 } },
      { check: 'quota of vCPUs', state: 'failed', detail: '10 of 25 vCPUs in westeurope, 16 to create' },
    ],
    [
      'fewer vCPUs of a family',
      { vCpus: { ...enough, standardDDSv5Family: 11 } },
      { state: 'failed', detail: '10 of 21 vCPUs of standardDDSv5Family in westeurope, 12 to create' },
    ],
    [
      'just enough vCPUs of a family',
      { vCpus: { ...enough, 'Standard ESv5 Family': 4 } },
      { state: 'warning', detail: '10 of 14 vCPUs of standardESv5Family in westeurope, 4 to create' },
    ],
    [
      'a cloud without vCPUs',
      { vCpus: undefined },
      { check: 'quota of vCPUs', state: 'warning', detail: expect.stringContaining('not checked') as string },
    ],
    [
      'a family without a quota',
      { vCpus: { cores: 100, standardDDSv5Family: 100 } },
      {
        ...{ check: 'quota of vCPUs', state: 'warning' },
        detail:
          'not checked: this cloud does not say anything about vCPUs of standardESv5Family in westeurope',
      },
    ],
    [
      'a family without a quota, and another that is exceeded',
      { vCpus: { cores: 100, standardDDSv5Family: 11 } },
      { check: 'quota of vCPUs', state: 'failed' },
    ],
    [
      'a full region, which Microsoft may have raised',
      { clusters: { westeurope: most('clusters-in-region') } },
      { check: 'quota of clusters', state: 'warning', detail: '100 of 100 in westeurope, 2 to create' },
    ],
    [
      'a full subscription',
      { clusters: { eastus: most('clusters') - 1 } },
      {
        check: 'quota of clusters',
        state: 'failed',
        detail: '4999 of 5000 in the subscription, 2 to create',
      },
    ],
  ])('with %s, it has one finding', async (_, of, expected) => {
    expect(await found(of)).toEqual([expect.objectContaining(expected)]);
  });

  it.each([
    ['does not have', 'Standard_X1'],
    ['has, but not for the subscription', 'Standard_F2s_v2'],
  ])('names a size that the region %s', async (_, vmSize) => {
    const nodes = [{ count: 1, vmSize }];
    const detail = `westeurope has no virtual machines of the size ${vmSize} for this subscription`;
    expect(await found({}, { creates: { location: 'westeurope', nodes } })).toMatchObject([
      { state: 'failed', detail },
    ]);
  });

  it('checks nothing of them if a cell cannot be read, whose clusters would look new', async () => {
    const unread = { state: 'warning', detail: expect.stringContaining('a cell cannot be read') as string };
    expect(await troubleOf({ vCpus: { cores: 0 } }, { ...outputs, isIncomplete: true }, { creates })).toEqual(
      [
        expect.objectContaining({ ...unread, check: 'quota of clusters' }),
        expect.objectContaining({ ...unread, check: 'quota of vCPUs' }),
      ],
    );
  });

  it('finds those that are not deployed, with their nodes', () => {
    const text = `config:
  aks-workload-identity:location: westeurope
  aks-workload-identity:resourceGroup: rg
  aks-workload-identity:vault: { name: kv-dev }
  aks-workload-identity:clusters: [{ name: aks-1 }, { name: new, nodes: { count: 1, vmSize: Standard_E2s_v5 } }]
`;
    const { configuration } = check(text);
    if (configuration === undefined) throw new Error('it is not valid');
    const node = { count: 1, vmSize: 'Standard_E2s_v5' };
    expect(newClusters(configuration, outputs)).toEqual({ location: 'westeurope', nodes: [node] });
    expect(newClusters(configuration, undefined)?.nodes).toEqual([
      { count: 3, vmSize: 'Standard_D4ds_v5' },
      node,
    ]);
    const clusters = { ...outputs.clusters, new: outputs.clusters['aks-1'] as never };
    expect(newClusters(configuration, { ...outputs, clusters })).toBeUndefined();
  });
});

describe('the feature of identity bindings', () => {
  const ofFeature = (feature?: string, withBinding = true) =>
    troubleOf({ ...(feature && { feature }) }, outputs, { types: withBinding ? [...types, binding] : types });

  it('is not checked without bindings', async () => {
    expect(await ofFeature('NotRegistered', false)).toEqual([]);
  });

  it('is in order if it is registered', async () => {
    expect(await ofFeature('Registered')).toEqual([]);
  });

  it.each([
    ['NotRegistered', 'IdentityBindingPreview is NotRegistered, so Azure may refuse identity bindings'],
    [undefined, 'not checked: this cloud does not say anything about the feature IdentityBindingPreview'],
  ])('is a warning if it is %p', async (state, detail) => {
    expect(await ofFeature(state)).toMatchObject([
      { check: 'feature of identity bindings', state: 'warning', detail },
    ]);
  });
});

it.each([
  ['azure-native:operationalinsights:Workspace', 'Microsoft.OperationalInsights'],
  ['azure-native:network:PrivateEndpoint', 'Microsoft.Network'],
  ['azure-native:monitor:DiagnosticSetting', 'Microsoft.Insights'],
  ['kubernetes:cache.azure.com:Redis', 'Microsoft.Cache'],
])('a stack with %s needs the provider %s, and no other does', async (type, namespace) => {
  const of = { unregistered: [namespace] };
  expect(await troubleOf(of)).toEqual([]);
  expect(await troubleOf(of, outputs, { types: [...types, type] })).toMatchObject([
    { check: 'resource providers', detail: `${namespace} is NotRegistered` },
  ]);
});

describe('for a stack that is not deployed', () => {
  const examined = async (of: Azure) => subscriptionFindings('s', azure(of), { resourceGroup: 'rg', types });

  it('the rights are checked on its group', async () => {
    const [, rights] = await examined({ permissions: [contributor] });
    expect(rights).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('roleAssignments') as string,
    });
  });

  it('the rights are not checked as long as its resources are unknown', async () => {
    const findings = await subscriptionFindings('s', azure({}), { resourceGroup: 'rg', types: [] });
    expect(findings.map(({ check }) => check)).toEqual(['resource providers']);
  });

  it('a group that does not exist yet is a warning', async () => {
    const [, rights, ...others] = await examined({ permissions: undefined });
    expect(rights).toMatchObject({ state: 'warning', detail: expect.stringContaining('yet') as string });
    expect(others).toEqual([]);
  });
});

it('without a stack, only the providers of a usual one are checked', async () => {
  const findings = await subscriptionFindings('s', azure({}));
  expect(findings).toMatchObject([
    {
      check: 'resource providers',
      detail: 'Microsoft.ContainerService, Microsoft.KeyVault, Microsoft.ManagedIdentity',
    },
  ]);
});
