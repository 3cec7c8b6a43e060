import { parse } from 'yaml';
import { planPromotion } from '../../../stacks/promotion/promotion';
import { withValue } from '../../../stacks/settings/yamlEdit';

const pinVersion = (text: string, environment: string, version: string) =>
  withValue(text, ['environments', environment], version);

const block = `# What orders runs.
name: orders
environments: # one line each
  dev: "1.5.0"   # newest
  prod: '1.4.0'

releases:
  1.4.0: { image: x/y:1.4.0, secrets: [] }
  1.5.0:
    image:   x/y:1.5.0
    secrets:
    - orders-db
`;

/** What differs between two texts, line by line. */
function changed(before: string, after: string): string[] {
  const lines = before.split('\n');
  return after.split('\n').filter((line) => !lines.includes(line));
}

describe('a pin', () => {
  it('is the only thing that changes: comments, quotes and format stay', () => {
    const result = pinVersion(block, 'prod', '1.5.0');

    expect(changed(block, result)).toEqual(["  prod: '1.5.0'"]);
    expect(result.split('\n')).toHaveLength(block.split('\n').length);
  });

  it('is added as a line of its own where the environment had none, like the others', () => {
    const result = pinVersion(block.replace(/ {2}prod: .*\n/, ''), 'prod', '1.5.0');

    expect(changed(block, result)).toEqual(['  prod: "1.5.0"']);
    expect(result.indexOf('prod')).toBeGreaterThan(result.indexOf('# newest'));
    expect(parse(result)).toMatchObject({ environments: { dev: '1.5.0', prod: '1.5.0' } });
  });

  it.each([
    [
      'a mapping on one line',
      'environments: { dev: 1.5.0 }\n',
      'environments: { dev: 1.5.0, prod: 1.5.0 }\n',
    ],
    [
      'a last line without its end',
      'environments:\n  dev: 1.5.0',
      'environments:\n  dev: 1.5.0\n  prod: 1.5.0',
    ],
    [
      'lines of Windows',
      'environments:\r\n  dev: 1.5.0\r\nname: a\r\n',
      'environments:\r\n  dev: 1.5.0\r\n  prod: 1.5.0\r\nname: a\r\n',
    ],
    ['an alias', 'environments: { dev: &v 1.5.0, prod: *v }\n', undefined],
    ['no environments yet', 'environments: {}\nname: a\n', undefined],
    ['a text over several lines', 'environments:\n  prod: >-\n    1.4.0\n  dev: 1.5.0\n', undefined],
  ])('may be in %s', (_, text, expected) => {
    const result = pinVersion(text, 'prod', '1.5.0');

    if (expected !== undefined) expect(result).toBe(expected);
    expect(parse(result)).toMatchObject({ environments: { prod: '1.5.0' } });
    const { environments: before } = parse(text) as { environments: object };
    const { environments: after } = parse(result) as { environments: object };
    expect(after).toEqual({ ...before, prod: '1.5.0' });
  });

  it('of an environment whose name looks like a number stays a name', () => {
    expect(parse(pinVersion('environments: { dev: 1.5.0 }\n', '2024', '1.5.0'))).toEqual({
      environments: { dev: '1.5.0', 2024: '1.5.0' },
    });
  });
});

describe('a promotion', () => {
  const stack = (name: string, applications: string) => ({
    name,
    file: `Pulumi.${name}.yaml`,
    text: `config:\n  aks-workload-identity:applications: [${applications}]\n`,
  });
  const orders = '{ name: orders, release: ./applications/orders.yaml }';
  const billing = '{ name: billing, image: x/y:1 }';
  const files = (text: string) => (file: string) => (file === 'applications/orders.yaml' ? text : undefined);

  it('takes every application with a release file, and tells what changes', () => {
    const plan = planPromotion(
      stack('dev', `${orders}, ${billing}`),
      stack('prod', orders),
      {},
      files(block),
    );

    expect(plan.refusals).toEqual([]);
    expect(plan.promoted).toEqual([
      {
        list: 'applications',
        name: 'orders',
        file: 'applications/orders.yaml',
        before: '1.4.0',
        version: '1.5.0',
        text: block,
        newText: pinVersion(block, 'prod', '1.5.0'),
      },
    ]);
  });

  it('leaves a file as it is that has the version already', () => {
    const same = pinVersion(block, 'prod', '1.5.0');
    const [promoted] = planPromotion(stack('dev', orders), stack('prod', orders), {}, files(same)).promoted;

    expect(promoted?.newText).toBe(same);
  });

  const elsewhere = '{ name: orders, release: other.yaml }';
  it.each<[string, string, string, string[], string, string, string]>([
    [
      'an unknown application',
      orders,
      orders,
      ['order'],
      block,
      'dev has no application order. Those with a release file: orders.',
      'Did you mean orders?',
    ],
    [
      'an application without a release file',
      billing,
      billing,
      ['billing'],
      block,
      'The application billing of dev has no release file, so there is nothing to promote.',
      'Move its `image` or `chart` and its `secrets` into one, and name it with `release`.',
    ],
    [
      'nothing to promote',
      billing,
      billing,
      [],
      block,
      'No application and no hosted cluster of dev has a release file.',
      'Move what is promoted into one for each, and name it with `release`.',
    ],
    [
      'an application that the other lacks',
      orders,
      billing,
      [],
      block,
      'prod has no application orders.',
      'Add it to Pulumi.prod.yaml with `release: ./applications/orders.yaml`, or name those to promote with --application and --hosted-cluster.',
    ],
    [
      'another release file',
      orders,
      elsewhere,
      [],
      block,
      'The application orders of prod has another release file, other.yaml, and that of dev has ./applications/orders.yaml.',
      'Set `release: ./applications/orders.yaml` in Pulumi.prod.yaml.',
    ],
    [
      'an environment without a release',
      orders,
      orders,
      [],
      block.replace(/ {2}dev: .*\n/, ''),
      'applications/orders.yaml has no release for dev.',
      'Add one to its `environments`, and deploy dev.',
    ],
    [
      'a wrong release file',
      orders,
      orders,
      [],
      'name: orders\n',
      'applications/orders.yaml has 2 errors.',
      '`aks-wi validate --stack dev` lists the errors.',
    ],
  ])('is refused for %s', (_, from, to, only, text, what, remedy) => {
    const names = only.length === 0 ? {} : { applications: only };
    const plan = planPromotion(stack('dev', from), stack('prod', to), names, files(text));

    expect(plan).toEqual({ promoted: [], refusals: [{ what, remedy }] });
  });
});

