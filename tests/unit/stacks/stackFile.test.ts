import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { projectFiles } from '../../../stacks/settings/projectFiles';
import { checkStackFile, formatPlaced } from '../../../stacks/checks/stackFile';
import { projectRoot } from '../../support/command';
import { check, head } from './stackFileText';

// What these do not prove: that the engine reads YAML as this does; its own rules are named where they are followed.

const nothing = (): undefined => undefined;

describe('a file that is longer than any real one', () => {
  it('is refused with its size, without a look at what is in it', () => {
    expect(check(`${head}# ${'x'.repeat(4_950_000)}: [`).lines).toEqual([
      'Pulumi.test.yaml:1: has 5.0 MB. Allowed: up to 4 MB, some 40,000 applications. Split it into several stacks.',
    ]);
  });
});

describe('a value that parsers of YAML read differently', () => {
  const env = (value: string) => `${head}  aks-workload-identity:applications:
    - name: orders
      image: x/y:1
      env: { A: ${value} }
`;
  const message =
    'has a value or a key that parsers of YAML read differently, such as a date, yes, or 012. Put it in quotes, without a tag.';

  it.each([
    ['2024-01-01'],
    ['yes'],
    ['off'],
    ['012'],
    ['1:30'],
    ['0b11'],
    ['1_000'],
    ['0X1F'],
    ['-0O17'],
    ['!!binary aGk='],
    ['!own text'],
    ['{ [a, b]: c }'],
  ])('is reported with its line: %s', (value) => {
    expect(check(env(value)).lines).toContain(`Pulumi.test.yaml:10: ${message}`);
  });

  it.each([
    ['"2024-01-01"'],
    ["'yes'"],
    ['1.5.0'],
    ['text'],
    ['"012"'],
    ['0B3C6F0E-1c'],
    ['10.0.0.0/16'],
    ['"1:30"'],
  ])('is not %s', (value) => {
    expect(check(env(value)).lines).toEqual([]);
  });

  it('may be a key', () => {
    const text = `${head}  aks-workload-identity:tags: { 2024-01-01: a, on: b, "off": c }\n`;

    expect(check(text).lines).toEqual([7, 7].map((line) => `Pulumi.test.yaml:${line}: ${message}`));
  });
});

describe('a stack file that is valid', () => {
  it('gives what the program would have', () => {
    const { configuration, lines, notes } = check(head);

    expect(lines).toEqual([]);
    expect(notes).toEqual([]);
    expect(configuration).toMatchObject({
      environment: 'test',
      settings: { location: 'westeurope', clusters: [{ name: 'aks-1' }] },
    });
  });

  it.each(
    ['.', ...readdirSync(path.join(projectRoot, 'examples/configurations'))].flatMap((name) => {
      const folder = name === '.' ? '.' : path.join('examples/configurations', name);
      return readdirSync(path.join(projectRoot, folder)).flatMap((file): [string, string][] => {
        const stack = /^Pulumi\.(.+)\.yaml$/.exec(file)?.[1];
        return stack === undefined ? [] : [[path.join(folder, file), stack]];
      });
    }),
  )('is %s', (file, environment) => {
    const text = readFileSync(path.join(projectRoot, file), 'utf8');
    const validate = (changed: string) =>
      checkStackFile({ environment, file, text: changed }, projectFiles(projectRoot)).problems.map(
        formatPlaced,
      );

    // Secrets are set on the machine that deploys. The file says how, and has no other problem.
    const command = /pulumi config set --secret --path '((secretValues|kubeconfigs)\.[^']+)'/;
    const unset = validate(text).map((line) => command.exec(line)?.[1] ?? line);
    const document = parseDocument(text);
    for (const path of unset) {
      const [key = '', name = ''] = path.split('.');
      expect(text).toContain(`pulumi config set --secret --path '${key}.`);
      document.setIn(['config', `aks-workload-identity:${key}`, name], { secure: 'v1:of-the-test' });
    }
    expect(validate(document.toString())).toEqual([]);
  });

  it('may have keys without a namespace, merged mappings and scalars in any form, as for the engine', () => {
    const { configuration, lines } = check(`
x-defaults: &small { tier: Free, nodes: { count: 1 } }
config:
  location: westeurope
  aks-workload-identity:resourceGroup: 1234
  aks-workload-identity:vault: '{"name":"kv-test"}'
  aks-workload-identity:protect: "false"
  aks-workload-identity:clusters:
    - <<: *small
      name: aks-1
  azure-native:location: northeurope
`);

    expect(lines).toEqual([]);
    expect(configuration?.settings).toMatchObject({
      location: 'westeurope',
      resourceGroup: { name: '1234' },
      protect: false,
      clusters: [{ name: 'aks-1', tier: 'Free', nodes: { count: 1 } }],
    });
  });
});

