import { subscriptionFindings, type SubscriptionAccess } from '../../../cli/doctor/subscription';
import { twoClusters } from '../verification/outputs.fixture';

// What fakes do not prove: what Azure answers; tests/e2e/doctor.test.ts asks the local cloud.

const needed = ['Microsoft.ManagedIdentity', 'Microsoft.KeyVault', 'Microsoft.ContainerService'];
const identities = ['id-1', 'id-2'].map((name) => ({
  ...{ cluster: 'aks-1', name, id: `/subscriptions/s/resourceGroups/rg/providers/x/${name}`, trusts: [] },
}));
const outputs = { ...twoClusters(), identities };

interface Azure {
  /** Providers that are not registered. */
  readonly unregistered?: readonly string[];
  /** Roles of the account; undefined if the group does not exist. */
  readonly permissions?: readonly object[] | undefined;
  readonly assignments?: number;
  readonly credentials?: number;
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
            : { value: [...needed, 'Microsoft.OperationalInsights', 'Microsoft.Cache'].map(provider) },
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

const troubleOf = async (of: Azure, stack = outputs) =>
  (await subscriptionFindings('s', azure(of), { resourceGroup: 'rg', outputs: stack })).filter(
    ({ state }) => state !== 'ok',
  );

it('in order, it has no finding but ok', async () => {
  expect(await troubleOf({})).toEqual([]);
});

const contributor = { actions: ['*'], notActions: ['Microsoft.Authorization/*/Write'] };
it.each<[string, Azure, object]>([
  [
    'a provider that is not registered',
    { unregistered: ['Microsoft.KeyVault'] },
    {
      check: 'resource providers',
      state: 'failed',
      detail: 'Microsoft.KeyVault is NotRegistered',
      hint: '`az provider register --namespace Microsoft.KeyVault`',
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
    'a full quota of role assignments',
    { assignments: 4000 },
    { check: 'quota of role assignments', state: 'failed', detail: '4000 of 4000 in the subscription' },
  ],
  [
    'one that is nearly full',
    { assignments: 3600 },
    { check: 'quota of role assignments', state: 'warning' },
  ],
  [
    'a full identity',
    { credentials: 20 },
    {
      check: 'quota of federated credentials',
      state: 'failed',
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

it('a vault with access policies needs no right to assign roles', async () => {
  const vaults = Object.fromEntries(
    Object.entries(outputs.vaults).map(([name, vault]) => [
      name,
      { ...vault, access: 'accessPolicy' as const },
    ]),
  );
  expect(await troubleOf({ permissions: [contributor] }, { ...outputs, vaults })).toEqual([]);
});

it.each([
  ['a workspace', { logWorkspace: '/w' }, 'Microsoft.OperationalInsights'],
  ['a service', { dependencies: [{ kind: 'redis' } as never] }, 'Microsoft.Cache'],
])('with %s, its provider is needed', async (_, more, namespace) => {
  const of = { unregistered: [namespace] };
  expect(await troubleOf(of)).toEqual([]);
  expect((await troubleOf(of, { ...outputs, ...more }))[0]?.detail).toBe(`${namespace} is NotRegistered`);
});

describe('for a stack that is not deployed', () => {
  const examined = async (of: Azure) => subscriptionFindings('s', azure(of), { resourceGroup: 'rg' });

  it('the rights are checked on its group', async () => {
    const [, rights] = await examined({ permissions: [contributor] });
    expect(rights).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('roleAssignments') as string,
    });
  });

  it('a group that does not exist yet is a warning', async () => {
    const [, rights, ...others] = await examined({ permissions: undefined });
    expect(rights).toMatchObject({ state: 'warning', detail: expect.stringContaining('yet') as string });
    expect(others).toEqual([]);
  });
});

it('without a stack, only the providers are checked', async () => {
  const findings = await subscriptionFindings('s', azure({}));
  expect(findings.map(({ check }) => check)).toEqual(['resource providers']);
});
