import { assignedIn } from '../../../stacks/access/assigned';
import { accessDifference } from '../../../stacks/access/difference';
import { readable } from '../../../stacks/access/readable';
import { onlySecrets } from '../../../components/vault/nameCondition';
import type { Access } from '../../../stacks/access/reach';
import { accessOf } from '../../../stacks/access/reach';
import type { AccessRow } from '../../../stacks/access/rows';
import { rowsOf } from '../../../stacks/access/rows';
import { registeredBy, settledAccess } from './settledAccess';
import type { Input } from './settings';
import { application, configurationOf, input, validInput } from './settings';

// Who can use what, of single settings. Reports of changes are in tests/engine/accessChanges.

const settled = (changes: Input): Promise<Access> => settledAccess(configurationOf(validInput(changes)));
const single = (...applications: unknown[]): Input => ({
  ...input(applications),
  clusters: [{ name: 'aks-1' }],
  certManager: { install: false },
  serviceOperator: { install: false },
});
const scope =
  '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/st';
const line = ({ cluster, reader, what, because, overreach }: AccessRow): string =>
  `${cluster}/${reader} ${what.join(', ')}: ${because}${overreach > 0 ? ` (overreach ${overreach})` : ''}`;
const lines = async (changes: Input): Promise<string[]> => rowsOf(await settled(changes)).map(line);

