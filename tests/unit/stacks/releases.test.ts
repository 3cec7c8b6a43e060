import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { validate } from '../../../stacks/checks/configuration';
import { formatProblem } from '../../../stacks/settings/problem';
import { projectFiles } from '../../../stacks/settings/projectFiles';
import { deployed } from './deployed';
import { releaseDigest } from '../../../stacks/settings/releases/digest';
import { readReleases } from '../../../stacks/settings/releases/file';
import { record, valueOf } from '../components/support/recorder';
import { application, validInput } from './settings';

// What these do not prove: that the program is run where the paths lead to the files; the end-to-end test does.

const orders = `
name: orders
environments: { test: 1.5.0, prod: 1.4.0 }
releases:
  1.5.0: { image: 'x/orders:1.5.0', secrets: [orders-db], port: 9000, env: { LEVEL: info, REGION: eu } }
  1.4.0: { image: 'x/orders:1.4.0', secrets: [orders-db] }
`;
const file = './applications/orders.yaml';

const input = (more: Record<string, unknown> = {}, changes: Record<string, unknown> = {}) =>
  validInput({
    clusters: [{ name: 'aks-1' }],
    applications: [{ name: 'orders', release: file, ...more }],
    secretValues: { 'orders-db': 'value' },
    ...changes,
  });

const files =
  (text = orders) =>
  (name: string) =>
    name === 'applications/orders.yaml' ? text : undefined;

function problems(text: string, given = input(), environment = 'test'): string[] {
  const validation = validate(environment, given, files(text));
  return validation.ok ? [] : validation.problems.map(formatProblem);
}

function plan(given = input(), environment = 'test') {
  const validation = validate(environment, given, files());
  if (!validation.ok) throw new Error(validation.problems.map(formatProblem).join('\n'));
  return validation.configuration.plan;
}

describe('an application with a release file', () => {
  it('is what the release pinned for the environment says, and grants what that names', () => {
    const { clusters, vaults } = plan();

    expect(clusters[0]?.workloads[0]).toMatchObject({
      version: '1.5.0',
      application: { name: 'orders', image: 'x/orders:1.5.0', secrets: ['orders-db'], port: 9000 },
    });
    expect(clusters[0]?.identities[0].grants).toEqual([{ vault: 'kv-test', secrets: ['orders-db'] }]);
    expect(vaults[0]?.secrets).toEqual(['orders-db']);
    expect(plan(input(), 'prod').clusters[0]?.workloads[0]).toMatchObject({
      version: '1.4.0',
      application: { image: 'x/orders:1.4.0' },
    });
  });

  it('keeps what the stack file says of it: replicas, overrides, and variables, which win', () => {
    const { clusters } = plan(
      input({
        replicas: 5,
        env: { LEVEL: 'debug', EXTRA: 'x' },
        overrides: [{ clusters: ['aks-1'], env: { REGION: 'us' } }],
      }),
    );

    expect(clusters[0]?.workloads[0]?.application).toMatchObject({
      replicas: 5,
      env: { LEVEL: 'debug', EXTRA: 'x', REGION: 'us' },
    });
  });

  it('has a digest of what its release runs and may read, and of nothing else', () => {
    const content = { image: 'x/y:1', secrets: ['a', 'b'], env: { A: '1', B: '2' } };
    const digest = releaseDigest(content);

    expect(digest).toMatch(/^[0-9a-f]{16}$/);
    expect(releaseDigest({ env: { B: '2', A: '1' }, secrets: ['b', 'a'], image: 'x/y:1' })).toBe(digest);
    const others = [
      { ...content, image: 'x/y:2' },
      { ...content, secrets: ['a'] },
      { ...content, env: { A: '1', B: '3' } },
      { ...content, port: 80 },
      { ...content, chart: { chart: './x', values: { b: 1, a: [1, 2] } } },
      { ...content, chart: { chart: './x', values: { a: [2, 1], b: 1 } } },
    ].map(releaseDigest);
    expect(new Set([digest, ...others]).size).toBe(others.length + 1);
  });

  it('is told in the outputs with its version and that digest, whatever is different on a cluster', async () => {
    const given = input({ replicas: 7, overrides: [{ clusters: ['aks-1'], env: { REGION: 'us' } }] });
    const validation = validate('test', given, files());
    if (!validation.ok) throw new Error(validation.problems.map(formatProblem).join('\n'));
    const { configuration } = validation;
    const { result } = await record(() => deployed(configuration));

    expect(await valueOf(result.workloads)).toMatchObject([
      {
        version: '1.5.0',
        digest: releaseDigest({
          image: 'x/orders:1.5.0',
          secrets: ['orders-db'],
          port: 9000,
          env: { LEVEL: 'info', REGION: 'eu' },
        }),
      },
    ]);
  });

  it('has no version without one', () => {
    const { clusters } = plan(input({}, { applications: [application('orders')], secretValues: {} }));

    expect(clusters[0]?.workloads[0]?.version).toBeUndefined();
  });

  const either = (key: string) => `Allowed: either \`${key}\` or \`release\`. Remove one of them.`;
  const only = (keys: string) => `Allowed: only with ${keys}. Remove it, or set ${keys}.`;

  it.each([
    ['image', { image: 'x:1' }, '"x:1"', either('image')],
    ['chart', { chart: { chart: './x' } }, 'an object', either('chart')],
    ['secrets', { secrets: ['orders-db'] }, 'a list of 1', only('`image` or `chart`')],
    ['port', { port: 80 }, '80', only('`image`')],
    ['overrides[0].image', { overrides: [{ clusters: ['aks-1'], image: 'x:2' }] }, '"x:2"', only('`image`')],
  ])('may not have %s beside it', (key, more, value, rest) => {
    expect(problems(orders, input(more))).toEqual([
      `aks-workload-identity:applications[0].${key}: ${value} has no meaning with \`release\`. ${rest}`,
    ]);
  });
});

