import { dependencyKinds } from '../../../components/dependency/service';
import { dependencyProblems } from '../../../components/dependency/arguments';
import { formatProblem } from '../../../stacks/settings/problem';
import { readYaml } from '../../../stacks/settings/yamlPlaces';
import { application, problemsOf, validInput } from './settings';

const accounts = (count: number) => Array.from({ length: count }, (_, index) => `w-${index}`);
const lines = (changes: Record<string, unknown>) =>
  problemsOf(validInput({ secretValues: {}, ...changes })).map((line) =>
    line.replaceAll('aks-workload-identity:', ''),
  );

describe('all problems', () => {
  it('are in the first round: five of one vault and one of an application', () => {
    const subnet = 'not-a-subnet';
    const found = lines({
      vault: {
        name: 'kv',
        access: 'rbca',
        softDeleteRetentionInDays: 5,
        tags: { 'a/b': 'x' },
        privateEndpoints: [{ subnet }],
      },
      applications: [application('a', { replicas: -1 })],
    });

    expect(found.map((line) => line.split(': ')[0])).toEqual([
      'vault.name',
      'vault.privateEndpoints[0].subnet',
      'vault.tags["a/b"]',
      'vault.access',
      'vault.softDeleteRetentionInDays',
      'applications[0].replicas',
    ]);
  });
});

describe('too many service accounts', () => {
  const alone =
    'The application has its own account beside these: make two applications of it, with a namespace and secrets in common.';

  it.each<[string, Record<string, unknown>]>([
    ['the identity of the cluster', {}],
    ['a shard', { shard: true }],
    ['an identity of its own', { identity: 'application' }],
  ])('of one application under %s are not helped by another identity', (_, more) => {
    const applications = [application('a', { serviceAccounts: accounts(20) }), application('b')];

    expect(lines({ applications, ...more })).toEqual([
      `applications[0].serviceAccounts: a list of 20 comes to 21 service accounts under one identity, which trusts at most 20. ${alone}`,
    ]);
  });

  it('of an identity that an application depends on are those of all its clusters', () => {
    const dependencies = [{ name: 'other', identity: { name: 'id-other' } }];
    const of = (count: number, more: Record<string, unknown> = {}) =>
      lines({
        clusters: ['aks-1', 'aks-2', 'aks-3'].map((name) => ({ name })),
        applications: [application('a', { dependencies, serviceAccounts: accounts(count - 1), ...more })],
      });

    expect(of(6)).toEqual([]);
    expect(of(10, { clusters: ['aks-1', 'aks-2'] })).toEqual([]);
    expect(of(7)).toEqual([
      'applications[0].dependencies[0].identity: an object would trust 7 service accounts on each of 3 clusters, which is 21. Allowed: up to 20 together. Make two applications of it, with some of the `serviceAccounts` or of the `clusters` each, and with an identity each.',
    ]);
  });
});

describe('a long text', () => {
  it('is shortened wherever it is in a message', () => {
    const long = 'x'.repeat(5000);
    const dependencies = [{ name: 'f', storageAccount: { name: long } }];
    const found = lines({
      location: `${long} ${long}`,
      [long]: 1,
      vault: { name: 'kv-test', tags: { [`${long}/`]: 'v' } },
      clusters: [{ name: 'aks-1', labels: { tier: long } }],
      applications: [
        application('a', { clusters: { labels: { tier: `${long}y` } }, dependencies }),
        application(long),
      ],
    });

    expect(found.length).toBeGreaterThan(4);
    expect(found.filter((line) => line.length > 1200)).toEqual([]);
    expect(formatProblem({ path: ['a'], what: `is ${long}` })).toHaveLength(
      'aks-workload-identity:a: is .'.length + 201,
    );
  });
});

describe('two names that differ only in case', () => {
  it('are said to, and names in one case are not', () => {
    const secrets = (...names: string[]) => lines({ applications: [application('a', { secrets: names })] });

    expect(secrets('db', 'DB')).toEqual([
      'applications[0].secrets[1]: "DB" is in the list already; the two differ only in case, and Azure does not tell them apart. Remove one of them.',
    ]);
    expect(secrets('db', 'db')).toEqual([
      'applications[0].secrets[1]: "db" is in the list already. Remove one of them.',
    ]);
    expect(lines({ applications: [], secretValues: { db: 'x', DB: 'y' } })).toEqual([
      'secretValues.DB: is "db" in another spelling, and Key Vault does not tell them apart. Remove one of them.',
    ]);
  });

  it('are two issuers, which Entra compares with regard to case', () => {
    const clusters = ['EU', 'eu'].map((one, index) => ({
      name: `edge-${index}`,
      mode: 'external',
      issuer: `https://issuer.example/${one}`,
    }));

    expect(lines({ clusters, applications: [], kubeconfigs: { 'edge-0': 'x', 'edge-1': 'x' } })).toEqual([]);
  });
});

describe('a key of YAML that is twice in one object', () => {
  it.each([
    ['a: 1\nb:\n  x: 1\n  "x": 2\n', [4, 3, 'The key "x" is in line 3, column 3 already']],
    ['a: 1\nb: {y: 1, x: 1, x: 2}\n', [2, 17, 'The key "x" is in line 2, column 11 already']],
    ['1: a\n1: b\n', [2, 1, 'The key 1 is in line 1, column 1 already']],
  ])('is named with both places: %j', (text, [line, column, message]) => {
    expect(readYaml(text).errors).toEqual([{ line, column, message }]);
  });
});

describe('a word after a or an', () => {
  it.each(Object.entries(dependencyKinds))('has the right one: %s', (kind, { label }) => {
    const service = { [kind]: { name: 'x', spec: {} } };
    const args = { service, connection: 'none' } as unknown as Parameters<typeof dependencyProblems>[0];
    const article = 'aeiou'.includes(label.charAt(0).toLowerCase()) ? 'an' : 'a';

    expect(dependencyProblems(args).map(({ problem }) => problem)).toEqual([
      `is not possible for ${article} ${label}`,
    ]);
  });
});
