import { parse } from 'yaml';
import { planPromotion } from '../../../cli/promote/promotion';
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

const hostedReleases = `name: hc1
environments: { dev: 4.19.2, prod: 4.19.1 }
releases:
  4.19.1: { spec: { release: { image: x/ocp:4.19.1 } } }
  4.19.2: { spec: { release: { image: x/ocp:4.19.2 } } }
`;
const [file, hostedFile] = ['applications/orders.yaml', 'hosted-clusters/hc1.yaml'];
const orders = `{ name: orders, release: ./${file} }`;
const billing = '{ name: billing, image: x/y:1 }';
const hc1 = `{ name: hc1, release: ./${hostedFile} }`;

interface Stacks {
  /** The applications and the hosted clusters of the stacks. */
  readonly dev?: string | readonly [applications: string, hostedClusters: string];
  readonly prod?: string | readonly [applications: string, hostedClusters: string];
  readonly only?: Parameters<typeof planPromotion>[2];
  readonly text?: string;
}

/** The promotion from dev to prod. */
function promotion({ dev = orders, prod = orders, only = {}, text = block }: Stacks) {
  const stack = (name: string, [applications = '', hosted = '']: readonly string[]) => ({
    name,
    file: `Pulumi.${name}.yaml`,
    text: `config:
  aks-workload-identity:applications: [${applications}]
  aks-workload-identity:hostedClusters: [${hosted}]
`,
  });
  const files: Record<string, string> = {
    [file]: text,
    'applications/hc1.yaml': block.replace('name: orders', 'name: hc1'),
    [hostedFile]: hostedReleases,
  };
  return planPromotion(stack('dev', [dev].flat()), stack('prod', [prod].flat()), only, (name) => files[name]);
}

describe('a promotion', () => {
  it('takes every application with a release file, and names what changes', () => {
    expect(promotion({ dev: `${orders}, ${billing}` })).toEqual({
      promoted: [
        {
          ...{ list: 'applications', name: 'orders', file, before: '1.4.0', version: '1.5.0' },
          ...{ text: block, newText: pinVersion(block, 'prod', '1.5.0') },
        },
      ],
      refusals: [],
    });
  });

  it('leaves a file as it is that has the version already', () => {
    const text = pinVersion(block, 'prod', '1.5.0');

    expect(promotion({ text }).promoted).toMatchObject([{ newText: text }]);
  });

  it.each<[string, Stacks, string, string]>([
    [
      'an unknown application',
      { only: { applications: ['order'] } },
      'dev has no application order. Those with a release file: orders.',
      'Did you mean orders?',
    ],
    [
      'an application without a release file',
      { dev: billing, prod: billing, only: { applications: ['billing'] } },
      'The application billing of dev has no release file, so there is nothing to promote.',
      'Move its `image` or `chart` and its `secrets` into one, and set `release` to it.',
    ],
    [
      'nothing to promote',
      { dev: billing, prod: billing },
      'No application and no hosted cluster of dev has a release file.',
      'Move the released settings of each into a release file, and set `release` to it.',
    ],
    [
      'an application that the other lacks',
      { prod: billing },
      'prod has no application orders.',
      'Add it to Pulumi.prod.yaml with `release: ./applications/orders.yaml`, or name those to promote with --application and --hosted-cluster.',
    ],
    [
      'another release file',
      { prod: '{ name: orders, release: other.yaml }' },
      'The application orders of prod has the release file other.yaml, but that of dev has ./applications/orders.yaml.',
      'Set `release: ./applications/orders.yaml` in Pulumi.prod.yaml.',
    ],
    [
      'an environment without a release',
      { text: block.replace(/ {2}dev: .*\n/, '') },
      'applications/orders.yaml has no release for dev.',
      'Add one to its `environments`, and deploy dev.',
    ],
    [
      'a wrong release file',
      { text: 'name: orders\n' },
      'applications/orders.yaml has 2 errors.',
      '`aks-wi validate --stack dev` lists the errors.',
    ],
  ])('is refused for %s', (_, stacks, what, hint) => {
    expect(promotion(stacks)).toEqual({ promoted: [], refusals: [{ what, hint }] });
  });
});

describe('a promotion of a hosted cluster', () => {
  const application = '{ name: hc1, release: applications/hc1.yaml }';
  const both = { dev: [application, hc1], prod: [application, hc1] } as const;

  it('changes its line, and no application that has its name', () => {
    expect(promotion({ ...both, only: { hostedClusters: ['hc1'] } })).toEqual({
      promoted: [
        {
          ...{ list: 'hostedClusters', name: 'hc1', file: hostedFile, before: '4.19.1', version: '4.19.2' },
          ...{ text: hostedReleases, newText: hostedReleases.replace('prod: 4.19.1', 'prod: 4.19.2') },
        },
      ],
      refusals: [],
    });
  });

  it.each<[NonNullable<Stacks['only']>, string[]]>([
    [{}, ['applications', 'hostedClusters']],
    [{ applications: ['hc1'] }, ['applications']],
    [{ hostedClusters: ['hc1', 'hc1'] }, ['hostedClusters']],
    [{ applications: ['hc1'], hostedClusters: ['hc1'] }, ['applications', 'hostedClusters']],
  ])('is one of everything with a release file, or of what is named: %j', (only, lists) => {
    const { promoted } = promotion({ ...both, only });

    expect(promoted.map(({ list, name }) => [list, name])).toEqual(lists.map((list) => [list, 'hc1']));
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
      'Move its `spec` into one, and set `release` to it.',
    ],
    [
      'one that the other lacks',
      hc1,
      '',
      'prod has no hosted cluster hc1.',
      `Add it to Pulumi.prod.yaml with \`release: ./${hostedFile}\`, or name those to promote with --application and --hosted-cluster.`,
    ],
    [
      'one with a `spec` in the other',
      hc1,
      '{ name: hc1, spec: {} }',
      `The hosted cluster hc1 of prod has no release file, but that of dev has ./${hostedFile}.`,
      `Set \`release: ./${hostedFile}\` in Pulumi.prod.yaml.`,
    ],
    [
      'the release file of an application',
      application,
      application,
      // Of each of its two releases: the image, the secrets, and no spec.
      'applications/hc1.yaml has 6 errors.',
      '`aks-wi validate --stack dev` lists the errors.',
    ],
  ])('is refused for %s', (_, dev, prod, what, hint) => {
    const only = { hostedClusters: ['hc1'] };

    expect(promotion({ dev: [application, dev], prod: [application, prod], only })).toEqual({
      promoted: [],
      refusals: [{ what, hint }],
    });
  });
});
