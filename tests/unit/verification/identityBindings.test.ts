import { usersOf } from '../../../verification/identityBindings';
import { reviewed } from '../support/reviewed';
import { Environment } from './environment.fixture';
import { identity, pod } from './outputs.fixture';
import { shownChecks } from './shown.fixture';

// What the tests do not prove: that AKS asks for these roles when it exchanges a token.

const shows = reviewed(__filename);
const annotation = 'azure.workload.identity/use-identity-binding';

/** An environment in which `billing` uses its identity through an identity binding. */
function bound(): Environment {
  const environment = new Environment();
  const { outputs } = environment;
  const billing = outputs.workloads.find(({ application }) => application === 'billing');
  if (billing === undefined) throw new Error('there is no workload');
  billing.trust = 'identityBinding';
  outputs.identityBindings = [
    {
      ...{ cluster: billing.cluster, id: '/clusters/aks-1/identityBindings/billing' },
      identity: billing.identity,
      ...{ role: 'use-id-billing', serviceAccounts: ['billing/billing'] },
    },
  ];
  const pods = environment.pods.bind(environment);
  environment.pods = async (account) => {
    const all = await pods(account);
    for (const { metadata } of all)
      if (metadata) metadata.annotations = { ...metadata.annotations, [annotation]: 'true' };
    return all;
  };
  return environment;
}

/** Shows the checks of the workload and of its identity. */
const verified = (title: string, change: (environment: Environment) => unknown = () => undefined) =>
  shows(title, async () => {
    const environment = bound();
    change(environment);
    const { checks } = (await environment.verify()).report;
    const names = ['billing', environment.outputs.identityBindings?.[0]?.identity.name];
    return shownChecks(checks.filter(({ application }) => names.includes(application)));
  });

describe('an application with an identity binding', () => {
  verified('passes without an exchange of its token at Entra');
  verified('fails if the binding is gone', (environment) => {
    environment.readBinding = () => Promise.resolve(undefined);
  });
  verified('fails if the binding is of another identity', (environment) => {
    environment.readBinding = () =>
      Promise.resolve({ identity: identity('id-other').id, state: 'Succeeded' });
  });
  verified('fails if the binding was not created', (environment) => {
    environment.readBinding = (id) =>
      Promise.resolve({
        identity: environment.outputs.identityBindings?.[0]?.identity.id ?? id,
        state: 'Failed',
      });
  });
  verified('fails if somebody lets another service account use the identity', (environment) => {
    const roles = environment.clusterRoles.bind(environment);
    environment.clusterRoles = async (cluster) => {
      const { bindings, ...rest } = await roles(cluster);
      return {
        ...rest,
        bindings: bindings.map((binding) => ({
          ...binding,
          subjects: [...binding.subjects, { kind: 'ServiceAccount', namespace: 'default', name: 'thief' }],
        })),
      };
    };
  });
  verified('fails if no role lets its service account use the identity', (environment) => {
    environment.clusterRoles = () => Promise.resolve({ roles: [], bindings: [] });
  });
  verified('fails if its pods lack the annotation', (environment) => {
    environment.pods = (account) => Promise.resolve([pod(`client-id-${account.serviceAccount}`)]);
  });
  verified('is revoked if no role lets its service account use the identity', (environment) => {
    for (const workload of environment.outputs.workloads)
      if (workload.application === 'billing') workload.revoked = true;
    delete environment.outputs.identityBindings;
  });
  verified('is not revoked as long as a role does', (environment) => {
    for (const workload of environment.outputs.workloads)
      if (workload.application === 'billing') workload.revoked = true;
  });
});

describe('the users of an identity', () => {
  const client = 'c11e2700-0000-4000-8000-00000000000a';
  const rule = {
    apiGroups: ['cid.wi.aks.azure.com'],
    resources: [client],
    verbs: ['use-managed-identity'],
  };
  const bindings = [
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'use' },
      subjects: [
        { kind: 'ServiceAccount', namespace: 'orders', name: 'orders' },
        { kind: 'Group', name: 'system:serviceaccounts:orders' },
      ],
    },
  ];
  const users = ['group system:serviceaccounts:orders', 'orders/orders'];

  it.each([
    ['the identity', {}, users],
    ['all identities', { resources: ['*'] }, users],
    ['everything of the group', { verbs: ['*'] }, users],
    ['the verb of any group', { apiGroups: ['*'], resources: ['*'] }, users],
    ['everything on what is named as the identity', { apiGroups: ['*'], verbs: ['*'] }, users],
    ['everything, which is not about identities', { apiGroups: ['*'], resources: ['*'], verbs: ['*'] }, []],
    ['another identity', { resources: ['other'] }, []],
    ['another verb', { verbs: ['get'] }, []],
    ['another group', { apiGroups: ['example.com'] }, []],
  ])('are the subjects of a role for %s', (_, change, expected) => {
    const roles = [{ metadata: { name: 'use' }, rules: [{ ...rule, ...change }] }];
    expect(usersOf(client.toUpperCase(), { roles, bindings })).toEqual(expected);
  });
});
