import { mayAssignEach, mayAssignOnly } from '../../../components/azure/assignmentCondition';
import { builtInRoles } from '../../../stacks/offline';
import type { RoleAssignment } from '../../../verification/access';
import { reviewed } from '../support/reviewed';
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

const shows = reviewed(__filename);

/** Shows the checks of a stack with these assignments. */
const shown = (title: string, assignments: RoleAssignment[], change?: (stack: GrantedStack) => unknown) =>
  shows(title, () => {
    const stack = new GrantedStack(assignments);
    change?.(stack);
    return stack.shown();
  });

describe('the right of nodes to assign an identity', () => {
  const right = [assigned('nodes', 'managedIdentityOperator', orders.id)];
  const given =
    (more: object) =>
    ({ outputs }: GrantedStack) =>
      (outputs.workloads = outputs.workloads.map((one) => ({ ...one, ...more })));

  shown('nodes: their right is that of the stack', right, given({ nodesPrincipalId: 'nodes' }));
  shown(
    'nodes: it is not once all that runs as the identity is revoked',
    right,
    given({ nodesPrincipalId: 'nodes', revoked: true }),
  );
});

describe('the right of what opens and closes access windows', () => {
  const secret = `${central}/secrets/warehouse`;
  const beside = identity('id-aks-1-g2');
  const both = [orders.principalId, beside.principalId];
  const condition = mayAssignOnly({ roles: ['keyVaultSecretsUser'], principalIds: both });
  const right = { ...assigned(operator.principalId, 'rbacAdministrator', secret), condition };
  const opened = assigned(orders.principalId, 'keyVaultSecretsUser', secret);
  const withWindow = ({ outputs }: GrantedStack) => {
    const window = { vault: 'kv-central', secret: 'warehouse', windows: [] };
    outputs.workloads = outputs.workloads.flatMap((one) =>
      one.identity.name === orders.name
        ? [orders, beside].map((generation) => ({ ...one, identity: generation, windows: [window] }))
        : [one],
    );
    outputs.reconcilers = [{ cluster: 'aks-1', ...operator }];
  };

  shown('window: the right is of the stack, as is what it assigns', [right, opened], withWindow);
  for (const [title, change] of Object.entries({
    'in upper case is still of the stack': { condition: condition.toUpperCase() },
    'without its condition is not': { condition: undefined },
    'with a condition that names fewer is not': {
      condition: mayAssignOnly({ roles: ['keyVaultSecretsUser'], principalIds: [orders.principalId] }),
    },
    'with a condition for another role is not': {
      condition: mayAssignOnly({ roles: ['keyVaultSecretsOfficer'], principalIds: both }),
    },
    'on another secret is not': { scope: `${central}/secrets/orders-db` },
    'on the whole vault is not': { scope: central },
    'of an application is not': { principalId: orders.principalId },
  }))
    shown(`window: the right ${title}`, [{ ...right, ...change }], withWindow);
  shown('window: nothing is given where the application is revoked', [opened], (stack) => {
    withWindow(stack);
    for (const one of stack.outputs.workloads) one.revoked = true;
  });
  shown('window: nothing is given any more where it was removed while it was open', [opened]);
});

