import { validate } from '../../../stacks/configuration';
import { formatPath } from '../../../stacks/settings/problem';
import { projectFiles } from '../../../stacks/settings/projectFiles';
import { identityId } from './ids';
import { isPrefix, keysIn, pathsIn, renamed, root, stackFile, withValue } from './places';
import { application, shared, validInput } from './settings';

// A field that is wrong in itself neither hides what is wrong elsewhere nor makes what is right look wrong.

const examples: [string, Record<string, unknown>][] = [
  ['Pulumi.local.yaml', stackFile('Pulumi.local.yaml')],
  [
    'a configuration with much',
    validInput({
      vault: {
        ...{ name: 'kv-test', access: 'accessPolicy', overreach: 'accepted', publicAccess: true },
        network: { allowedIpRanges: ['203.0.113.0/24'] },
      },
      vaults: 'perApplication',
      clusters: [
        { name: 'aks-1', tier: 'Free', nodes: { count: 2 }, labels: { region: 'eu' } },
        { name: 'aks-2', identity: { existing: identityId('id-there') } },
        { name: 'aks-3', kubernetesVersion: '1.33' },
      ],
      applications: [
        application('orders', {
          ...{ clusters: { labels: { region: 'eu' } }, replicas: 2, secrets: ['a'], env: { A: 'b' } },
          ...{ ...shared, namespace: 'shop', serviceAccount: 'one', serviceAccounts: ['two'], port: 80 },
          overrides: [{ clusters: ['aks-1'], replicas: 3 }],
          dependencies: [
            { name: 'db', storageAccount: { name: 'stdb', data: ['blobs'] }, connection: 'vault' },
            { name: 'cache', redis: { name: 'redis-shop', sku: 'Premium', capacity: 2 } },
          ],
        }),
        application('delivered', {
          ...{ delivery: 'files', provisioning: 'application', clusters: ['aks-3'] },
          dependencies: [
            { name: 'store', storageAccount: { name: 'ststore', data: ['blobs'] }, connection: 'vault' },
          ],
        }),
        application('billing', {
          ...{
            ...shared,
            namespace: 'shop',
            serviceAccount: 'three',
            secrets: ['b'],
            delivery: 'environment',
          },
          ...{ vault: { name: 'kv-billing', lock: true }, clusters: ['aks-1', 'aks-3'] },
          identity: { existing: { 'aks-1': identityId('id-1'), 'aks-3': identityId('id-3') } },
        }),
      ],
      secretValues: { a: 'value-of-the-test' },
    }),
  ],
];

describe.each(examples)('one wrong value in %s', (_name, input) => {
  const readFile = projectFiles(root);
  const check = (settings: Record<string, unknown>) => validate('local', settings, readFile);
  const cases = pathsIn(input).flatMap((at) => ['Not *valid*', {}, null].map((value) => ({ at, value })));

  it('is absent at first', () => {
    expect(check(input)).toMatchObject({ ok: true });
    expect(cases.length).toBeGreaterThan(50);
  });

  it('makes nothing else look wrong', () => {
    const elsewhere = cases.flatMap(({ at, value }) => {
      const checked = check(withValue(input, at, value) as Record<string, unknown>);
      const problems = checked.ok ? [] : checked.problems;
      // A text may be right where another one was.
      if (!problems.some((problem) => isPrefix(at, problem.path))) return [];
      return problems
        .filter(
          (problem) =>
            problem.file === undefined && !isPrefix(at, problem.path) && !isPrefix(problem.path, at),
        )
        .map(
          (problem) =>
            `${formatPath(at)} = ${JSON.stringify(value)}: ${formatPath(problem.path)} ${problem.what}`,
        );
    });

    expect(elsewhere).toEqual([]);
  });
});

it.each(examples)('one misspelled key in %s makes nothing else look wrong', (_name, input) => {
  const readFile = projectFiles(root);
  const elsewhere = keysIn(input).flatMap((at) => {
    const parent = at.slice(0, -1);
    const key = `${String(at.at(-1))}x`;
    const checked = validate('local', renamed(input, at, key) as Record<string, unknown>, readFile);
    const problems = checked.ok ? [] : checked.problems;
    // A name of a variable, of a label or of a secret is a right one with another letter as well.
    if (!problems.some(({ path: own }) => isPrefix([...parent, key], own))) return [];
    return problems
      .filter(
        (problem) =>
          ![at, [...parent, key]].some((own) => isPrefix(own, problem.path) || isPrefix(problem.path, own)),
      )
      .map((problem) => `${formatPath([...parent, key])}: ${formatPath(problem.path)} ${problem.what}`);
  });

  expect(elsewhere).toEqual([]);
});
