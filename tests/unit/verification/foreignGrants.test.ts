import { builtInRoles, mayAssignOnly, roleAssignmentName } from '../../../stacks/offline';
import type { AccessPolicy, RoleAssignment } from '../../../verification/access';
import { checkGrants } from '../../../verification/foreignGrants';
import { identity, twoClusters } from './outputs.fixture';

// What these do not prove: what Azure lists; the end-to-end tests have the local one.

type Role = keyof typeof builtInRoles;

const atOnce = <T>(run: () => Promise<T>): Promise<T> => run();
const group = '/subscriptions/s/resourceGroups/rg';
const vaultId = (name: string) => `${group}/providers/Microsoft.KeyVault/vaults/${name}`;
const central = vaultId('kv-central');
const account = `${group}-services/providers/Microsoft.Storage/storageAccounts/stfiles`;
const orders = identity('id-aks-1');
const operator = identity('id-aks-1-aso');

/** A role assignment with the name that the stack gives it. */
const assigned = (principalId: string, role: Role, scope: string): RoleAssignment => {
  const name = roleAssignmentName(scope, principalId, role);
  return { id: `${scope}/assignments/${role}`, name, scope, role: builtInRoles[role], principalId };
};
/** A role assignment with a name that somebody else gave it. */
const strange = (...args: Parameters<typeof assigned>) => ({ ...assigned(...args), name: 'random' });

/** A stack that made its vaults and two identities, and what Azure lists of it. */
class Stack {
  readonly outputs = twoClusters();
  tags: Record<string, string> = { 'pulumi-stack': 'aks-workload-identity/test' };
  policies: AccessPolicy[] = [];
  /** Scopes at which nothing may be listed. */
  readonly closed = new Set<string>();

  constructor(private readonly assignments: RoleAssignment[] = []) {
    for (const [name, vault] of Object.entries(this.outputs.vaults)) vault.id = vaultId(name);
    this.outputs.identities = [orders, operator].map(({ name, id }) => ({
      ...{ cluster: 'aks-1', name, id },
      trusts: [{ issuer: 'https://issuer.example/', subject: name, audience: 'a' }],
    }));
    this.outputs.dependencies = [
      { application: 'orders', name: 'files', kind: 'storageAccount', azureName: 'stfiles' },
    ].map((one) => ({ ...one, resourceId: account, managedBy: 'aks-1', connection: 'identity' }));
  }

  check() {
    const principals = [orders, operator].map(
      ({ id, principalId }) => [id.toLowerCase(), principalId] as const,
    );
    const open = <T>(scope: string, found: T) =>
      this.closed.has(scope) ? Promise.reject(new Error('403')) : Promise.resolve(found);
    return checkGrants(
      this.outputs,
      {
        listAssignments: (scope) => open(scope, this.assignments),
        listPrincipals: (scope) => open(`${scope}/identities`, new Map(principals)),
        readVault: (id) =>
          open(id, { tags: this.tags, policies: id === vaultId('kv-reports') ? this.policies : [] }),
      },
      atOnce,
    );
  }

  async failed(): Promise<string[]> {
    const { checks } = await this.check();
    return checks
      .filter(({ ok }) => !ok)
      .map(({ cluster, application, detail }) => `${cluster}/${application}: ${detail}`);
  }
}

it('the right of nodes to assign an identity is that of the stack until all that runs as it is revoked', async () => {
  const stack = new Stack([assigned('nodes', 'managedIdentityOperator', orders.id)]);
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
    const stack = new Stack(assignments);
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
    expect(await new Stack([left]).failed()).toEqual([
      expect.stringContaining(
        `which this stack did not assign; remove it: az role assignment delete --ids ${left.id}`,
      ),
    ]);
  });
});

describe('grants of others', () => {
  it('are none where there is only what the stack assigns', async () => {
    const stack = new Stack([
      // Taken over by an import, with the name that it had.
      strange(orders.principalId, 'keyVaultSecretsUser', `${central}/secrets/orders-db`),
      strange(operator.principalId, 'reader', operator.id),
      assigned(operator.principalId, 'storageAccountContributor', `${group}-services`),
      assigned(
        orders.principalId,
        'storageBlobDataContributor',
        account.replace('resourceGroups', 'resourcegroups'),
      ),
      // Of others, elsewhere or above.
      strange('somebody', 'contributor', '/subscriptions/s'),
      strange('somebody', 'contributor', group),
      strange('somebody', 'keyVaultSecretsUser', vaultId('kv-central-2')),
    ]);
    stack.policies = [{ objectId: 'principal-id-aks-2-reports', permissions: ['secrets get'] }];

    expect(await stack.check()).toMatchObject({
      checks: ['-/kv-central', '-/kv-reports', 'aks-1/id-aks-1', 'aks-1/id-aks-1-aso'].map((place) => {
        const [cluster, application] = place.split('/');
        const check = 'has only the grants of the stack';
        return { cluster, application, check, ok: true, detail: 'no others' };
      }),
      unlisted: [],
    });
  });

  it('are all that the identity of an operator has that is revoked, and trusts nobody', async () => {
    const stack = new Stack([assigned(operator.principalId, 'reader', operator.id)]);
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

      expect(await new Stack([one]).failed()).toEqual([
        `${place}: ${principal} has the role ${role} on ${scope}, which this stack did not assign; remove it: az role assignment delete --ids ${one.id}`,
      ]);
    },
  );

  it('are found by their names on services and their groups', async () => {
    const failed = await new Stack([
      strange(operator.principalId, 'contributor', `${group}-services`),
      strange(orders.principalId, 'storageBlobDataContributor', account),
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
    ]);
  });

  it('are found among access policies, also more permissions of an identity that has one', async () => {
    const stack = new Stack();
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
      const stack = new Stack(assignments);
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
    const stack = new Stack([strange('somebody', 'reader', central)]);
    stack.tags = { 'pulumi-stack': 'aks-workload-identity/another' };
    stack.policies = [{ objectId: 'somebody', permissions: ['secrets get'] }];

    const { checks } = await stack.check();

    expect(checks.map(({ application, ok }) => [application, ok])).toEqual([
      ['id-aks-1', true],
      ['id-aks-1-aso', true],
    ]);
  });

  it('are looked for in the group where the subscription is closed', async () => {
    const stack = new Stack([strange('somebody', 'reader', central)]);
    stack.closed.add('/subscriptions/s');

    const { checks, unlisted } = await stack.check();

    expect(checks.filter(({ ok }) => !ok)).toHaveLength(1);
    expect(unlisted).toEqual([{ name: 'subscription s', reason: '403' }]);
  });

  it('are not looked for by identities whose object ids cannot be listed', async () => {
    const stack = new Stack([assigned(operator.principalId, 'reader', operator.id)]);
    stack.closed.add(`${group}/identities`);

    const { checks, unlisted } = await stack.check();

    expect(checks.map(({ application }) => application)).toEqual(['kv-central', 'kv-reports']);
    expect(unlisted).toEqual([{ name: 'the identities', reason: '403' }]);
  });

  it('are a note where they cannot be listed, and no check that passes', async () => {
    const stack = new Stack([strange('somebody', 'reader', central)]);
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
