import { application, problemsOf, validInput } from './settings';

// What these do not prove: that Azure's limits are these; facts and sources are named where the rules are.

describe('limits', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => application(`app-${index}`));

  it('are 20 service accounts under the identity of a cluster', () => {
    const input = (count: number, more: Record<string, unknown> = {}) =>
      validInput({
        clusters: [{ name: 'aks-1' }],
        applications: [...many(count - 1), application('last', more)],
        secretValues: {},
      });
    const message = (count: number) =>
      `aks-workload-identity:clusters[0].name: "aks-1" comes to ${count} service accounts under one identity, which trusts at most 20. Set \`shard: true\`, or \`identity: application\` on some of them.`;

    expect(problemsOf(input(20))).toEqual([]);
    expect(problemsOf(input(21))).toEqual([message(21)]);
    expect(problemsOf({ ...input(21), identity: 'application' })).toEqual([]);
    expect(problemsOf({ ...input(21), shard: true })).toEqual([]);
    // Each account counts, and not only each application.
    expect(problemsOf(input(20, { serviceAccounts: ['a', 'b'] }))).toEqual([message(22)]);
  });

  it('are 20 service accounts of one application with an identity of its own, said once for all clusters', () => {
    const input = (count: number) =>
      validInput({
        identity: 'application',
        applications: [
          application('a', { serviceAccounts: Array.from({ length: count }, (_, index) => `w-${index}`) }),
        ],
        secretValues: {},
      });

    expect(problemsOf(input(19))).toEqual([]);
    expect(problemsOf(input(20))).toEqual([
      'aks-workload-identity:applications[0].serviceAccounts: a list of 20 comes to 21 service accounts under one identity, which trusts at most 20. The application has its own account beside these: make two applications of it, with a namespace and secrets in common.',
    ]);
  });

  it('are those of Azure for the names of identities, which have the name of the stack in them', () => {
    expect(problemsOf(validInput({ applications: [], secretValues: {} }), 'my.stack')).toContain(
      'aks-workload-identity:clusters[0].name: "aks-1" gives a resource the name "id-my.stack-aks-1" (17 characters), which is not allowed. Allowed: 3 to 128 letters, digits, hyphens and underscores, starting with a letter or digit. It is made of the stack\'s name ("my.stack"), the cluster\'s and the application\'s: change one of them.',
    );
  });

  it('are 53 characters for the release of an application with a chart, 63 for one with an image', () => {
    const chart = { chart: './examples/charts/reports' };
    const input = (name: string, more: Record<string, unknown>) =>
      validInput({ applications: [{ name, ...more }], secretValues: {} });

    expect(problemsOf(input('a'.repeat(53), { chart }))).toEqual([]);
    expect(problemsOf(input('a'.repeat(63), { image: 'x/y:1' }))).toEqual([]);
    expect(problemsOf(input('a'.repeat(54), { chart }))).toEqual([
      `aks-workload-identity:applications[0].name: "${'a'.repeat(54)}" is not allowed. Allowed: 1 to 53 lower-case letters, digits and hyphens, starting and ending with a letter or digit, since a Helm release has the name.`,
    ]);
  });

  it("are 80 characters for the group of a cluster's nodes", () => {
    const input = (length: number) =>
      validInput({
        clusters: [{ name: 'aks-1' }],
        resourceGroup: 'r'.repeat(length),
        applications: [],
        secretValues: {},
      });
    const rest = 'MC__aks-1_westeurope'.length;

    expect(problemsOf(input(80 - rest))).toEqual([]);
    expect(problemsOf(input(81 - rest))).toEqual([
      expect.stringMatching(
        /^aks-workload-identity:clusters\[0\]\.name: "aks-1" gives the group of its nodes a name of 81 characters/,
      ),
    ]);
  });
});

describe('environment variables', () => {
  it('are refused where the webhook or the deployment sets them, and where they are no names', () => {
    const env = { KEY_VAULT_URI: 'x', AZURE_CLIENT_ID: 'x', LEVEL: 'debug' };
    const problems = (more: Record<string, string>) =>
      problemsOf(validInput({ applications: [application('a', { env: more })], secretValues: {} }));

    expect(problems({ LEVEL: 'debug' })).toEqual([]);
    expect(problems(env).map((line) => line.split('.')[1])).toEqual(['env', 'env']);
    expect(problems(env)[1]).toMatch(
      /applications\[0\]\.env\.AZURE_CLIENT_ID: "AZURE_CLIENT_ID" is not allowed\. Allowed: .* none of .*AZURE_CLIENT_ID.*, which the deployment and the workload identity webhook set/,
    );
    expect(problems({ 'A B': 'x' })).toEqual([
      expect.stringContaining(
        'applications[0].env["A B"]: "A B" is not allowed. Allowed: letters, digits and underscores, not starting with a digit, ',
      ),
    ]);
  });
});

describe('access policies on a vault with several readers', () => {
  const input = (vault: Record<string, unknown>, more: Record<string, unknown> = {}) =>
    validInput({
      clusters: [{ name: 'aks-1' }],
      vault: { name: 'kv-test', ...vault },
      identity: 'application',
      applications: [
        application('a', { secrets: ['a-db'] }),
        application('b', { secrets: ['a-db', 'b-db'] }),
      ],
      secretValues: {},
      ...more,
    });

  it('are refused where a reader would see more than it names', () => {
    expect(problemsOf(input({ access: 'accessPolicy' }))).toEqual([
      'aks-workload-identity:vault.access: "accessPolicy" would let the identity of a read b-db in kv-test as well, since a policy covers every secret of its vault. Set `access: rbac`, or `vaults: perApplication`, or, if that is meant, `overreach: accepted` on the central `vault`.',
    ]);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['with RBAC', { access: 'rbac' }, {}],
    ['with a vault each', { access: 'accessPolicy' }, { vaults: 'perApplication' }],
    ['when it is accepted', { access: 'accessPolicy', overreach: 'accepted' }, {}],
    ['when all run as one identity', { access: 'accessPolicy' }, { identity: 'cluster' }],
  ])('are fine %s', (_, vault, more) => {
    expect(problemsOf(input(vault, more))).toEqual([]);
  });
});
