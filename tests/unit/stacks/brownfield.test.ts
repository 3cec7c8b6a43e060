import { clusterId, groupId, identityId, subnetId, vaultId, workspaceId } from './ids';
import { application, problemsOf, validInput } from './settings';

const key = (rest: string) => `aks-workload-identity:${rest}`;
const oneOf = (changes: Record<string, unknown>) =>
  validInput({
    clusters: [{ name: 'aks-1' }],
    applications: [application('a')],
    secretValues: {},
    ...changes,
  });
const clusters = (...list: Record<string, unknown>[]) => problemsOf(oneOf({ clusters: list }));
const vaults = (vault: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  problemsOf(oneOf({ vault, ...more }));

describe('modes of clusters', () => {
  it('are each accepted with what belongs to them', () => {
    expect(
      problemsOf(
        oneOf({
          clusters: [
            { name: 'made', tier: 'Free', nodes: { count: 1 }, authorizedIpRanges: ['203.0.113.0/24'] },
            { name: 'there', mode: 'existing', id: clusterId('aks'), enable: true },
            { name: 'edge', mode: 'external', issuer: 'https://issuer.example/edge' },
          ],
          kubeconfigs: { edge: 'a kubeconfig' },
        }),
      ),
    ).toEqual([]);
  });

  it.each([
    [
      { mode: 'existing' },
      'clusters[0].id: is missing. Allowed: /subscriptions/<guid>/resourceGroups/<group>/providers/Microsoft.ContainerService/managedClusters/<name>, as `az resource show --query id` prints it. Add it.',
    ],
    [
      { id: clusterId('aks') },
      `clusters[0].id: "${clusterId('aks')}" has no meaning with \`mode: create\`. Allowed: only with \`mode: existing\`. Remove it, or set \`mode: existing\`.`,
    ],
    [
      { enable: false },
      'clusters[0].enable: false has no meaning with `mode: create`. Allowed: only with `mode: existing`. Remove it, or set `mode: existing`.',
    ],
    [
      { issuer: 'https://issuer.example/' },
      'clusters[0].issuer: "https://issuer.example/" has no meaning with `mode: create`. Allowed: only with `mode: external`. Remove it, or set `mode: external`.',
    ],
    [
      { mode: 'existing', id: clusterId('aks'), tier: 'Free' },
      'clusters[0].tier: "Free" has no meaning with `mode: existing`. Allowed: only with `mode: create`. Remove it, or set `mode: create`.',
    ],
  ])('are refused with %j', (settings, problem) => {
    expect(clusters({ name: 'aks-1', ...settings })).toEqual([key(problem)]);
  });

  it.each(['kubernetesVersion', 'nodes', 'tier', 'administratorGroups', 'authorizedIpRanges', 'tags'])(
    'have %s only where the cluster is made',
    (field) => {
      const values: Record<string, unknown> = {
        kubernetesVersion: '1.35',
        nodes: { count: 1 },
        tier: 'Free',
        administratorGroups: ['55555555-5555-4555-8555-555555555555'],
        authorizedIpRanges: ['203.0.113.0/24'],
        tags: { a: 'b' },
      };
      expect(clusters({ name: 'aks-1', [field]: values[field] })).toEqual([]);
      expect(
        clusters({ name: 'aks-1', mode: 'existing', id: clusterId('aks'), [field]: values[field] }),
      ).toEqual([
        expect.stringMatching(
          new RegExp(
            `^aks-workload-identity:clusters\\[0\\]\\.${field}: \\S.* has no meaning with \`mode: existing\`\\. Allowed: only with \`mode: create\`\\. Remove it, or set \`mode: create\`\\.$`,
          ),
        ),
      ]);
    },
  );

  it('take kubeconfigs for exactly the external clusters', () => {
    expect(
      problemsOf(
        oneOf({
          clusters: [
            { name: 'aks-1' },
            { name: 'edge', mode: 'external', issuer: 'https://issuer.example/' },
          ],
          kubeconfigs: { 'aks-1': 'never-shown' },
        }),
      ),
    ).toEqual([
      key(
        "kubeconfigs.edge: is missing: aks-workload-identity:clusters[1] is a cluster of mode external. Allowed: the kubeconfig of an administrator, encrypted. Set it with `pulumi config set --secret --path 'kubeconfigs.edge' < <file>`.",
      ),
      key(
        "kubeconfigs.aks-1: is of no cluster of mode external. Allowed: edge. Remove it with `pulumi config rm --path 'kubeconfigs.aks-1'`; of managed clusters, Azure gives them.",
      ),
    ]);
  });

  it('are of different clusters', () => {
    expect(
      clusters(
        { name: 'one', mode: 'existing', id: clusterId('aks') },
        { name: 'two', mode: 'existing', id: clusterId('AKS') },
      ),
    ).toEqual([
      key(
        `clusters[1].id: "${clusterId('AKS')}" is the id of aks-workload-identity:clusters[0] already; the two differ only in case, and Azure does not tell them apart. Remove one of the two clusters.`,
      ),
    ]);
  });

  it('have a limit on the group of the nodes only where AKS makes it, existing group or not', () => {
    const long = { resourceGroup: { existing: groupId('g'.repeat(70)) } };

    expect(problemsOf(oneOf(long))).toEqual([
      expect.stringContaining(`"MC_${'g'.repeat(70)}_aks-1_westeurope", which AKS refuses`),
    ]);
    expect(
      problemsOf(oneOf({ ...long, clusters: [{ name: 'aks-1', mode: 'existing', id: clusterId('aks') }] })),
    ).toEqual([]);
  });
});

describe('existing identities', () => {
  it('are each one of the stack only once', () => {
    const shared = { existing: identityId('id-shared') };
    expect(
      clusters(
        { name: 'one', identity: shared },
        { name: 'two', operatorIdentity: { existing: identityId('ID-shared') } },
      ),
    ).toEqual([
      key(
        `clusters[1].operatorIdentity.existing: "${identityId('ID-shared')}" is the identity of aks-workload-identity:clusters[0].identity.existing already; the two differ only in case, and Azure does not tell them apart. Allowed: each identity once in a stack. Name another, or let one be made.`,
      ),
    ]);
  });

  it('are told apart from those of applications', () => {
    expect(
      problemsOf(
        oneOf({
          clusters: [{ name: 'aks-1', identity: { existing: identityId('id-x') } }],
          applications: [application('a', { identity: { existing: { 'aks-1': identityId('id-x') } } })],
        }),
      ),
    ).toEqual([expect.stringContaining('applications[0].identity.existing.aks-1: ')]);
  });
});

describe('vaults', () => {
  it.each([
    [{}, 'vault: has none of `name`, `existing`. Allowed: exactly one of them. Add one.'],
    [
      { name: 'kv-x', existing: vaultId('kv-y') },
      'vault.name: "kv-x" has no meaning with `existing`. Allowed: either `name` or `existing`. Remove one of them.',
    ],
  ])('have exactly one of name and id: %j', (vault, problem) => {
    expect(vaults(vault)).toEqual([key(problem)]);
  });

  it('with a name and a wrong id have both problems', () => {
    expect(vaults({ name: 'kv-x', existing: 'kv-y' })).toEqual([
      expect.stringMatching(/vault\.existing: "kv-y" is not allowed/),
      key(
        'vault.name: "kv-x" has no meaning with `existing`. Allowed: either `name` or `existing`. Remove one of them.',
      ),
    ]);
  });

  it('that exist have only what is used of them', () => {
    const vault = { existing: vaultId('kv-y'), access: 'accessPolicy', retainOnDelete: true };
    expect(vaults(vault)).toEqual([]);
    expect(
      vaults({
        ...vault,
        network: {},
        privateEndpoints: [],
        lock: true,
        tags: {},
        publicAccess: true,
        softDeleteRetentionInDays: 7,
        purgeProtection: false,
      }),
    ).toEqual(
      [
        'network: an object',
        'privateEndpoints: a list of 0',
        'lock: true',
        'tags: an object',
        'publicAccess: true',
        'softDeleteRetentionInDays: 7',
        'purgeProtection: false',
      ].map((field) =>
        key(`vault.${field} has no meaning for an existing vault, which is never changed. Remove it.`),
      ),
    );
  });

  it('that exist may say what those of applications are like', () => {
    const applications = [application('a', { vault: { placement: 'perApplication', name: 'kv-a' } })];
    expect(vaults({ existing: vaultId('kv-y'), lock: true, publicAccess: true }, { applications })).toEqual(
      [],
    );
  });

  it('of applications are refused alike', () => {
    const own = (vault: Record<string, unknown>) =>
      problemsOf(
        oneOf({ applications: [application('a', { vault: { placement: 'perApplication', ...vault } })] }),
      );

    expect(own({ existing: vaultId('kv-a') })).toEqual([]);
    expect(own({ existing: vaultId('kv-a'), lock: false })).toEqual([
      key(
        'applications[0].vault.lock: false has no meaning with `existing`. Allowed: only with `name`. Remove it, or set `name`.',
      ),
    ]);
    expect(own({ existing: vaultId('kv-a'), name: 'kv-b' })).toEqual([
      expect.stringContaining('applications[0].vault.name: "kv-b" has no meaning with `existing`'),
    ]);
  });

  it('of applications are of one each', () => {
    const vault = { placement: 'perApplication', existing: vaultId('kv-a') };
    expect(
      problemsOf(oneOf({ applications: [application('a', { vault }), application('b', { vault })] })),
    ).toEqual([
      key(`applications[1].vault.existing: "${vaultId('kv-a')}" is the vault of a already. Set another.`),
    ]);
  });

  it('of applications are not described where there is none', () => {
    expect(
      problemsOf(
        oneOf({
          applications: [
            application('a', { vault: { existing: vaultId('kv-a') } }),
            application('b', { vault: { lock: true } }),
          ],
        }),
      ),
    ).toEqual(
      expect.arrayContaining([
        key(
          `applications[0].vault.existing: "${vaultId('kv-a')}" needs a vault of the application's own, but its secrets are in the central vault. Remove it, set it on the central \`vault\`, or set \`placement: perApplication\` beside it.`,
        ),
        key(
          "applications[1].vault.lock: true needs a vault of the application's own, but its secrets are in the central vault. Remove it, set it on the central `vault`, or set `placement: perApplication` beside it.",
        ),
      ]),
    );
  });

  it('have a firewall only with public access', () => {
    const network = { allowedIpRanges: ['203.0.113.7'] };
    expect(vaults({ name: 'kv-x', publicAccess: true, network })).toEqual([]);
    expect(vaults({ name: 'kv-x', network })).toEqual([
      key(
        'vault.network: an object has no effect on a vault without public access. Allowed: a firewall beside `vault.publicAccess: true`. Set `publicAccess: true` on `vault`, or remove it and reach the vault through `privateEndpoints`.',
      ),
    ]);
  });

  it('have one endpoint a subnet', () => {
    const privateEndpoints = [{ subnet: subnetId('apps') }, { subnet: subnetId('APPS') }];
    expect(vaults({ name: 'kv-x', privateEndpoints })).toEqual([
      key(
        `vault.privateEndpoints[1].subnet: "${subnetId('APPS')}" is in the list already; the two differ only in case, and Azure does not tell them apart. Remove one of them.`,
      ),
    ]);
  });
});

describe('the log workspace', () => {
  it.each([
    [{ name: 'log-x', retentionInDays: 90 }, []],
    [{ existing: workspaceId('log-x') }, []],
    [{}, ['logs.workspace: has none of `name`, `existing`. Allowed: exactly one of them. Add one.']],
    [
      { existing: workspaceId('log-x'), retentionInDays: 90 },
      [
        'logs.workspace.retentionInDays: 90 has no meaning with `existing`. Allowed: only with `name`. Remove it, or set `name`.',
      ],
    ],
  ])('is made or existing: %j', (workspace, problems) => {
    expect(problemsOf(oneOf({ logs: { workspace } }))).toEqual(problems.map(key));
  });
});
