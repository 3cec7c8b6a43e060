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
      [],
      files(block),
    );

    expect(plan.refusals).toEqual([]);
    expect(plan.promoted).toEqual([
      {
        application: 'orders',
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
    const [promoted] = planPromotion(stack('dev', orders), stack('prod', orders), [], files(same)).promoted;

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
      'dev has no application order. Applications with a release file: orders.',
      'Did you mean orders?',
    ],
    [
      'an application without a release file',
      billing,
      billing,
      ['billing'],
      block,
      'Application billing of dev has no release file, so there is nothing to promote.',
      'Move its `image` or `chart` and its `secrets` into one, and name it with `release`.',
    ],
    [
      'nothing to promote',
      billing,
      billing,
      [],
      block,
      'No application of dev has a release file.',
      'Move what is promoted into one for each application, and name it with `release`.',
    ],
    [
      'an application that the other lacks',
      orders,
      billing,
      [],
      block,
      'prod has no application orders.',
      'Add it to Pulumi.prod.yaml with `release: ./applications/orders.yaml`, or name those to promote with --application.',
    ],
    [
      'another release file',
      orders,
      elsewhere,
      [],
      block,
      'Application orders of prod has another release file, other.yaml, and that of dev has ./applications/orders.yaml.',
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
    const plan = planPromotion(stack('dev', from), stack('prod', to), only, files(text));

    expect(plan).toEqual({ promoted: [], refusals: [{ what, remedy }] });
  });
});
