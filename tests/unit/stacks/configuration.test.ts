import { RunError } from '@pulumi/pulumi';
import { readConfiguration, validate } from '../../../stacks/checks/configuration';
import { InvalidConfigurationError } from '../../../stacks/checks/invalidConfiguration';
import { fromPulumiConfig } from '../../../stacks/settings/pulumiConfig';
import { formatProblem } from '../../../stacks/settings/problem';
import { stackSchema } from '../../../stacks/settings/schema';
import { application, problemsOf, validInput } from './settings';

// What these do not prove: that the engine hands the configuration over as `fromPulumiConfig` takes it; the
// engine's tests do.

const operatorId =
  '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-aso';

describe('a valid configuration', () => {
  it('has no problems, and its defaults filled in', () => {
    const validation = validate('test', validInput());

    if (!validation.ok) throw new Error(validation.problems.map(formatProblem).join('\n'));
    expect(validation.configuration.environment).toBe('test');
    expect(validation.configuration.settings).toMatchObject({
      identity: 'cluster',
      vaults: 'central',
      protect: false,
      tags: {},
      certManager: { install: true },
      serviceOperator: { install: true },
      vault: {
        name: 'kv-test',
        access: 'rbac',
        publicAccess: false,
        softDeleteRetentionInDays: 90,
        purgeProtection: true,
        overreach: 'refused',
      },
    });
  });
});

describe('the shape', () => {
  it.each([
    [
      'location',
      { location: 'West Europe' },
      'location: "West Europe" is not allowed. Allowed: the short name of a region, such as westeurope.',
    ],
    [
      'a missing key',
      { location: undefined },
      'location: is missing. Allowed: the short name of a region, such as westeurope. Add it, for example `location: westeurope`.',
    ],
    ['an unknown key', { vualts: 'central' }, 'vualts: is not a known key. Did you mean vaults?'],
    [
      'an unknown key like no other',
      { somethingElse: 1 },
      `somethingElse: is not a known key. Allowed: ${Object.keys(stackSchema.shape).join(', ')}. Remove it.`,
    ],
    [
      'one of a choice',
      { identity: 'clusters' },
      'identity: "clusters" is not allowed. Allowed: cluster, application. Did you mean cluster?',
    ],
    [
      'a number',
      { vault: { name: 'kv-test', softDeleteRetentionInDays: 6 } },
      'vault.softDeleteRetentionInDays: 6 is not allowed. Allowed: a whole number from 7 to 90.',
    ],
    ['a flag', { protect: 'yes' }, 'protect: "yes" is not allowed. Allowed: true, false.'],
    [
      'an object for a list',
      { clusters: { name: 'aks-1' } },
      'clusters: an object is not allowed. Allowed: a list of at least one cluster, such as [{ name: aks-1 }].',
    ],
    [
      'a list for an object',
      { vault: [] },
      'vault: a list of 0 is not allowed. Allowed: an object with at least `name` or `existing`.',
    ],
    [
      'a text for a list, once although it is too short as well',
      { clusters: '', applications: [], secretValues: {} },
      'clusters: "" is not allowed. Allowed: a list of at least one cluster, such as [{ name: aks-1 }].',
    ],
    [
      'a number as a tag',
      { tags: { cost: 12 } },
      'tags.cost: 12 is not allowed. Allowed: a text of up to 256 characters; numbers and true or false in quotes. Write it in quotes.',
    ],
    [
      'no cluster at all',
      { clusters: [], applications: [], secretValues: {} },
      'clusters: a list of 0 is not allowed. Allowed: a list of at least one cluster, such as [{ name: aks-1 }].',
    ],
    [
      'a nested key',
      { clusters: [{ name: 'aks-1', node: 1 }, { name: 'aks-2' }] },
      'clusters[0].node: is not a known key. Did you mean mode or nodes?',
    ],
    [
      'a key of a short list',
      { clusters: [{ name: 'aks-1', nodes: { size: 'Standard_D4ds_v5' } }, { name: 'aks-2' }] },
      'clusters[0].nodes.size: is not a known key. Allowed: count, vmSize. Did you mean vmSize?',
    ],
    [
      'a number for a version',
      { clusters: [{ name: 'aks-1', kubernetesVersion: 1.35 }, { name: 'aks-2' }] },
      'clusters[0].kubernetesVersion: 1.35 is not allowed. Allowed: a version in quotes such as "1.35" or "1.35.4". Write it in quotes.',
    ],
    [
      'an image without a tag',
      { applications: [application('a', { image: 'ghcr.io/x/reader' })], secretValues: {} },
      'applications[0].image: "ghcr.io/x/reader" is not allowed. Allowed: an image reference with a tag or a digest, such as ghcr.io/owner/name:1.2.3.',
    ],
    [
      'a version range',
      { certManager: { version: '^1.2.3' } },
      'certManager.version: "^1.2.3" is not allowed. Allowed: one exact version such as 1.2.3 (a range would change without a change here).',
    ],
    [
      'an absolute path',
      { serviceOperator: { chart: '/charts/aso.tgz' } },
      'serviceOperator.chart: "/charts/aso.tgz" is not allowed. Allowed: a name with `repository`, oci://…, or a relative path such as ./charts/reports.',
    ],
    [
      'CRD patterns',
      { serviceOperator: { crdPattern: '' } },
      'serviceOperator.crdPattern: "" is not allowed. Allowed: group/kind patterns separated by semicolons, such as "resources.azure.com/*".',
    ],
  ])('%s', (_, changes, expected) => {
    expect(problemsOf(validInput(changes))).toEqual([`aks-workload-identity:${expected}`]);
  });
});

