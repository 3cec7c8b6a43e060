import { customRoles } from '../../../policy/rules/roles';
import type { Declared } from '../../../policy/rules/rule';
import { found, nobody, usual } from './found';

// Roles within a cluster: what may be bound, and what a role may allow. tests/unit/policy/examples.test.ts shows that the
// components' own have no finding.

const api = 'rbac.authorization.k8s.io';
const type = (kind: string) => `kubernetes:${api}/v1:${kind}`;
const secret = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] };

describe('no-powerful-role on a role within a cluster', () => {
  const rules = (...list: object[]) => found('no-powerful-role', type('ClusterRole'), { rules: list });

  it.each([
    ['nothing', {}],
    ['pods that are listed', { apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list'] }],
    ['a named secret', { ...secret, resourceNames: ['of-the-application'] }],
    ['secrets of another group', { ...secret, apiGroups: ['example.com'] }],
    ['all of another group', { apiGroups: ['example.com'], resources: ['*'], verbs: ['*'] }],
    ['scaling', { apiGroups: ['apps'], resources: ['*/scale'], verbs: ['update'] }],
  ])('allows %s', (_, rule) => expect(rules(rule)).toEqual([]));

  it.each([
    ['everything', { apiGroups: ['*'], resources: ['*'], verbs: ['*'] }, 'read secrets (get secrets), and '],
    ['secrets', secret, 'read secrets (get secrets). Allow only what is needed'],
    ['names of no secrets', { ...secret, resourceNames: [] }, 'read secrets (get secrets)'],
    ['all that is read', { ...secret, resources: ['*'] }, 'read secrets (get secrets)'],
    ['tokens', { ...secret, resources: ['serviceaccounts/token'], verbs: ['create'] }, 'sign in as service '],
    ['commands', { ...secret, resources: ['pods/exec'], verbs: ['create'] }, 'run commands in pods ('],
    ['commands of all kinds', { ...secret, resources: ['*/exec'] }, 'run commands in pods (get pods/exec)'],
    ['containers', { ...secret, resources: ['pods/ephemeralcontainers'], verbs: ['patch'] }, 'run commands'],
    ['nodes', { ...secret, resources: ['nodes/proxy'] }, 'run commands in pods (get nodes/proxy)'],
    ['pods', { ...secret, resources: ['pods'], verbs: ['create'] }, 'run pods as any service account ('],
    ['deployments', { apiGroups: ['apps'], resources: ['deployments'], verbs: ['patch'] }, 'run pods as any'],
    ['jobs', { apiGroups: ['batch'], resources: ['cronjobs'], verbs: ['create'] }, 'run pods as any'],
    ['other users', { ...secret, resources: ['users'], verbs: ['impersonate'] }, 'impersonate others ('],
    ['roles', { apiGroups: [api], resources: ['clusterroles'], verbs: ['bind'] }, 'assign roles (bind '],
    [
      'certificates',
      {
        apiGroups: ['certificates.k8s.io'],
        resources: ['certificatesigningrequests/approval'],
        verbs: ['update'],
      },
      'let others sign in (',
    ],
    [
      'webhooks',
      {
        apiGroups: ['admissionregistration.k8s.io'],
        resources: ['mutatingwebhookconfigurations'],
        verbs: ['create'],
      },
      'see and change what others write (',
    ],
    [
      'credentials by the operator',
      {
        apiGroups: ['managedidentity.azure.com'],
        resources: ['federatedidentitycredentials'],
        verbs: ['create'],
      },
      'take over identities (',
    ],
    [
      'roles by the operator',
      { apiGroups: ['authorization.azure.com'], resources: ['roleassignments'], verbs: ['create'] },
      'assign roles in Azure (',
    ],
    [
      'vaults by the operator',
      { apiGroups: ['keyvault.azure.com'], resources: ['vaults'], verbs: ['patch'] },
      'open vaults (',
    ],
  ])('refuses %s', (_, rule, what) => {
    const [finding = '', ...others] = rules({}, rule);
    expect(others).toEqual([]);
    expect(finding).toContain(`Its subjects can ${what}`);
  });

  it('refuses one that aggregates what others allow', () => {
    const aggregationRule = { clusterRoleSelectors: [] };
    expect(found('no-powerful-role', type('ClusterRole'), { aggregationRule })).toHaveLength(1);
  });

  it("leaves the manifests of HyperShift's operator", () => {
    const within = ['aks-workload-identity:hypershift:HyperShiftOperator'];
    expect(found('no-powerful-role', type('Role'), { rules: [secret] }, {}, { within })).toEqual([]);
    expect(found('no-powerful-role', type('Role'), { rules: [secret] })).toHaveLength(1);
  });
});

describe.each(['RoleBinding', 'ClusterRoleBinding'])('a %s', (kind) => {
  const binds = (name: string, of = 'ClusterRole') => ({ roleRef: { apiGroup: api, kind: of, name } });
  const problemsOf = (of: string, properties: Record<string, unknown>): Declared => ({
    ...{ type: type(of), name: 'one', isCustom: true, within: [], properties },
  });
  const elsewhere = (...resources: Declared[]) => customRoles.checkAll(resources, usual, nobody);

  it.each([['cluster-admin'], ['admin'], ['edit'], ['system:controller:generic-garbage-collector']])(
    'may not bind %s',
    (name) => {
      expect(found('no-powerful-role', type(kind), binds(name))).toEqual([
        expect.stringContaining(`It binds ${name}, which can read secrets`),
      ]);
      expect(elsewhere(problemsOf(kind, binds(name)))).toEqual([]);
    },
  );

  it.each([['view'], ['system:auth-delegator']])('may bind %s', (name) => {
    expect(found('no-powerful-role', type(kind), binds(name))).toEqual([]);
    expect(elsewhere(problemsOf(kind, binds(name)))).toEqual([]);
  });

  it('may bind a role of the stack, which is judged itself, and no role from elsewhere', () => {
    const metadata = { namespace: 'shop' };
    const role = problemsOf('ClusterRole', { metadata: { name: 'reader' } });
    const binding = problemsOf(kind, { metadata, ...binds('reader') });
    expect(elsewhere(role, binding)).toEqual([]);
    expect(elsewhere(binding)).toEqual([
      { resource: binding, problem: expect.stringMatching(/^The role reader is not judged: /) as string },
    ]);
    expect(elsewhere(problemsOf(kind, { roleRef: { kind: 'ClusterRole' } }))).toEqual([]);
  });

  describe('that lets its subjects use identities through identity bindings', () => {
    const rule = { apiGroups: ['cid.wi.aks.azure.com'], verbs: ['use-managed-identity'] };
    const other = 'c11e2700-0000-4000-8000-00000000000a';
    const identity: Declared = {
      ...{ type: 'aks-workload-identity:identity:ManagedIdentity', name: 'orders' },
      ...{ isCustom: false, within: [], properties: { clientId: 'CLIENT' } },
    };
    const using = (...clients: string[]) =>
      problemsOf('ClusterRole', { metadata: { name: 'use' }, rules: [{ ...rule, resources: clients }] });
    const account = { kind: 'ServiceAccount', namespace: 'orders', name: 'orders' };
    const binding = (...subjects: object[]) =>
      problemsOf('ClusterRoleBinding', { ...binds('use'), subjects });
    const problems = (...resources: Declared[]) => elsewhere(...resources).map(({ problem }) => problem);

    it('names identities of the stack and service accounts', () => {
      expect(problems(identity, using('client'), binding(account))).toEqual([]);
    });

    it.each([
      ['another identity', using('other'), account, /can use the identity other, which is not in this stack/],
      [
        'a group',
        using('client'),
        { kind: 'Group', name: 'system:authenticated' },
        /the group system:authent/,
      ],
    ])('may not name %s', (_, role, subject, problem) => {
      expect(problems(identity, role, binding(subject))).toEqual([expect.stringMatching(problem) as string]);
    });

    it.each([
      ['group', { apiGroups: ['*'], resources: ['other'] }, 'other'],
      ['group and every verb', { apiGroups: ['*'], resources: [other], verbs: ['*'] }, other],
    ])('may not name another identity in a rule for every %s', (_, change, client) => {
      const role = problemsOf('ClusterRole', { metadata: { name: 'use' }, rules: [{ ...rule, ...change }] });
      expect(problems(identity, role)).toEqual([
        expect.stringContaining(`can use the identity ${client}, which is not in this stack`),
      ]);
    });

    it('may not name all', () => {
      expect(
        found('no-powerful-role', type('ClusterRole'), { rules: [{ ...rule, resources: ['*'] }] }),
      ).toEqual([expect.stringContaining('use every identity that is bound to the cluster')]);
      expect(problems(identity, using('*'))).toEqual([]);
    });
  });

  it('may bind a role of its own namespace only', () => {
    const inNamespace = (namespace: string) =>
      problemsOf('Role', { metadata: { name: 'reader', namespace } });
    const binding = problemsOf(kind, { metadata: { namespace: 'shop' }, ...binds('reader', 'Role') });
    expect(elsewhere(inNamespace('shop'), binding)).toEqual([]);
    expect(elsewhere(inNamespace('cart'), binding)).toHaveLength(1);
  });
});
