import { mayAssignEach, mayAssignOnly } from '../../../components/azure/assignmentCondition';
import { onlySecrets } from '../../../components/vault/nameCondition';
import { builtInRoles } from '../../../components/azure/roles';
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

describe('what the stack assigned, by its state', () => {
  const right = assigned(orders.principalId, 'storageBlobDataContributor', account);

  shown('state: it is of the stack, in any case', [{ ...right, scope: account.toUpperCase() }], (stack) => {
    stack.made = [right];
  });
  for (const [title, change] of Object.entries({
    'on more than its scope is not': { scope: account.replace(/\/providers.*/, '') },
    'on less than its scope is not': { scope: `${account}/blobServices/default/containers/c` },
    'of another kind on its scope is not': { role: builtInRoles.storageQueueDataContributor },
    'of another identity is not': { principalId: operator.principalId },
  }))
    shown(`state: one ${title}`, [{ ...right, ...change }], (stack) => {
      stack.made = [right];
    });
});

describe('a grant whose removal Azure refused', () => {
  const secret = `${central}/secrets/taken`;
  const left = assigned(orders.principalId, 'keyVaultSecretsUser', secret);
  shown('state: it is no longer in the outputs, and reported', [left], (stack) => {
    stack.made = [left];
  });
  const role = assigned(orders.principalId, 'storageBlobDataContributor', account);
  shown('state: a role of an application that is no longer in the outputs is reported', [role], (stack) => {
    stack.made = [{ ...role, isGrant: true }];
  });
});

describe('a role on a vault under a condition', () => {
  const named = ['orders-db', 'shared'];
  const right = {
    ...assigned(orders.principalId, 'keyVaultSecretsUser', central),
    condition: onlySecrets(named),
  };
  for (const [title, change] of Object.entries({
    'that names what is granted is of the stack': {},
    'that names fewer is of the stack': { condition: onlySecrets(['shared']) },
    'that names more is not': { condition: onlySecrets([...named, 'taken']) },
    'that is gone is not': { condition: undefined },
    'of another form is not': { condition: right.condition.replaceAll('StringEquals', 'StringLike') },
  }))
    shown(`condition: one ${title}`, [{ ...right, ...change }], (stack) => {
      stack.made = [right];
    });
  shown('condition: one that the stack did not assign is not', [right]);
});

describe('the right of what opens and closes access windows', () => {
  const secret = `${central}/secrets/warehouse`;
  const beside = identity('id-aks-1-g2');
  const both = [orders.principalId, beside.principalId];
  const condition = mayAssignOnly({ roles: ['keyVaultSecretsUser'], principalIds: both });
  const right = { ...assigned(operator.principalId, 'rbacAdministrator', secret), condition };
  const opened = assigned(orders.principalId, 'keyVaultSecretsUser', secret);
  const withWindow = (stack: GrantedStack) => {
    const { outputs } = stack;
    stack.made = [right];
    const window = { vault: 'kv-central', secret: 'warehouse', windows: [] };
    outputs.workloads = outputs.workloads.flatMap((workload) =>
      workload.identity.name === orders.name
        ? [orders, beside].map((generation) => ({ ...workload, identity: generation, windows: [window] }))
        : [workload],
    );
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
  shown('window: nothing is granted where the application is revoked', [opened], (stack) => {
    withWindow(stack);
    for (const workload of stack.outputs.workloads) workload.revoked = true;
  });
  shown('window: it may open a role, with the right to assign it', [], (stack) => {
    const role = builtInRoles.storageBlobDataContributor;
    const held = assigned(operator.principalId, 'rbacAdministrator', account);
    const [first] = stack.outputs.workloads;
    first?.windows.push({ role, scope: account, windows: [] });
    stack.made = [held];
    stack.assignments.push(
      { ...held, condition: mayAssignEach([{ role, principalId: first?.identity.principalId ?? '' }]) },
      assigned(first?.identity.principalId ?? '', 'storageBlobDataContributor', account),
    );
  });
  shown('window: nothing is granted any more where it was removed while open', [opened]);
});

describe('grants of others', () => {
  shown(
    'none where they are of others, elsewhere or above',
    [
      assigned('somebody', 'contributor', '/subscriptions/s'),
      assigned('somebody', 'contributor', `${group}-2`),
      assigned('somebody', 'contributor', cluster('aks-10')),
      // In a resource group of the stack, which is not all of the stack.
      assigned('somebody', 'contributor', `${group}/providers/Microsoft.OperationalInsights/workspaces/log`),
      assigned('somebody', 'keyVaultSecretsUser', vaultId('kv-central-2')),
    ],
    (stack) => (stack.policies = [{ objectId: 'principal-id-aks-2-reports', permissions: ['secrets get'] }]),
  );

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
    'group: a grant by the stack is not reported',
    [assigned('group-id', 'keyVaultSecretsUser', secret)],
    (stack) => {
      withGroup()(stack);
      stack.made = [assigned('group-id', 'keyVaultSecretsUser', secret)];
    },
  );
  shown(
    'group: every other grant is reported',
    [
      assigned('group-id', 'keyVaultSecretsUser', `${central}/secrets/billing-db`),
      assigned('group-id', 'contributor', '/subscriptions/s'),
    ],
    withGroup(),
  );
  shown(
    'group: a grant to a member itself is reported as well',
    [assigned(orders.principalId, 'keyVaultSecretsUser', secret)],
    withGroup(),
  );
  shown(
    'group: its own access policy is not reported, that of a member is',
    [],
    withGroup('kv-reports', 'reports-key'),
  );

  shown(
    'not looked for in vaults that the stack did not create',
    [assigned('somebody', 'reader', central)],
    (stack) => {
      stack.tags = { 'pulumi-stack': 'aks-workload-identity/another' };
      stack.policies = [{ objectId: 'somebody', permissions: ['secrets get'] }];
    },
  );
  shown(
    'not looked for on resource groups and clusters that the stack did not create',
    [assigned('somebody', 'contributor', group), assigned('somebody', 'aksClusterAdmin', cluster('aks-1'))],
    ({ outputs }) => {
      outputs.resourceGroups = [];
      for (const clusterOutput of Object.values(outputs.clusters)) clusterOutput.mode = 'existing';
    },
  );

  /** Registers a case with places that may not be listed: a note says so, and no check passes. */
  const closed = (title: string, assignments: RoleAssignment[], ...scopes: string[]) =>
    shown(`not listed: ${title}`, assignments, (stack) => {
      stack.policies = [{ objectId: 'somebody', permissions: ['secrets get'] }];
      for (const scope of scopes) stack.closed.add(scope);
    });
  const identities = `${group}/identities`;
  const onVault = assigned('somebody', 'reader', central);
  closed(
    'the subscription, so that the group is asked',
    [onVault, assigned('somebody', 'contributor', group)],
    '/subscriptions/s',
  );
  closed('object ids of identities', [assigned(operator.principalId, 'reader', operator.id)], identities);
  closed('the subscription and the group', [onVault], '/subscriptions/s', group);
  closed('these, identities and a vault', [onVault], '/subscriptions/s', group, identities, central);
});
