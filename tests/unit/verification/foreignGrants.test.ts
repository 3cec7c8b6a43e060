import { builtInRoles, mayAssignOnly } from '../../../stacks/offline';
import type { RoleAssignment } from '../../../verification/access';
import {
  account,
  assigned,
  central,
  cluster,
  group,
  operator,
  orders,
  strange,
  vaultId,
  GrantedStack,
} from './grants.fixture';
import { identity } from './outputs.fixture';

// What these do not prove: what Azure lists; the end-to-end tests have the local one.

it('the right of nodes to assign an identity is that of the stack until all that runs as it is revoked', async () => {
  const stack = new GrantedStack([assigned('nodes', 'managedIdentityOperator', orders.id)]);
  const given = (more: object) => {
    stack.outputs.workloads = stack.outputs.workloads.map((one) => ({ ...one, ...more }));
    return stack.failed();
  };

  expect(await given({ nodesPrincipalId: 'nodes' })).toEqual([]);
  expect(await given({ revoked: true })).toEqual([
    expect.stringContaining('nodes has the role managedIdentityOperator on '),
  ]);
});

describe('the right of what opens and closes access windows', () => {
  const secret = `${central}/secrets/warehouse`;
  const beside = identity('id-aks-1-g2');
  const condition = mayAssignOnly({
    roles: ['keyVaultSecretsUser'],
    principalIds: [orders.principalId, beside.principalId],
  });
  const right = { ...assigned(operator.principalId, 'rbacAdministrator', secret), condition };
  const withWindow = (...assignments: RoleAssignment[]) => {
    const stack = new GrantedStack(assignments);
    const window = { vault: 'kv-central', secret: 'warehouse', windows: [] };
    stack.outputs.workloads = stack.outputs.workloads.flatMap((one) =>
      one.identity.name === orders.name
        ? [orders, beside].map((generation) => ({ ...one, identity: generation, windows: [window] }))
        : [one],
    );
    stack.outputs.reconcilers = [{ cluster: 'aks-1', ...operator }];
    return stack;
  };

  it('is that of the stack, as is what it assigns to who has the window', async () => {
    const opened = assigned(orders.principalId, 'keyVaultSecretsUser', secret);
    expect(await withWindow(right, opened).failed()).toEqual([]);
    const inUpperCase = { ...right, condition: condition.toUpperCase() };
    expect(await withWindow(inUpperCase).failed()).toEqual([]);
  });

  it.each([
    ['without its condition', { ...right, condition: undefined }],
    [
      'with a condition that names fewer',
      {
        ...right,
        condition: mayAssignOnly({ roles: ['keyVaultSecretsUser'], principalIds: [orders.principalId] }),
      },
    ],
    [
      'with a condition for another role',
      {
        ...right,
        condition: mayAssignOnly({
          roles: ['keyVaultSecretsOfficer'],
          principalIds: [orders.principalId, beside.principalId],
        }),
      },
    ],
    ['on another secret', { ...right, scope: `${central}/secrets/orders-db` }],
    ['on the whole vault', { ...right, scope: central }],
    ['of an application', { ...right, principalId: orders.principalId }],
  ])('is not of the stack %s', async (_, other) => {
    expect(await withWindow(other).failed()).toEqual([
      expect.stringContaining('has the role rbacAdministrator on '),
    ]);
  });

  it('gives nothing where the application is revoked', async () => {
    const stack = withWindow(assigned(orders.principalId, 'keyVaultSecretsUser', secret));
    for (const one of stack.outputs.workloads) one.revoked = true;
    expect(await stack.failed()).toHaveLength(1);
  });

  it('gives nothing any more where the window was removed while it was open', async () => {
    const left = assigned(orders.principalId, 'keyVaultSecretsUser', secret);
    expect(await new GrantedStack([left]).failed()).toEqual([
      expect.stringContaining(
        `which this stack did not assign; remove it: az role assignment delete --ids ${left.id}`,
      ),
    ]);
  });
});