describe('the whole', () => {
  it.each<[string, Record<string, unknown>, string | RegExp]>([
    [
      'a cluster twice',
      { clusters: [{ name: 'aks-1' }, { name: 'aks-2' }, { name: 'aks-1' }] },
      'clusters[2].name: "aks-1" is the name of aks-workload-identity:clusters[0] already. Give each cluster its own name.',
    ],
    [
      'an application twice',
      { applications: [application('a'), application('a')], secretValues: {} },
      'applications[1].name: "a" is the name of aks-workload-identity:applications[0] already. Give each application its own name.',
    ],
    [
      'a secret twice in a list',
      { applications: [application('a', { secrets: ['db', 'DB'] })], secretValues: {} },
      /applications\[0\]\.secrets\[1\]: "DB" is in the list already/,
    ],
    [
      'an unknown cluster',
      { applications: [application('a', { clusters: ['aks1'] })], secretValues: {} },
      'applications[0].clusters[0]: "aks1" is no cluster of this stack. Allowed: aks-1, aks-2. Did you mean aks-1?',
    ],
    [
      'nothing to run',
      { applications: [{ name: 'a' }], secretValues: {} },
      'applications[0]: has none of `image`, `chart`, `release`. Allowed: exactly one of them. Add one.',
    ],
    [
      'image and chart',
      { applications: [application('a', { chart: { chart: './x' } })], secretValues: {} },
      'applications[0].image: "ghcr.io/x/reader:1" has no meaning with `chart`. Allowed: either `image` or `chart`. Remove one of them.',
    ],
    [
      'replicas beside a chart',
      { applications: [{ name: 'a', replicas: 3, chart: { chart: './x' } }], secretValues: {} },
      'applications[0].replicas: 3 has no meaning with `chart`. Allowed: only with `image` or `release`. Remove it, or set `image` or `release`.',
    ],
    [
      'a chart from nowhere',
      { applications: [{ name: 'a', chart: { chart: 'x', version: '1.2.3' } }], secretValues: {} },
      'applications[0].chart.repository: is missing: "x" is neither a path nor an OCI reference. Allowed: an https:// URL. Add it, or write ./ before a path.',
    ],
    [
      'a chart of any version',
      {
        applications: [{ name: 'a', chart: { chart: 'x', repository: 'https://charts.example' } }],
        secretValues: {},
      },
      /applications\[0\]\.chart\.version: is missing.*newest chart of the day/,
    ],
    [
      'a repository beside a file',
      { certManager: { chart: './x.tgz', repository: 'https://charts.example' } },
      'certManager.repository: "https://charts.example" has no meaning beside the chart "./x.tgz", which is a file. Remove it.',
    ],
    [
      'a version of a chart that is not installed',
      { certManager: { install: false, version: 'v1.21.2' } },
      'certManager.version: "v1.21.2" has no meaning with `install: false`. Allowed: only with `install: true`. Remove it, or set `install: true`.',
    ],
    [
      'a chart without its version that is not installed, once',
      { serviceOperator: { install: false, chart: 'oci://charts.example/aso' } },
      'serviceOperator.chart: "oci://charts.example/aso" has no meaning with `install: false`. Allowed: only with `install: true`. Remove it, or set `install: true`.',
    ],
    [
      'patterns of an operator that is not installed',
      { serviceOperator: { install: false, crdPattern: 'cache.azure.com/*' } },
      /serviceOperator\.crdPattern: "cache\.azure\.com\/\*" has no meaning with/,
    ],
    [
      'an identity for an operator that is not installed',
      {
        serviceOperator: { install: false },
        clusters: [{ name: 'aks-1' }, { name: 'aks-2', operatorIdentity: { existing: operatorId } }],
      },
      `clusters[1].operatorIdentity.existing: "${operatorId}" has no meaning where the operator is not installed (\`serviceOperator.install: false\`). Allowed: only with the operator installed here. Remove it: whoever installs the operator gives it its rights.`,
    ],
    [
      'a reserved namespace',
      { applications: [application('a', { namespace: 'kube-system' })], secretValues: {} },
      /applications\[0\]\.namespace: "kube-system" is a namespace that is not for applications/,
    ],
    [
      'a reserved name',
      { applications: [application('cert-manager')], secretValues: {} },
      /applications\[0\]\.name: "cert-manager" is a namespace that is not for applications/,
    ],
    [
      'one service account for two',
      {
        applications: [
          application('a', { namespace: 'n', serviceAccount: 's' }),
          application('b', { namespace: 'n', serviceAccount: 's' }),
        ],
        secretValues: {},
      },
      'applications[1].serviceAccount: "n/s" is the service account of aks-workload-identity:applications[0] on aks-1 already. Set another `serviceAccount` or `namespace`.',
    ],
    [
      'the operator’s name',
      { applications: [application('aso')], secretValues: {} },
      /clusters\[0\]\.name: "aks-1" with aso gives the name "aks-1-aso", which something else in the stack has/,
    ],
    [
      'the operator’s name, also where it is not installed: it may be one day, or its identity was kept',
      { applications: [application('aso')], secretValues: {}, serviceOperator: { install: false } },
      /clusters\[0\]\.name: "aks-1" with aso gives the name "aks-1-aso"/,
    ],
    [
      'names that run together',
      {
        clusters: [{ name: 'a' }, { name: 'a-b' }],
        applications: [application('b-c', { clusters: ['a'] }), application('c', { clusters: ['a-b'] })],
        secretValues: {},
      },
      /clusters\[1\]\.name: "a-b" with c gives the name "a-b-c"/,
    ],
    [
      'a vault name that is too long',
      {
        vault: { name: 'kv-test-environment' },
        vaults: 'perApplication',
        applications: [application('invoices')],
        secretValues: {},
      },
      'applications[0].vault.name: gives a resource the name "kv-test-environment-invoices" (28 characters), which is not allowed. Allowed: 3 to 24 letters, digits and single hyphens, starting with a letter and ending with a letter or digit, unique in all of Azure. It is made of the names of the central vault and of the application: set another.',
    ],
    [
      'a vault twice',
      {
        applications: [application('a', { vault: { placement: 'perApplication', name: 'KV-test' } })],
        secretValues: {},
      },
      'applications[0].vault.name: "KV-test" is the name of the central vault already; the two differ only in case, and Azure does not tell them apart. Set another.',
    ],
    [
      'another mode for the central vault',
      { applications: [application('a', { vault: { access: 'accessPolicy' } })], secretValues: {} },
      /applications\[0\]\.vault\.access: "accessPolicy" needs a vault of the application's own/,
    ],
    [
      'a name for the central vault',
      { applications: [application('a', { vault: { name: 'kv-a' } })], secretValues: {} },
      /applications\[0\]\.vault\.name: "kv-a" needs a vault of the application's own/,
    ],
    [
      'one secret in two spellings',
      {
        applications: [application('a', { secrets: ['Shared'] }), application('b', { secrets: ['shared'] })],
        secretValues: {},
      },
      'applications[1].secrets[0]: "shared" is "Shared" in another spelling, and Key Vault does not tell them apart. Write Shared.',
    ],
  ])('%s', (_, changes, expected) => {
    const problems = problemsOf(validInput(changes));

    // The names that run together do so on each cluster.
    expect(new Set(problems.map((problem) => problem.replace(/clusters\[\d\]|aks-\d/g, ''))).size).toBe(1);
    if (typeof expected === 'string') expect(problems[0]).toBe(`aks-workload-identity:${expected}`);
    else expect(problems[0]).toMatch(expected);
  });
});