describe('roles of applications', () => {
  const store = '/subscriptions/other/resourceGroups/rg-data/providers/Microsoft.Storage/storageAccounts/st';
  const role = builtInRoles.storageBlobDataContributor;
  const right = assigned(orders.principalId, 'storageBlobDataContributor', store);
  const withRole = ({ outputs }: GrantedStack, more: object = {}) => {
    outputs.workloads = outputs.workloads.map((one) =>
      one.identity.name === orders.name
        ? { ...one, grants: [...one.grants, { role, scope: store }], ...more }
        : one,
    );
  };

  shown(
    'role: it is of the stack, also by a name that somebody else gave it',
    [{ ...right, name: 'x' }],
    (stack) => {
      withRole(stack);
    },
  );
  for (const [title, change] of Object.entries({
    'on more than its scope is not': { scope: store.replace(/\/providers.*/, '') },
    'on less than its scope is not': { scope: `${store}/blobServices/default/containers/c` },
    'of another kind on its scope is not': { role: builtInRoles.storageQueueDataContributor },
  }))
    shown(`role: one ${title}`, [right, { ...right, id: 'other', name: 'other', ...change }], (stack) => {
      withRole(stack);
    });
  shown('role: none is of the stack where the application is revoked', [right], (stack) => {
    withRole(stack, { revoked: true, grants: [] });
  });
  shown(
    'role: one in an access window is of the stack, as is the right to give it',
    [
      right,
      {
        ...assigned(operator.principalId, 'rbacAdministrator', store),
        condition: mayAssignEach([{ role, principalId: orders.principalId }]),
      },
      {
        ...assigned(operator.principalId, 'rbacAdministrator', central),
        condition: mayAssignEach([{ role, principalId: orders.principalId }]),
      },
    ],
    (stack) => {
      withRole(stack, { grants: [], windows: [{ role, scope: store, windows: [] }] });
      stack.outputs.reconcilers = [{ cluster: 'aks-1', ...operator }];
    },
  );
});

describe('the role of what keeps connection strings current', () => {
  const role = 'c0ffee00-0000-4000-8000-000000000000';
  const writing = ({ outputs }: GrantedStack) => {
    const connection = { application: 'orders', dependency: 'files', vault: 'kv-central' };
    outputs.connectionWriters = [
      {
        ...{ cluster: 'aks-1', ...operator, role },
        connections: [{ ...connection, secret: 'orders-files', keyHolder: account }],
      },
    ];
  };
  const secret = `${central}/secrets/orders-files`;
  const right = (scope: string, more: Partial<RoleAssignment> = {}): RoleAssignment => ({
    ...strange(operator.principalId, 'reader', scope),
    ...{ role, ...more },
  });

  shown('writer: its rights are of the stack', [right(account), right(secret.toUpperCase())], writing);
  for (const [title, wrong] of Object.entries({
    'on another secret is not': right(`${central}/secrets/orders-db`),
    'on the whole vault is not': right(central),
    'on the group of the services is not': right(`${group}-services`),
    'of an application is not': right(secret, { principalId: orders.principalId }),
  }))
    shown(`writer: the role ${title}`, [wrong], writing);
  shown('writer: another role on its secret is not', [right(secret, { role: builtInRoles.reader })], writing);
});

