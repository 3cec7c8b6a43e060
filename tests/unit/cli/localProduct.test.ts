import * as localProduct from '../../../cli/localProduct';
import { meansLocal } from '../../../localcloud/commands/localEnvironment';
import type { Product } from '../../../localcloud/commands/product';

const product: Product = localProduct;
const { errors, onlyAdvises, secretNames, usesRareTools } = product;
const config = (settings: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(settings).map(([key, value]) => [`aks-workload-identity:${key}`, value]));

describe('the cloud of a command', () => {
  const deployed = (stack: string): boolean => stack === 'dev';
  it.each([
    ['a command that needs no cloud', ['validate', '--stack', 'dev'], false],
    ['the source stack of a promotion', ['promote', '--from', 'dev', '--to', 'prod'], true],
    ['not the target stack of a promotion', ['promote', '--to', 'dev', '--from', 'prod'], false],
    ['access by settings', ['access', '--stack', 'dev'], false],
    ['access by what is deployed', ['access', '--stack', 'dev', '--deployed'], true],
    ['a deployed side of a comparison', ['access', '--diff', 'a.json', 'dev', '--json'], true],
    ['a comparison of files', ['access', '--diff', 'Pulumi.dev.yaml', 'dev.json'], false],
  ])('is the local one or Azure: %s', (_what, args, expected) => {
    expect(meansLocal(product, args, deployed)).toBe(expected);
  });
});

it.each([
  [{ name: 'aks-1', podIdentity: { install: true } }, true],
  [{ name: 'aks-1', hyperShift: { install: { manifests: ['./a.yaml'] } } }, true],
  [{ name: 'aks-1' }, false],
])('clusters [%j] use what is built for few: %s', (cluster, uses) => {
  expect(usesRareTools(config({ clusters: [{ name: 'aks-0' }, cluster] }))).toBe(uses);
  expect(usesRareTools({})).toBe(false);
});

it.each([
  ['advisory', true],
  ['mandatory', false],
])('policies that are %s only advise: %s', (level, advises) => {
  expect(onlyAdvises(config({ policies: { level } }))).toBe(advises);
  expect(onlyAdvises({})).toBe(false);
});

it.each(['has 1 error', 'has 12 errors', ', with the files that it names, has 2 errors'])(
  'an invalid stack file is recognized: %s',
  (count) => {
    const message = `Pulumi.local.yaml${count.replace(/^has/, ' has')}; nothing was changed.\n\n  aks-workload-identity:location: "" is empty.`;
    expect(message).toMatch(errors.invalid);
  },
);

it.each(['/subscriptions/s exists in Azure', '/applications/a exists in Entra'])(
  'a resource that exists is recognized: %s',
  (message) => expect(`${message}, and the stack would create it.`).toMatch(errors.exists),
);

describe('the secrets of a configuration', () => {
  const named = (settings: Record<string, unknown>, stack = 'local', files: Record<string, string> = {}) =>
    secretNames(config(settings), stack, (file) => files[file]);

  it('are those of applications, of their access windows, and of groups, once each', () => {
    const applications = [
      { name: 'orders', secrets: ['orders-db', 'shared'] },
      { name: 'billing', secrets: ['shared'], accessWindows: [{ secrets: ['at-times'] }] },
    ];
    const groups = [{ name: 'readers', secrets: ['by-group'] }];
    expect(named({ applications, groups })).toEqual(['orders-db', 'shared', 'at-times', 'by-group']);
  });

  it.each([7, [7, null, { secrets: [5, null, { a: 1 }] }]])(
    'are none in a malformed list: %j',
    (applications) => expect(named({ applications })).toEqual([]),
  );

  describe('with release files', () => {
    const applications = [
      { name: 'orders', release: './applications/orders.yaml' },
      { name: 'own', secrets: ['own-db'] },
    ];
    const release = `name: orders
environments: { dev: 1.5.0, prod: 1.4, odd: [1] }
releases:
  1.5.0: { secrets: [orders-db, orders-cache] }
  1.4: { secrets: [orders-db] }
`;

    it.each([
      ['dev', ['orders-db', 'orders-cache', 'own-db']],
      ['prod', ['orders-db', 'own-db']],
      ['odd', ['own-db']],
      ['local', ['own-db']],
    ])('are those of the release that is pinned for %s', (stack, expected) => {
      expect(named({ applications }, stack, { './applications/orders.yaml': release })).toEqual(expected);
    });

    it.each([
      [{}],
      [{ './applications/orders.yaml': 'releases: [' }],
      [{ './applications/orders.yaml': '5' }],
    ])('leave an unreadable one to the program: %j', (files) =>
      expect(named({ applications }, 'dev', files)).toEqual(['own-db']),
    );
  });
});