describe('a release file', () => {
  const of = (release: string) =>
    `name: orders\nenvironments: { test: 1.5.0 }\nreleases:\n  1.5.0: ${release}\n`;

  it.each([
    [
      'that does not exist',
      input({ release: './applications/order.yaml' }),
      orders,
      'aks-workload-identity:applications[0].release: "./applications/order.yaml" is no file of the project. Write it, or correct this path, which is relative to the project.',
    ],
    [
      'that is no YAML',
      input(),
      'name: [orders',
      'applications/orders.yaml: is not YAML: Flow sequence in block collection must be sufficiently indented and end with a ] (line 1, column 14). Correct it.',
    ],
    [
      'with an alias that has no anchor',
      input(),
      `${orders}common: *settings\n`,
      `applications/orders.yaml: is not YAML: The alias *settings has no anchor before it (line ${orders.split('\n').length}, column 9). Correct it.`,
    ],
    [
      'that says a thing twice',
      input(),
      'name: orders\nname: orders',
      'applications/orders.yaml: is not YAML: The key "name" is in line 1, column 1 already (line 2, column 1). Correct it.',
    ],
    [
      'that is empty',
      input(),
      '',
      'applications/orders.yaml: has no releases. Allowed: an object of `name`, `environments` and `releases`.',
    ],
    [
      'of another application',
      input(),
      orders.replace('name: orders', 'name: order'),
      'applications/orders.yaml: name: "order" is not the application that names this file, "orders". Correct it, or `release`.',
    ],
    [
      'without a pin for the environment',
      input(),
      orders.replace('test:', 'tset:'),
      'applications/orders.yaml: environments.test: is missing, so the stack has no release of the application. Allowed: 1.5.0, 1.4.0. Add it, for example `test: "1.5.0"`; there is tset.',
    ],
    [
      'whose pin names no release',
      input(),
      orders.replace('prod: 1.4.0', 'prod: 1.4.1'),
      'applications/orders.yaml: environments.prod: "1.4.1" is no release of this file. Allowed: 1.5.0, 1.4.0. Add it to `releases`, or did you mean 1.4.0?',
    ],
    [
      'with a wrong value',
      input(),
      of('{ image: x }'),
      'applications/orders.yaml: releases["1.5.0"].image: "x" is not allowed. Allowed: an image reference with a tag or a digest, such as ghcr.io/owner/name:1.2.3.',
    ],
    [
      'with a variable that the workload sets itself',
      input(),
      of("{ image: 'x:1', env: { KEY_VAULT_URI: x } }"),
      'applications/orders.yaml: releases["1.5.0"].env.KEY_VAULT_URI: "KEY_VAULT_URI" is not allowed. Allowed: letters, digits and underscores, not starting with a digit, and none of AZURE_AUTHORITY_HOST, AZURE_CLIENT_CERTIFICATE_PATH, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET, AZURE_FEDERATED_TOKEN_FILE, AZURE_TENANT_ID, KEY_VAULT_URI, SECRET_NAMES, which the deployment and the workload identity webhook set.',
    ],
    [
      'with an unknown key',
      input(),
      of("{ image: 'x:1', secret: [a] }"),
      'applications/orders.yaml: releases["1.5.0"].secret: is not a known key. Allowed: image, secrets, port, env, chart. Did you mean secrets?',
    ],
    [
      'with nothing to run',
      input(),
      of('{ secrets: [] }'),
      'applications/orders.yaml: releases["1.5.0"]: has none of `image`, `chart`. Allowed: exactly one of them. Add one.',
    ],
    [
      'with an image and a chart',
      input(),
      of("{ image: 'x:1', chart: { chart: ./x } }"),
      'applications/orders.yaml: releases["1.5.0"].image: "x:1" has no meaning with `chart`. Allowed: either `image` or `chart`. Remove one of them.',
    ],
    [
      'whose versions are none',
      input(),
      orders.replaceAll('1.4.0', '1.4'),
      'applications/orders.yaml: environments.prod: 1.4 is not allowed. Allowed: a version of three numbers in quotes, such as "1.5.0" or "1.5.0-rc.1".',
    ],
    [
      'without a name',
      input(),
      orders.replace('name: orders', ''),
      'applications/orders.yaml: name: is missing. Allowed: 1 to 63 lower-case letters, digits and hyphens, starting and ending with a letter or digit. Add it.',
    ],
    [
      'that breaks a rule across the configuration, at its place in the file',
      input(),
      of("{ image: 'x:1', secrets: [a, a] }"),
      'applications/orders.yaml: releases["1.5.0"].secrets[1]: "a" is in the list already. Remove one of them.',
    ],
    [
      'whose chart is incomplete',
      input(),
      of('{ chart: { chart: x } }'),
      'applications/orders.yaml: releases["1.5.0"].chart.version: is missing. Allowed: one exact version such as 1.2.3. Add it: without it, the newest chart of the day would be installed.',
    ],
  ])('%s is refused', (_what, given, text, message) => {
    expect(problems(text, given)).toContain(message);
  });

  it('shows no value of a variable', () => {
    expect(problems(of("{ image: 'x:1', env: { PASSWORD: 12345 } }"))).toEqual([
      'applications/orders.yaml: releases["1.5.0"].env.PASSWORD: is not allowed. Allowed: a text; numbers and true or false in quotes. Write it in quotes.',
    ]);
  });

  it('that is wrong is all that is said of its application: what it would name is not known', () => {
    expect(problems('', input({ delivery: 'files' }))).toEqual([
      'applications/orders.yaml: has no releases. Allowed: an object of `name`, `environments` and `releases`.',
    ]);
  });

  it.each(['/etc/passwd.yaml', '../other/orders.yaml', 'a/../../orders.yaml', '~/orders.yaml', 'orders.txt'])(
    'at a place like %s is refused once, and not read',
    (release) => {
      const read: string[] = [];
      const validation = validate('test', input({ release }), (name) => {
        read.push(name);
        return orders;
      });

      expect(validation.ok ? [] : validation.problems.map(formatProblem)).toEqual([
        expect.stringContaining(`applications[0].release: ${JSON.stringify(release)} is not allowed.`),
      ]);
      expect(read).toEqual([]);
    },
  );

  it('that is wrong hides nothing that is wrong elsewhere', () => {
    const given = validInput({
      location: 'West Europe',
      applications: [
        { name: 'orders', release: file },
        application('shop', { namespace: 'default' }),
        application('till', { replicas: -1 }),
      ],
      secretValues: {},
    });

    expect(problems('', given).map((line) => line.split(' ')[0])).toEqual([
      'aks-workload-identity:location:',
      'aks-workload-identity:applications[2].replicas:',
      'applications/orders.yaml:',
      'aks-workload-identity:applications[1].namespace:',
    ]);
  });
});

describe('the release files of the project', () => {
  const root = path.join(__dirname, '../../..');
  const names = readdirSync(path.join(root, 'applications'));

  it('are there', () => {
    expect(names).toEqual(expect.arrayContaining(['orders.yaml', 'billing.yaml']));
  });

  it.each(names)('%s is right', (name) => {
    expect(readReleases('applications', `./applications/${name}`, projectFiles(root)).problems).toEqual([]);
  });

  it('are read from the project, and only files are', () => {
    const read = projectFiles(root);

    expect(read('applications/orders.yaml')).toBe(
      readFileSync(path.join(root, 'applications/orders.yaml'), 'utf8'),
    );
    expect(read('applications')).toBeUndefined();
    expect(read('applications/nothing.yaml')).toBeUndefined();
  });
});