describe('grants of others', () => {
  shown(
    'none where there is only what the stack assigns',
    [
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
    ],
    (stack) => (stack.policies = [{ objectId: 'principal-id-aks-2-reports', permissions: ['secrets get'] }]),
  );
  shown(
    'all that the identity of an operator has that is revoked, and trusts nobody',
    [assigned(operator.principalId, 'reader', operator.id)],
    ({ outputs }) => {
      for (const one of outputs.identities) one.trusts = [];
    },
  );

  // Found whatever their name.
  for (const [title, principal, role, scope] of [
    ['on a vault', 'somebody', 'reader', central],
    ['on a secret', 'somebody', 'keyVaultSecretsUser', `${central}/secrets/orders-db`],
    ['on a secret, of an own identity', orders, 'keyVaultSecretsUser', `${central}/secrets/billing-db`],
    [
      'on a granted secret, with more rights',
      orders,
      'keyVaultSecretsOfficer',
      `${central}/secrets/orders-db`,
    ],
    ['on an identity', 'somebody', 'contributor', orders.id],
    ['on a resource group', 'somebody', 'keyVaultSecretsUser', group],
    ['on a group, in another case', 'somebody', 'contributor', group.replace('Groups', 'groups')],
    ['on a resource group of services', 'somebody', 'contributor', `${group}-services`],
    ['of who provisions elsewhere', 'existing-operator', 'contributor', group],
    ['on a cluster', 'somebody', 'aksClusterAdmin', cluster('aks-1')],
    ['on a namespace of a cluster', 'somebody', 'contributor', `${cluster('aks-2')}/namespaces/orders`],
    ['of an identity, on a resource group', operator, 'contributor', group],
    ['of an identity, above', operator, 'contributor', '/subscriptions/s'],
    ["of an application's identity on a group", orders, 'contributor', `${group}-services`],
    ['of an identity, elsewhere', orders, 'storageBlobDataContributor', `${account}2`],
  ] as const)
    shown(title, [assigned(typeof principal === 'string' ? principal : principal.principalId, role, scope)]);

  shown('found by their names on services and their groups', [
    strange(operator.principalId, 'contributor', `${group}-services`),
    strange(orders.principalId, 'storageBlobDataContributor', account),
    strange('existing-operator', 'storageAccountContributor', `${group}-services`),
    // The name of another role.
    {
      ...assigned(orders.principalId, 'storageQueueDataContributor', account),
      role: builtInRoles.contributor,
    },
  ]);
  shown('among access policies, also more permissions of an identity that has one', [], (stack) => {
    stack.policies = [
      { objectId: 'somebody', permissions: ['secrets get', 'secrets list'] },
      { objectId: 'principal-id-aks-2-reports', permissions: ['secrets get', 'secrets set'] },
    ];
  });

  const withGroup =
    (vault = 'kv-central', secret = 'by-group') =>
    (stack: GrantedStack) => {
      stack.outputs.groups = [
        {
          ...{ name: 'readers', displayName: 'sg-test-readers', objectId: 'group-id', isMade: true },
          ...{ grants: [{ vault, secret }], members: [] },
        },
      ];
      stack.outputs.workloads[0]?.grants.push({ vault, secret, group: 'readers' });
      stack.policies = ['group-id', orders.principalId].flatMap((objectId) =>
        vault === 'kv-reports' ? [{ objectId, permissions: ['secrets get'] }] : [],
      );
    };
  const secret = `${central}/secrets/by-group`;
  shown(
    'group: what the stack assigns to it is no grant of others',
    [assigned('group-id', 'keyVaultSecretsUser', secret)],
    withGroup(),
  );
  shown(
    'group: everything else is',
    [
      assigned('group-id', 'keyVaultSecretsUser', `${central}/secrets/billing-db`),
      assigned('group-id', 'contributor', '/subscriptions/s'),
    ],
    withGroup(),
  );
  shown(
    'group: a grant to a member itself is one as well',
    [assigned(orders.principalId, 'keyVaultSecretsUser', secret)],
    withGroup(),
  );
  shown(
    'group: its access policy is no other, that of a member is',
    [],
    withGroup('kv-reports', 'reports-key'),
  );

  shown(
    'not looked for in vaults that the stack did not make',
    [strange('somebody', 'reader', central)],
    (stack) => {
      stack.tags = { 'pulumi-stack': 'aks-workload-identity/another' };
      stack.policies = [{ objectId: 'somebody', permissions: ['secrets get'] }];
    },
  );
  shown(
    'not looked for on resource groups and clusters that the stack did not make',
    [strange('somebody', 'contributor', group), strange('somebody', 'aksClusterAdmin', cluster('aks-1'))],
    ({ outputs }) => {
      outputs.resourceGroups = [];
      for (const one of Object.values(outputs.clusters)) one.mode = 'existing';
    },
  );

  /** Registers a case with places that may not be listed: a note says so, and no check passes. */
  const closed = (title: string, assignments: RoleAssignment[], ...scopes: string[]) =>
    shown(`not listed: ${title}`, assignments, (stack) => {
      stack.policies = [{ objectId: 'somebody', permissions: ['secrets get'] }];
      for (const scope of scopes) stack.closed.add(scope);
    });
  const identities = `${group}/identities`;
  const onVault = strange('somebody', 'reader', central);
  closed(
    'the subscription, so that the group is asked',
    [onVault, strange('somebody', 'contributor', group)],
    '/subscriptions/s',
  );
  closed('object ids of identities', [assigned(operator.principalId, 'reader', operator.id)], identities);
  closed('the subscription and the group', [onVault], '/subscriptions/s', group);
  closed('these, identities and a vault', [onVault], '/subscriptions/s', group, identities, central);
});