describe('a promotion of a hosted cluster', () => {
  const file = 'hosted-clusters/hc1.yaml';
  const releases = `name: hc1
environments: { dev: 4.19.2, prod: 4.19.1 }
releases:
  4.19.1: { spec: { release: { image: x/ocp:4.19.1 } } }
  4.19.2: { spec: { release: { image: x/ocp:4.19.2 } } }
`;
  const stack = (name: string, hosted: string) => ({
    name,
    file: `Pulumi.${name}.yaml`,
    text: `config:
  aks-workload-identity:applications: [{ name: hc1, release: applications/hc1.yaml }]
  aks-workload-identity:hostedClusters: [${hosted}]
`,
  });
  const hc1 = `{ name: hc1, release: ./${file} }`;
  const ofApplication = block.replace('name: orders', 'name: hc1');
  const read = (name: string) => (name === file ? releases : ofApplication);
  const promoted = (only: Parameters<typeof planPromotion>[2]) =>
    planPromotion(stack('dev', hc1), stack('prod', hc1), only, read).promoted.map(({ list, name }) => [
      list,
      name,
    ]);

  it('changes its line, and no application that has its name', () => {
    const plan = planPromotion(stack('dev', hc1), stack('prod', hc1), { hostedClusters: ['hc1'] }, read);

    expect(plan).toEqual({
      promoted: [
        {
          list: 'hostedClusters',
          name: 'hc1',
          file,
          before: '4.19.1',
          version: '4.19.2',
          text: releases,
          newText: releases.replace('prod: 4.19.1', 'prod: 4.19.2'),
        },
      ],
      refusals: [],
    });
  });

  it('is one of everything with a release file, or of what is named', () => {
    const application = ['applications', 'hc1'];
    const hosted = ['hostedClusters', 'hc1'];

    expect(promoted({})).toEqual([application, hosted]);
    expect(promoted({ applications: ['hc1'] })).toEqual([application]);
    expect(promoted({ hostedClusters: ['hc1', 'hc1'] })).toEqual([hosted]);
    expect(promoted({ applications: ['hc1'], hostedClusters: ['hc1'] })).toEqual([application, hosted]);
  });

  it.each<[string, string, string, string, string]>([
    [
      'one that is unknown',
      '{ name: hc2, release: ./hosted-clusters/hc2.yaml }',
      hc1,
      'dev has no hosted cluster hc1. Those with a release file: hc2.',
      'Did you mean hc2?',
    ],
    [
      'one without a release file',
      '{ name: hc1, spec: {} }',
      hc1,
      'The hosted cluster hc1 of dev has no release file, so there is nothing to promote.',
      'Move its `spec` into one, and name it with `release`.',
    ],
    [
      'one that the other lacks',
      hc1,
      '',
      'prod has no hosted cluster hc1.',
      `Add it to Pulumi.prod.yaml with \`release: ./${file}\`, or name those to promote with --application and --hosted-cluster.`,
    ],
    [
      'one with a `spec` in the other',
      hc1,
      '{ name: hc1, spec: {} }',
      `The hosted cluster hc1 of prod has no release file and that of dev has ./${file}.`,
      `Set \`release: ./${file}\` in Pulumi.prod.yaml.`,
    ],
    [
      'the release file of an application',
      '{ name: hc1, release: applications/hc1.yaml }',
      '{ name: hc1, release: applications/hc1.yaml }',
      // Of each of its two releases: the image, the secrets, and no spec.
      'applications/hc1.yaml has 6 errors.',
      '`aks-wi validate --stack dev` lists the errors.',
    ],
  ])('is refused for %s', (_, from, to, what, remedy) => {
    const plan = planPromotion(stack('dev', from), stack('prod', to), { hostedClusters: ['hc1'] }, read);

    expect(plan).toEqual({ promoted: [], refusals: [{ what, remedy }] });
  });
});
