import { head } from '../stackFileText';
import type { Change, Subject } from './table';
import { each, refused, valid } from './table';

const ours = 'aks-workload-identity';
const application = `  ${ours}:applications:
    - { name: orders, image: 'x/y:1', secrets: [orders-db] }
`;
const withVariable = (value: string) => `${head}  ${ours}:applications:
    - name: orders
      image: x/y:1
      env: { A: ${value} }
`;
const aliases = [
  'a: &a [1]',
  'b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]',
  'c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]',
  'd: [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]',
].join('\n');
const release = `name: orders
environments:
  test: '2.0.0'
releases:
  '1.0.0':
    image: x/y:1
    secrets: [orders_db]
`;
const released = (text: string): Change => ({
  './Pulumi.test.yaml': `${head}  ${ours}:applications:\n    - name: orders\n      release: ./applications/orders.yaml\n`,
  [`./applications/${text === '' ? 'others' : 'orders'}.yaml`]: text,
});

/** What is no stack file. */
export const noStackFile: Subject = {
  rows: {
    'longer than any real file': refused(`${head}# ${'x'.repeat(4_950_000)}: [`, '1'),
    'no YAML, whose content is not shown': refused(
      `config:\n  ${ours}:secretValues:\n    a: "hunter2\n`,
      '4:1',
    ),
    empty: refused('', '1'),
    'a list': refused('- a\n', '1'),
    'without a configuration': refused('encryptionsalt: v1\n', '1'),
    'a string for the configuration': refused('config: x\n', '1'),
    'two documents': refused(`${head}---\n${head}`, '7:1'),
    'an endless reference to itself': refused('config:\n  a: &a [*a]\n', '2:10'),
    'a reference to an unknown anchor': refused('config: { a: *b }\n', '1:14'),
    'aliases that multiply its values excessively': refused(aliases, '1:1'),
    'a key twice': refused(`${head}${head.replace('config:\n', '')}`, '7:3', '8:3', '9:3', '10:3'),
    'indented by a tab': refused(`config:\n\tlocation: westeurope\n  resourceGroup: rg-test\n`, '2:1'),
    'a directive that parsers follow differently': refused(`%YAML 1.1\n---\n${head}`, '1:1'),
    'a control character': refused(`# \u0001\n${head}`, '1:3'),
    'a character that is not in UTF-8': refused(`# d\uFFFDv\n${head}`, '1:4'),
  },
};

/** Values that parsers of YAML read differently. */
export const ambiguousValues: Subject = {
  rows: {
    ...each(
      ['2024-01-01', 'yes', 'off', '1:30', '00:00', '0b11', '1_000', '0X1F', '-0O17', '!own text'],
      (value) => [value, refused(withVariable(value), '10')],
    ),
    // This parser does not read these as texts.
    ...each(['012', '!!binary aGk=', '{ [a, b]: c }'], (value) => [
      value,
      refused(withVariable(value), '10', '10'),
    ]),
    ...each(
      ['"2024-01-01"', "'yes'", '1.5.0', 'text', '"012"', '0B3C6F0E-1c', '10.0.0.0/16', '"1:30"'],
      (value) => [`none in ${value}`, valid(withVariable(value))],
    ),
    'a secret': refused(`${head}  ${ours}:secretValues: { orders-db: 012 }\n`, '7', '7'),
    'as keys': refused(`${head}  ${ours}:tags: { 2024-01-01: a, on: b, "off": c }\n`, '7', '7'),
  },
};

export const unreadKeys: Subject = {
  rows: {
    'of a misspelled namespace': refused(`${head}  aks-workload-identiy:identity: application\n`, '7'),
    'of another namespace': refused(`${head}  aws:region: x\n`, '7'),
    'beside the configuration': refused(`${head}${ours}:identity: application\n`, '7'),
    'misspelled beside the configuration': refused(`encryptionsallt: v1:x\n${head}`, '1'),
    'none of the providers, of the engine, or of the stack itself': valid(
      `encryptionsalt: v1:x\n${head}  azure-native:location: westeurope\n  pulumi:tags: {}\n`,
    ),
    'as all that a file has': refused('config:\n  other:location: westeurope\n', '1', '1', '1', '1', '2'),
    'with a further colon': refused(`${head}  ${ours}:config:location: mars\n`, '7'),
    'with a further colon, not of the configuration': refused(`${head}  ${ours}:identity:foo: bar\n`, '7'),
    'both with and without the namespace': refused(`${head}  location: northeurope\n`, '7'),
  },
};

/** Where problems are in a file. */
export const lines: Subject = {
  rows: {
    'of values, of keys, and of what lacks a value': refused(
      `# a comment
config:
  location: West Europe
  ${ours}:vault:
    name: kv-test
    acess: rbac
  ${ours}:clusters:
    - name: aks-1
    - name: aks-2
      nodes: { count: 0 }
  ${ours}:applications:
    - name: orders
      image: x/y:1
    - name: billing
      image: x/y:1
      identity: aplication
`,
      '2',
      '3',
      '6',
      '10',
      '16',
    ),
    'in their order, each problem once': refused(
      `${head}  ${ours}:tags: { a: 1, b: 2 }\n  ${ours}:protect: maybe\n`,
      '7',
      '7',
      '8',
    ),
    'of a release file that is not there': refused(released(''), '9'),
    'in a release file': refused(released(release), 'applications/orders.yaml:7'),
  },
};

const secretValues = (text: string) => `${head}${application}  ${ours}:secretValues:\n    ${text}\n`;

export const encryptedValues: Subject = {
  rows: {
    'taken for what they may be': valid(
      `${secretValues('orders-db: { secure: v1:abc }')}encryptionsalt: v1:abc\n`,
    ),
    'under a name that nothing reads': refused(secretValues('order-db:\n      secure: v1:abc'), '10'),
    'in plain text': refused(secretValues('orders-db: hunter2\n    other: { secure: v1:abc }'), '10'),
    'copied from another': refused(
      secretValues('orders-db: { secure: v1:abc }\n    reports-db: { secure: v1:abc }'),
      '11',
    ),
    "copied from the deployer's own credential": refused(
      `${secretValues('orders-db: { secure: v1:abc }')}  azure-native:clientSecret: { secure: v1:abc }\n`,
      '10',
    ),
    'of a kubeconfig in plain text': refused(
      `${head}    - { name: edge-1, mode: external, issuer: "https://i.example" }\n  ${ours}:kubeconfigs: { edge-1: hunter2 }\n`,
      '8',
    ),
    'where they would be shown': refused(
      `${head}  ${ours}:applications:
    - name: orders
      image: { secure: v1:abc }
      env: { TOKEN: { secure: v1:abc } }
`,
      '9',
      '10',
    ),
  },
};