describe('every error', () => {
  it('has the line of its value, of its key, or of what lacks it', () => {
    const { configuration, lines } = check(`# a comment
config:
  location: West Europe
  aks-workload-identity:vault:
    name: kv-test
    acess: rbac
  aks-workload-identity:clusters:
    - name: aks-1
    - name: aks-2
      nodes: { count: 0 }
  aks-workload-identity:applications:
    - name: orders
      image: x/y:1
    - name: billing
      image: x/y:1
      identity: aplication
`);

    expect(configuration).toBeUndefined();
    expect(lines).toEqual([
      'Pulumi.test.yaml:2: aks-workload-identity:resourceGroup: is missing. Allowed: a name (1 to 90 letters, digits and _ ( ) . -, not ending with a period), or { existing: <resource id> }. Add it.',
      'Pulumi.test.yaml:3: aks-workload-identity:location: "West Europe" is not allowed. Allowed: the short name of a region, such as westeurope.',
      'Pulumi.test.yaml:6: aks-workload-identity:vault.acess: is not a known key. Did you mean access?',
      'Pulumi.test.yaml:10: aks-workload-identity:clusters[1].nodes.count: 0 is not allowed. Allowed: a whole number from 1 to 1000.',
      'Pulumi.test.yaml:16: aks-workload-identity:applications[1].identity: "aplication" is not allowed. Allowed: cluster, application, servicePrincipal, { existing: { <cluster>: <resource id> } }, or { servicePrincipal: { credential: certificate } }. Did you mean application?',
    ]);
  });

  it('in a release file has its place there', () => {
    const application = `  aks-workload-identity:applications:
    - name: orders
      release: ./applications/orders.yaml
`;
    const release = `name: orders
environments:
  test: '2.0.0'
releases:
  '1.0.0':
    image: x/y:1
    secrets: [orders_db]
`;
    expect(check(head + application).lines).toEqual([
      'Pulumi.test.yaml:9: aks-workload-identity:applications[0].release: "./applications/orders.yaml" is no file of the project. Write it, or correct this path, which is relative to the project.',
    ]);
    const { lines } = check(head + application, { 'applications/orders.yaml': release });
    expect(lines.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'applications/orders.yaml:7: releases["1.0.0"].secrets[0]:',
    ]);
  });

  it('shows the value of a tag, whatever its name, and of no variable', () => {
    const { lines } = check(`${head}  aks-workload-identity:tags: { env: 1 }
  aks-workload-identity:applications:
    - { name: orders, image: 'x/y:1', env: { tags: 1, env: 2 } }
`);
    expect(lines.map((line) => line.split(' Allowed:')[0])).toEqual([
      'Pulumi.test.yaml:7: aks-workload-identity:tags.env: 1 is not allowed.',
      'Pulumi.test.yaml:9: aks-workload-identity:applications[0].env.tags: is not allowed.',
      'Pulumi.test.yaml:9: aks-workload-identity:applications[0].env.env: is not allowed.',
    ]);
  });

  it('comes after those of lines before it, and once', () => {
    const { lines } = check(`${head}  aks-workload-identity:tags: { a: 1, b: 2 }
  aks-workload-identity:protect: maybe
`);
    expect(lines.map((line) => Number(line.split(':')[1]))).toEqual([7, 7, 8]);
    expect(new Set(lines).size).toBe(3);
  });
});