describe('who can use what', () => {
  it('is every secret that is granted, by service accounts, identity and vault', async () => {
    const access = await settled(
      single(application('orders', { secrets: ['orders-db'], serviceAccounts: ['batch'] })),
    );
    expect(rowsOf(access)).toEqual([
      {
        ...{ cluster: 'aks-1', reader: 'orders', what: ['kv-test/orders-db'], identity: 'id-test-aks-1' },
        ...{ subjects: ['orders/batch', 'orders/orders'], because: 'granted', overreach: 0 },
      },
    ]);
    expect(access.counts).toEqual({ trusts: 2, grants: 1, groups: 0, readers: 1 });
  });

  it('is anyone with the stored credential, where the application signs in with one', async () => {
    const identity = { servicePrincipal: { credential: 'certificate' } };
    expect(
      rowsOf(await settled(single(application('orders', { secrets: ['orders-db'], identity })))),
    ).toMatchObject([
      { subjects: ['stored credential of id-test-aks-1-orders'], what: ['kv-test/orders-db'] },
    ]);
  });

  it.each([
    ['podIdentity', ['pods of orders labelled aadpodidbinding: orders']],
    ['both', ['orders/orders', 'pods of orders labelled aadpodidbinding: orders']],
  ])('is every pod with the label, where it signs in with %s', async (signIn, subjects) => {
    const access = await settled({
      ...single(application('orders', { secrets: ['orders-db'], signIn, delivery: 'application' })),
      clusters: [{ name: 'aks-1', podIdentity: { unsupportedKubernetes: true } }],
    });
    const rows = rowsOf(access).filter(({ reader }) => reader === 'orders');
    expect(rows.map((row) => row.subjects)).toEqual([subjects]);
  });

  it('is every service account that an identity binding names, on each cluster of a shared identity', async () => {
    const id =
      '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg-there/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-orders';
    const orders = { identity: { existing: id }, trust: 'identityBinding', secrets: ['orders-db'] };
    const access = await settled({
      ...single(application('orders', { ...orders, serviceAccounts: ['batch'] })),
      clusters: [{ name: 'aks-1' }, { name: 'aks-2' }],
    });
    const rows = rowsOf(access).filter(
      ({ reader, what }) => reader === 'orders' && what[0] === 'kv-test/orders-db',
    );
    expect(rows).toMatchObject([
      { cluster: 'aks-1', subjects: ['orders/batch', 'orders/orders'], identity: 'id-orders', overreach: 0 },
      { cluster: 'aks-2', subjects: ['orders/batch', 'orders/orders'], identity: 'id-orders', overreach: 0 },
    ]);
  });

  it('is overreach where applications share an identity, and not where each has its own', async () => {
    const both = (identity: string) =>
      single(
        application('a', { secrets: ['s-a'], identity }),
        application('b', { secrets: ['s-b'], identity }),
      );
    expect(await lines(both('cluster'))).toEqual([
      'aks-1/a kv-test/s-a: granted',
      'aks-1/a kv-test/s-b: identity id-test-aks-1 is shared with b (overreach 1)',
      'aks-1/b kv-test/s-b: granted',
      'aks-1/b kv-test/s-a: identity id-test-aks-1 is shared with a (overreach 1)',
    ]);
    expect(await lines(both('application'))).toEqual([
      'aks-1/a kv-test/s-a: granted',
      'aks-1/b kv-test/s-b: granted',
    ]);
  });

  it('is overreach where an access policy covers a vault that others read', async () => {
    const all = await lines({
      ...single(
        application('a', { secrets: ['s-a'], identity: 'application' }),
        application('b', { secrets: ['s-b'], identity: 'application' }),
      ),
      vault: { name: 'kv-test', access: 'accessPolicy', overreach: 'accepted' },
    });
    expect(all).toContain('aks-1/a kv-test/s-b: an access policy, which opens the whole vault (overreach 1)');
    expect(all).toContain(
      'aks-1/a every secret of kv-test, kv-test/s-a: an access policy, which opens the whole vault',
    );
  });

  it('has the access through groups, all generations of an identity, times, and nothing revoked', async () => {
    const night = { secrets: ['s'], from: '00:00', to: '01:00', timeZone: 'Europe/Berlin' };
    const accessWindows = [
      { ...night, days: ['Monday'] },
      { secrets: ['s'], onDemand: '4h' },
    ];
    const applications = [
      application('a', { identity: 'application', groups: ['auditors'], identityGenerations: [1, 2] }),
      application('b', { secrets: ['s-b'], identity: 'application' }),
      application('c', { identity: 'application', accessWindows }),
    ];
    const rows = rowsOf(
      await settled({
        ...single(...applications),
        groups: [{ name: 'auditors', secrets: ['log-key'] }],
        revoked: { applications: { b: 'INC-1' } },
      }),
    ).filter(({ reader }) => reader.length === 1);
    expect(rows.map(line)).toEqual([
      'aks-1/a kv-test/log-key: member of group sg-test-auditors',
      'aks-1/a kv-test/log-key: member of group sg-test-auditors',
      'aks-1/c kv-test/s: granted on Monday 00:00 to 01:00 Europe/Berlin; on demand for up to 4h',
    ]);
    expect(rows.map(({ identity }) => identity).slice(0, 2)).toEqual([
      'id-test-aks-1-a',
      'id-test-aks-1-a-g2',
    ]);
  });

  it('has roles, both for applications that name them and for others that share the identity', async () => {
    const roles = [{ role: 'Storage Blob Data Reader', scope }];
    const named = 'Storage Blob Data Reader on storageAccounts/st in rg';
    expect(await lines(single(application('a', { roles }), application('b')))).toEqual([
      `aks-1/a ${named}: granted`,
      `aks-1/b ${named}: identity id-test-aks-1 is shared with a (overreach 1)`,
    ]);
  });

  it.each([
    ['x on /subscriptions/{subscription}', 'x on the subscription'],
    ['x on /subscriptions/s', 'x on the subscription s'],
    ['x on /subscriptions/{subscription}/resourceGroups/rg', 'x on resource group rg'],
    ['x on /subscriptions/s/resourceGroups/rg', 'x on resource group rg of s'],
    [
      `x on ${scope.replace('22222222-2222-4222-8222-222222222222', '{subscription}')}`,
      'x on storageAccounts/st in rg',
    ],
    [
      'x on /providers/Microsoft.Management/managementGroups/m',
      'x on /providers/Microsoft.Management/managementGroups/m',
    ],
    ['kv/secret', 'kv/secret'],
  ])('says %s in a few words', (text, short) => expect(readable(text)).toBe(short));
});