describe('all errors at once', () => {
  const wrong = {
    location: 'West Europe',
    vault: { name: 'kv-test' },
    clusters: [{ nme: 'aks-0' }, { name: 'aks-1' }, { name: 'aks-1' }],
    applications: [
      application('Wrong'),
      application('right', { namespace: 'kube-system' }),
      application('other', { clusters: ['aks-9'] }),
    ],
    secretValues: { unread: 'x' },
  };

  it('are those of single values and, for what is right in itself, those of the whole', () => {
    const problems = problemsOf(wrong).map((problem) => problem.split(' ')[0]);

    expect(problems.sort()).toEqual(
      [
        'aks-workload-identity:location:',
        'aks-workload-identity:resourceGroup:',
        'aks-workload-identity:clusters[0].name:',
        'aks-workload-identity:clusters[0].nme:',
        'aks-workload-identity:applications[0].name:',
        // Places are those of the file, although the first of each list is left out.
        'aks-workload-identity:clusters[2].name:',
        'aks-workload-identity:applications[1].namespace:',
      ].sort(),
    );
  });

  it('are of the entries that are right also where another has a wrong value, and where a single key has', () => {
    const problems = problemsOf(
      validInput({
        vault: {},
        applications: [
          application('a', { image: 'no-tag' }),
          application('b', { clusters: ['aks-9'], namespace: 'shop', serviceAccount: 's' }),
          application('c', { clusters: ['aks-1'], namespace: 'shop', serviceAccount: 's' }),
          application('d', { clusters: ['aks-1'], namespace: 'shop', serviceAccount: 's' }),
        ],
      }),
    ).map((problem) => problem.split(' ')[0]);

    expect(problems.sort()).toEqual(
      [
        'aks-workload-identity:vault:',
        'aks-workload-identity:applications[0].image:',
        'aks-workload-identity:applications[1].clusters[0]:',
        'aks-workload-identity:applications[3].serviceAccount:',
      ].sort(),
    );
  });

  it('come as one error that has no stack trace', () => {
    const texts = Object.entries(wrong).map(([key, value]) => [
      `aks-workload-identity:${key}`,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const read = () =>
      readConfiguration('test', Object.fromEntries(texts) as Record<string, string>, [
        'aks-workload-identity:secretValues',
      ]);

    expect(read).toThrow(InvalidConfigurationError);
    expect(read).toThrow(
      /^Pulumi\.test\.yaml has 7 errors; nothing was changed\.\n\n {2}aks-workload-identity:/,
    );
    try {
      read();
    } catch (error) {
      expect(RunError.isInstance(error)).toBe(true);
      expect((error as Error).stack).not.toMatch(/\n {4}at /);
    }
  });
});

describe('the configuration as Pulumi hands it over', () => {
  it('is texts and JSON; other namespaces are not ours', () => {
    expect(
      fromPulumiConfig({
        'aks-workload-identity:location': 'westeurope',
        'aks-workload-identity:resourceGroup': '1234',
        'aks-workload-identity:protect': 'false',
        'aks-workload-identity:clusters': '[{"name":"aks-1"}]',
        'aks-workload-identity:applications': 'not a list',
        'azure-native:location': 'northeurope',
      }),
    ).toEqual({
      location: 'westeurope',
      resourceGroup: '1234',
      protect: false,
      clusters: [{ name: 'aks-1' }],
      applications: 'not a list',
    });
  });
});