describe('grants of others', () => {
  it('are none where there is only what the stack assigns', async () => {
    const stack = new GrantedStack([
      // Taken over by an import, with the name that it had.
      strange(orders.principalId, 'keyVaultSecretsUser', `${central}/secrets/orders-db`),
      strange(operator.principalId, 'reader', operator.id),
      assigned(operator.principalId, 'storageAccountContributor', `${group}-services`),
      assigned('existing-operator', 'storageAccountContributor', `${group.toUpperCase()}-services`),
      assigned(
        orders.principalId,
        'storageBlobDataContributor',
        account.replace('resourceGroups', 'resourcegroups'),
      ),
      // Of others, elsewhere or above.
      strange('somebody', 'contributor', '/subscriptions/s'),
      strange('somebody', 'contributor', `${group}-2`),
      strange('somebody', 'contributor', cluster('aks-10')),
      // In a resource group of the stack, which is not all of the stack.
      strange('somebody', 'contributor', `${group}/providers/Microsoft.OperationalInsights/workspaces/log`),
      strange('somebody', 'keyVaultSecretsUser', vaultId('kv-central-2')),
    ]);
    stack.policies = [{ objectId: 'principal-id-aks-2-reports', permissions: ['secrets get'] }];

    expect(await stack.check()).toMatchObject({
      checks: [
        ...['-/kv-central', '-/kv-reports', 'aks-1/id-aks-1', 'aks-1/id-aks-1-aso'],
        ...['-/rg', '-/rg-services', '-/aks-1', '-/aks-2'],
      ].map((place) => {
        const [cluster, application] = place.split('/');
        const check = 'has only the grants of the stack';
        return { cluster, application, check, ok: true, detail: 'no others' };
      }),
      unlisted: [],
    });
  });

  it('are all that the identity of an operator has that is revoked, and trusts nobody', async () => {
    const stack = new GrantedStack([assigned(operator.principalId, 'reader', operator.id)]);
    for (const identity of stack.outputs.identities) identity.trusts = [];

    const { checks } = await stack.check();
    expect(checks.filter(({ ok }) => !ok).map(({ application }) => application)).toEqual(['id-aks-1-aso']);
  });

  it.each([
    ['on a vault', 'somebody', 'reader', central, '-/kv-central'],
    ['on a secret', 'somebody', 'keyVaultSecretsUser', `${central}/secrets/orders-db`, '-/kv-central'],
    [
      'on a secret, of an own identity',
      orders.principalId,
      'keyVaultSecretsUser',
      `${central}/secrets/billing-db`,
      '-/kv-central',
    ],
    [
      'on a granted secret, with more rights',
      orders.principalId,
      'keyVaultSecretsOfficer',
      `${central}/secrets/orders-db`,
      '-/kv-central',
    ],
    ['on an identity', 'somebody', 'contributor', orders.id, 'aks-1/id-aks-1'],
    ['on a resource group', 'somebody', 'keyVaultSecretsUser', group, '-/rg'],
    [
      'on a resource group, in another case',
      'somebody',
      'contributor',
      group.replace('resourceGroups', 'resourcegroups'),
      '-/rg',
    ],
    ['on a resource group of services', 'somebody', 'contributor', `${group}-services`, '-/rg-services'],
    ['of who provisions elsewhere', 'existing-operator', 'contributor', group, '-/rg'],
    ['on a cluster', 'somebody', 'aksClusterAdmin', cluster('aks-1'), '-/aks-1'],
    [
      'on a namespace of a cluster',
      'somebody',
      'contributor',
      `${cluster('aks-2')}/namespaces/orders`,
      '-/aks-2',
    ],
    ['of an identity, on a resource group', operator.principalId, 'contributor', group, 'aks-1/id-aks-1-aso'],
    ['of an identity, above', operator.principalId, 'contributor', '/subscriptions/s', 'aks-1/id-aks-1-aso'],
    [
      "of an application's identity on a group",
      orders.principalId,
      'contributor',
      `${group}-services`,
      'aks-1/id-aks-1',
    ],
    [
      'of an identity, elsewhere',
      orders.principalId,
      'storageBlobDataContributor',
      `${account}2`,
      'aks-1/id-aks-1',
    ],
  ] as const)(
    'are found whatever their name, with the command that removes it: %s',
    async (_, principal, role, scope, place) => {
      const one = assigned(principal, role, scope);

      expect(await new GrantedStack([one]).failed()).toEqual([
        `${place}: ${principal} has the role ${role} on ${scope}, which this stack did not assign; remove it: az role assignment delete --ids ${one.id}`,
      ]);
    },
  );

  it('are found by their names on services and their groups', async () => {
    const failed = await new GrantedStack([
      strange(operator.principalId, 'contributor', `${group}-services`),
      strange(orders.principalId, 'storageBlobDataContributor', account),
      strange('existing-operator', 'storageAccountContributor', `${group}-services`),
      // The name of another role.
      {
        ...assigned(orders.principalId, 'storageQueueDataContributor', account),
        role: builtInRoles.contributor,
      },
    ]).failed();

    expect(failed).toEqual([
      expect.stringMatching(
        /aks-1\/id-aks-1: .* storageBlobDataContributor on .*; .* contributor on /,
      ) as unknown,
      expect.stringMatching(/aks-1\/id-aks-1-aso: .* contributor on /) as unknown,
      expect.stringMatching(/-\/rg-services: existing-operator has the role /) as unknown,
    ]);
  });

  it('are found among access policies, also more permissions of an identity that has one', async () => {
    const stack = new GrantedStack();
    const own = 'principal-id-aks-2-reports';
    stack.policies = [
      { objectId: 'somebody', permissions: ['secrets get', 'secrets list'] },
      { objectId: own, permissions: ['secrets get', 'secrets set'] },
    ];
    const remove = 'az keyvault delete-policy --subscription s --name kv-reports --object-id';
    const text = 'that this stack did not make; remove it:';

    expect(await stack.failed()).toEqual([
      `-/kv-reports: somebody has an access policy (secrets get, secrets list) ${text} ${remove} somebody; ${own} has an access policy (secrets get, secrets set) ${text} ${remove} ${own}`,
    ]);
  });

  describe('of groups', () => {
    const withGroup = (assignments: RoleAssignment[], vault = 'kv-central', secret = 'by-group') => {
      const stack = new GrantedStack(assignments);
      stack.outputs.groups = [
        {
          ...{ name: 'readers', displayName: 'sg-test-readers', objectId: 'group-id', isMade: true },
          ...{ grants: [{ vault, secret }], members: [] },
        },
      ];
      stack.outputs.workloads[0]?.grants.push({ vault, secret, group: 'readers' });
      return stack;
    };
    const secret = `${central}/secrets/by-group`;

    it('are those that the stack assigns, and no others', async () => {
      expect(await withGroup([assigned('group-id', 'keyVaultSecretsUser', secret)]).failed()).toEqual([]);
      expect(
        await withGroup([
          assigned('group-id', 'keyVaultSecretsUser', `${central}/secrets/billing-db`),
          assigned('group-id', 'contributor', '/subscriptions/s'),
        ]).failed(),
      ).toEqual([
        expect.stringMatching(/^-\/kv-central: group-id has the role keyVaultSecretsUser on /) as unknown,
        expect.stringMatching(/^-\/readers: group-id has the role contributor on /) as unknown,
      ]);
    });

    it('do not allow a grant to a member itself', async () => {
      expect(
        await withGroup([assigned(orders.principalId, 'keyVaultSecretsUser', secret)]).failed(),
      ).toHaveLength(1);
    });

    it('may be access policies, which their members have not', async () => {
      const stack = withGroup([], 'kv-reports', 'reports-key');
      stack.policies = [
        { objectId: 'group-id', permissions: ['secrets get'] },
        { objectId: orders.principalId, permissions: ['secrets get'] },
      ];
      expect(await stack.failed()).toEqual([
        expect.stringMatching(
          new RegExp(`^-/kv-reports: ${orders.principalId} has an access policy`),
        ) as unknown,
      ]);
    });
  });

  it('are not looked for in vaults that the stack did not make', async () => {
    const stack = new GrantedStack([strange('somebody', 'reader', central)]);
    stack.tags = { 'pulumi-stack': 'aks-workload-identity/another' };
    stack.policies = [{ objectId: 'somebody', permissions: ['secrets get'] }];

    const { checks } = await stack.check();

    expect(checks.filter(({ application }) => application.startsWith('kv-'))).toEqual([]);
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(checks).toHaveLength(6);
  });

  it('are not looked for on resource groups and clusters that the stack did not make', async () => {
    const stack = new GrantedStack([
      strange('somebody', 'contributor', group),
      strange('somebody', 'aksClusterAdmin', cluster('aks-1')),
    ]);
    stack.outputs.resourceGroups = [];
    for (const one of Object.values(stack.outputs.clusters)) one.mode = 'existing';

    const { checks } = await stack.check();

    expect(checks.map(({ application, ok }) => [application, ok])).toEqual([
      ['kv-central', true],
      ['kv-reports', true],
      ['id-aks-1', true],
      ['id-aks-1-aso', true],
    ]);
  });

  it('are looked for in the group where the subscription is closed', async () => {
    const stack = new GrantedStack([
      strange('somebody', 'reader', central),
      strange('somebody', 'contributor', group),
    ]);
    stack.closed.add('/subscriptions/s');

    const { checks, unlisted } = await stack.check();

    expect(checks.filter(({ ok }) => !ok).map(({ application }) => application)).toEqual([
      'kv-central',
      'rg',
    ]);
    expect(checks.map(({ application }) => application)).not.toContain('rg-services');
    expect(unlisted).toEqual([{ name: 'subscription s', reason: '403' }]);
  });

  it('are not looked for by identities whose object ids cannot be listed', async () => {
    const stack = new GrantedStack([assigned(operator.principalId, 'reader', operator.id)]);
    stack.closed.add(`${group}/identities`);

    const { checks, unlisted } = await stack.check();

    expect(checks.map(({ application }) => application)).toEqual([
      ...['kv-central', 'kv-reports', 'rg', 'rg-services', 'aks-1', 'aks-2'],
    ]);
    expect(unlisted).toEqual([{ name: 'the identities', reason: '403' }]);
  });

  it('are a note where they cannot be listed, and no check that passes', async () => {
    const stack = new GrantedStack([strange('somebody', 'reader', central)]);
    stack.policies = [{ objectId: 'somebody', permissions: ['secrets get'] }];
    stack.closed.add('/subscriptions/s').add(group);
    const found = async () => {
      const { checks, unlisted } = await stack.check();
      expect(checks.map(({ application, ok }) => [application, ok])).toEqual([['kv-reports', false]]);
      return unlisted.map(({ name }) => name).sort();
    };

    expect(await found()).toEqual(['resource group rg', 'subscription s']);
    stack.closed.add(`${group}/identities`).add(central);
    expect(await found()).toEqual([
      'resource group rg',
      'subscription s',
      'the identities',
      'vault kv-central',
    ]);
  });
});