it('the roles that a stack assigned are in its state, by any version of the API', () => {
  const roleDefinitionId = '/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/GUID';
  const inputs = { scope: '/subscriptions/s', roleDefinitionId, principalId: 'p', condition: 'c' };
  const urnOf = (type: string) => `urn:pulumi:dev::p::a:b:C$${type}::x`;
  const types = ['azure-native:authorization/v20220401:RoleAssignment', 'azure-native:keyvault:Vault'];
  const resources = types.map((type) => ({ urn: urnOf(type), inputs, outputs: {} }));

  expect(assignedIn({ resources, outputs: {} })).toEqual([
    { scope: '/subscriptions/s', role: 'guid', principalId: 'p', isGrant: false },
  ]);
});

it('the roles of applications and groups are among those that a stack assigned, as grants', async () => {
  const roles = [{ role: 'Storage Blob Data Reader', scope }];
  const settings = single(application('a', { secrets: ['a-db'], identity: 'application', roles }));
  const assigned = assignedIn(await registeredBy(configurationOf(validInput(settings))));
  const grants = assigned.filter(({ isGrant }) => isGrant);
  expect(grants.map((grant) => grant.scope.split('/').at(-1)).sort()).toEqual(['a-db', 'st']);
});

describe('the difference in who can use what', () => {
  it('is none where roles on the vault have conditions that name the same secrets', async () => {
    const settings = {
      ...single(application('a', { secrets: ['a-db', 'shared'], groups: ['readers'] })),
      groups: [{ name: 'readers', secrets: ['payment'] }],
    };
    const byCondition = { ...settings, vault: { name: 'kv-test', grants: 'condition' } };
    const [before, after] = [await settled(settings), await settled(byCondition)];
    expect(rowsOf(after)).toEqual(rowsOf(before));
    expect(accessDifference(before, after)).toMatchObject({ changes: [], counts: { after: before.counts } });
  });

  it('is the access of a further service account of an identity binding, and the trusted tokens', async () => {
    const orders = (more: Input) =>
      settled(single(application('orders', { secrets: ['orders-db'], identity: 'application', ...more })));
    const trust = 'identityBinding';
    const reported = (was: Access, is: Access) =>
      accessDifference(was, is).changes.map(({ kind, who, why }) => `${kind} ${who.join()}: ${why}`);
    const bound = await orders({ trust });
    expect(reported(bound, await orders({ trust }))).toEqual([]);
    expect(reported(bound, await orders({ trust, serviceAccounts: ['batch'] }))).toEqual([
      'gained aks-1/orders/batch: granted',
    ]);
    expect(reported(await orders({}), bound)).toEqual([
      expect.stringMatching(
        /^gained aks-1\/orders\/orders: granted; tokens of .* for api:\/\/AzureADTokenExchange → tokens of cluster aks-1 for api:\/\/AKSIdentityBinding$/,
      ),
      expect.stringMatching(/^lost aks-1\/orders\/orders: granted/),
    ]);
  });

  it('is a subject unknown to the stack for a binding without a role, and everyone for a role for all', () => {
    const urnOf = (type: string, name: string) => `urn:pulumi:test::p::${type}::${name}`;
    const identity = `${scope}/id-a`;
    const ofIdentity = {
      urn: urnOf('azure-native:managedidentity:UserAssignedIdentity', 'a'),
      ...{
        id: identity,
        inputs: { resourceName: 'id-a' },
        outputs: { principalId: 'p', clientId: 'client-a' },
      },
    };
    const policy = {
      urn: urnOf('azure-native:keyvault:AccessPolicy', 'a'),
      ...{
        outputs: {},
        inputs: { vaultName: 'kv', policy: { objectId: 'p', permissions: { secrets: ['get'] } } },
      },
    };
    const binding = {
      urn: urnOf('azure-native:containerservice:IdentityBinding', 'a'),
      ...{
        outputs: {},
        inputs: { resourceName: 'aks-1', properties: { managedIdentity: { resourceId: identity } } },
      },
    };
    const role = {
      urn: urnOf('kubernetes:rbac.authorization.k8s.io/v1:ClusterRole', 'all'),
      ...{ outputs: {} },
      inputs: {
        metadata: { name: 'all' },
        rules: [{ apiGroups: ['cid.wi.aks.azure.com'], resources: ['*'], verbs: ['use-managed-identity'] }],
      },
    };
    const registered = (...more: object[]) =>
      accessOf({ resources: [ofIdentity, policy, ...more] as never, outputs: {} }, 'test');
    const reported = (...more: object[]) =>
      accessDifference(registered(), registered(...more)).changes.map(
        ({ kind, who, why }) => `${kind} ${who.join()}: ${why}`,
      );
    expect(reported(binding)).toEqual([
      expect.stringMatching(/^not judged aks-1\/service accounts that others let use id-a: .*who that is/),
    ]);
    expect(reported(role)).toEqual([expect.stringMatching(/^not judged ClusterRole all: /)]);
  });

  it('is each secret that a condition names more or less, and a condition that is not understood', () => {
    const registered = (condition: string | undefined) => {
      const kv = `${scope.replace(/\/[^/]+\/[^/]+\/[^/]+$/, '')}/Microsoft.KeyVault/vaults/kv`;
      const urnOf = (type: string) => `urn:pulumi:test::p::${type}::x`;
      const roleDefinitionId = `/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/4633458b-17de-408a-b874-0445c86b69e6`;
      const resources = [
        {
          ...{
            urn: urnOf('azure-native:managedidentity:UserAssignedIdentity'),
            outputs: { principalId: 'p' },
          },
          ...{ id: `${scope}/identity`, inputs: { resourceName: 'id-a', resourceGroupName: 'rg' } },
        },
        {
          ...{ urn: urnOf('azure-native:managedidentity:FederatedIdentityCredential'), outputs: {} },
          id: `${scope}/identity/federatedIdentityCredentials/c`,
          inputs: { issuer: 'https://issuer/', subject: 'system:serviceaccount:a:a', audiences: ['x'] },
        },
        {
          ...{ urn: urnOf('azure-native:authorization:RoleAssignment'), outputs: {} },
          inputs: { scope: kv, roleDefinitionId, principalId: 'p', condition },
        },
        {
          ...{ urn: urnOf('azure-native:keyvault:Vault'), outputs: {} },
          ...{ id: kv, inputs: { vaultName: 'kv' } },
        },
        ...['a', 'b'].map((secretName) => ({
          ...{ urn: urnOf('azure-native:keyvault:Secret'), outputs: {} },
          inputs: { vaultName: 'kv', secretName },
        })),
      ];
      return accessOf({ resources, outputs: {} }, 'test');
    };
    const reported = (was: string | undefined, is: string | undefined) =>
      accessDifference(registered(was), registered(is)).changes.map(
        ({ kind, what, why }) => `${kind} ${what.join()}: ${why.slice(0, 60)}`,
      );
    const names = onlySecrets(['a', 'b']);
    expect(reported(names, onlySecrets(['b', 'c']))).toEqual(['gained kv/c: granted', 'lost kv/a: granted']);
    const whole = 'Key Vault Secrets User on';
    expect(reported(names, undefined)).toEqual([expect.stringContaining(`gained ${whole}`)]);
    const like = names.replaceAll('StringEquals', 'StringLike');
    expect(reported(names, like)).toContainEqual(
      expect.stringMatching(`^gained ${whole}.*under the condition`),
    );
    expect(reported(like, `${like} OR ${like}`)).toEqual([expect.stringContaining('not judged kv/a,kv/b')]);
  });

  it('shows one row of many that change alike, and how much was compared', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const with_ = (secrets: string[]) =>
      single(
        ...names.map((name) =>
          application(name, { secrets: [`${name}-db`, ...secrets], identity: 'application' }),
        ),
      );
    const { changes, counts } = accessDifference(await settled(with_([])), await settled(with_(['shared'])));
    expect(changes).toEqual([
      {
        ...{ kind: 'gained', who: names.map((name) => `aks-1/${name}/${name}`), what: ['kv-test/shared'] },
        ...{ identities: names.map((name) => `id-test-aks-1-${name}`), why: 'granted' },
      },
    ]);
    expect(counts).toEqual({
      before: { trusts: 5, grants: 5, groups: 0, readers: 5 },
      after: { trusts: 5, grants: 10, groups: 0, readers: 5 },
    });
  });
});