describe('what is no stack file', () => {
  it('has the line and the column of what is no YAML, and shows nothing of the file', () => {
    const { lines } = check('config:\n  aks-workload-identity:secretValues:\n    a: "hunter2\n');

    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^Pulumi\.test\.yaml:4:1: is not YAML: Missing closing "quote\. Correct it\.$/);
    expect(lines.join()).not.toContain('hunter2');
  });

  it.each([
    ['nothing at all', ''],
    ['a list', '- a\n'],
    ['no configuration', 'encryptionsalt: v1\n'],
    ['a text for it', 'config: x\n'],
  ])('is told so: %s', (_, text) => {
    expect(check(text).lines).toEqual([
      'Pulumi.test.yaml:1: has no `config`. Allowed: the key `config` and, indented below it, the settings, such as `aks-workload-identity:location: westeurope`. Add it.',
    ]);
  });

  it('may be two documents', () => {
    expect(check(`${head}---\n${head}`).lines).toEqual([
      'Pulumi.test.yaml:7:1: is not YAML: A second document starts here, and only one is read. Correct it.',
    ]);
  });

  it('may refer to itself without end', () => {
    expect(check('config:\n  a: &a [*a]\n').lines).toEqual([
      'Pulumi.test.yaml:2:10: is not YAML: The alias *a is within the value of its anchor. Correct it.',
    ]);
  });

  it('may refer to an anchor that there is not', () => {
    expect(check('config: { a: *b }\n').lines).toEqual([
      'Pulumi.test.yaml:1:14: is not YAML: The alias *b has no anchor before it. Correct it.',
    ]);
  });

  it('may multiply its values by aliases beyond measure', () => {
    const rows = [
      'b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]',
      'c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]',
    ];
    const text = `a: &a [1]\n${rows.join('\n')}\nd: [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\n`;
    expect(check(text).lines).toEqual([
      expect.stringMatching(/^Pulumi\.test\.yaml:1:1: is not YAML: Excessive alias/),
    ]);
  });
});

describe('encrypted values', () => {
  const application = `  aks-workload-identity:applications:
    - { name: orders, image: 'x/y:1', secrets: [orders-db] }
`;

  it('are taken for what they may be, unopened', () => {
    const { lines, notes } = check(`${head}${application}  aks-workload-identity:secretValues:
    orders-db: { secure: v1:abc }
encryptionsalt: v1:abc
`);
    expect(lines).toEqual([]);
    expect(notes).toEqual([]);
  });

  it('have names, which are checked', () => {
    const { lines } = check(`${head}${application}  aks-workload-identity:secretValues:
    order-db:
      secure: v1:abc
`);
    expect(lines).toEqual([
      'Pulumi.test.yaml:10: aks-workload-identity:secretValues.order-db: is a secret that no application names. Did you mean orders-db?',
    ]);
  });

  it('as a whole object are noted: not even the names are known', () => {
    const { lines, notes } = check(`${head}  aks-workload-identity:secretValues: { secure: v1:abc }\n`);
    expect(lines).toEqual([]);
    expect(notes).toEqual([
      'aks-workload-identity:secretValues is encrypted as a whole: its names are checked by the engine only.',
    ]);
  });

  it('as a whole object may be those of a cluster outside of Azure', () => {
    const { configuration, lines, notes } = check(`${head}    - name: edge
      mode: external
      issuer: https://issuer.example/
  aks-workload-identity:kubeconfigs: { secure: v1:abc }
`);
    expect(lines).toEqual([]);
    expect(notes).toHaveLength(1);
    expect(configuration?.settings.clusters).toHaveLength(2);
  });

  it('in plain text are an error each, and not shown', () => {
    const { lines } = check(`${head}${application}  aks-workload-identity:secretValues:
    orders-db: hunter2
    other: { secure: v1:abc }
`);
    expect(lines).toEqual([
      "Pulumi.test.yaml:10: aks-workload-identity:secretValues.orders-db: is in plain text in the stack file. Allowed: encrypted values. Remove it, change the secret where it is used, and set it with `pulumi config set --secret --path 'secretValues.orders-db'`.",
    ]);
  });

  it('are refused elsewhere, where they would be shown, with nothing else about them', () => {
    const { lines } = check(`${head}  aks-workload-identity:applications:
    - name: orders
      image: { secure: v1:abc }
      env: { TOKEN: { secure: v1:abc } }
`);
    expect(lines.map((line) => line.split(' ').slice(0, 8).join(' '))).toEqual([
      'Pulumi.test.yaml:9: aks-workload-identity:applications[0].image: is or has an encrypted value,',
      'Pulumi.test.yaml:10: aks-workload-identity:applications[0].env.TOKEN: is or has an encrypted value,',
    ]);
  });
});

describe('what is not looked into', () => {
  it('is an environment of Pulumi ESC', () => {
    const { notes } = checkStackFile(
      { environment: 'test', file: 'Pulumi.test.yaml', text: `environment: [shared]\n${head}` },
      nothing,
    );
    expect(notes).toEqual([
      'Pulumi.test.yaml takes more from an environment of Pulumi ESC, which is not looked into here.',
    ]);
  });
});
