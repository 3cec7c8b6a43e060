import { application } from '../settings';
import type { Change, Subject } from './table';
import { each, refused, valid } from './table';

const path = 'applications/orders.yaml';
const orders = `
name: orders
environments: { test: 1.5.0, prod: 1.4.0 }
releases:
  1.5.0: { image: 'x/orders:1.5.0', secrets: [orders-db], port: 9000, env: { LEVEL: info, REGION: eu } }
  1.4.0: { image: 'x/orders:1.4.0', secrets: [orders-db] }
`;
const file = (text: string): Change => ({ [`./${path}`]: text });
const replaced = (before: string, after: string) => file(orders.replaceAll(before, after));
const released = (release: string) =>
  file(`name: orders\nenvironments: { test: 1.5.0 }\nreleases:\n  1.5.0: ${release}\n`);
const inFile = (...places: string[]) => places.map((place) => `${path}: ${place}`);
const release = (rest: string) => inFile(`releases["1.5.0"]${rest}`);
const at = 'applications[0]';

export const releaseFiles: Subject = {
  change: {
    [at]: { name: 'orders', release: `./${path}` },
    'secretValues.orders-db': 'hunter2',
    ...file(orders),
  },
  rows: {
    'one that is right': valid({}),
    'an image beside it': refused({ [`${at}.image`]: 'x:1' }),
    'a chart beside it': refused({ [`${at}.chart`]: { chart: './x' } }),
    'secrets beside it': refused({ [`${at}.secrets`]: ['orders-db'] }),
    'a port beside it': refused({ [`${at}.port`]: 80 }),
    'an image in an override': refused(
      { [`${at}.overrides`]: [{ clusters: ['aks-1'], image: 'x:2' }] },
      `${at}.overrides[0].image`,
    ),
    'one that does not exist': refused({ [`${at}.release`]: './applications/order.yaml' }),
    ...each(
      ['/etc/passwd.yaml', '../other/orders.yaml', 'a/../../orders.yaml', '~/orders.yaml', 'orders.txt'],
      (place) => [`one at ${place}`, refused({ [`${at}.release`]: place })],
    ),
    'one that is not YAML': refused(file('name: [orders'), path),
    'an alias without an anchor': refused(file(`${orders}common: *settings\n`), path),
    'a duplicate key': refused(file('name: orders\nname: orders'), path),
    'an empty one': refused(file(''), path),
    'an empty one of an application without other settings': refused(
      { [`${at}.delivery`]: 'files', ...file('') },
      path,
    ),
    'one of another application': refused(replaced('name: orders', 'name: order'), ...inFile('name')),
    'no pin for the environment': refused(replaced('test:', 'tset:'), ...inFile('environments.test')),
    'a pin that names no release': refused(
      replaced('prod: 1.4.0', 'prod: 1.4.1'),
      ...inFile('environments.prod'),
    ),
    'a wrong value': refused(released('{ image: x }'), ...release('.image')),
    'a variable that the workload sets itself': refused(
      released("{ image: 'x:1', env: { KEY_VAULT_URI: x } }"),
      ...release('.env.KEY_VAULT_URI'),
    ),
    'an unknown key': refused(released("{ image: 'x:1', secret: [a] }"), ...release('.secret')),
    'nothing to run': refused(released('{ secrets: [] }'), ...release('')),
    'an image and a chart': refused(
      released("{ image: 'x:1', chart: { chart: ./x } }"),
      ...release('.image'),
    ),
    'invalid versions': refused(replaced('1.4.0', '1.4'), ...inFile('environments.prod', 'releases["1.4"]')),
    'no name': refused(replaced('name: orders', ''), ...inFile('name')),
    'a rule across the configuration, broken in the file': refused(
      released("{ image: 'x:1', secrets: [a, a] }"),
      ...release('.secrets[1]'),
    ),
    'a chart that is incomplete': refused(
      released('{ chart: { chart: x } }'),
      ...inFile('releases["1.5.0"].chart.repository', 'releases["1.5.0"].chart.version'),
    ),
    'a number as a variable, which is not shown': refused(
      released("{ image: 'x:1', env: { PASSWORD: 12345 } }"),
      ...release('.env.PASSWORD'),
    ),
    'an invalid pin beside valid values': refused(
      {
        location: 'West Europe',
        'applications[1]': application('till', { replicas: -1 }),
        ...file(''),
      },
      'location',
      'applications[1].replicas',
      path,
    ),
  },
};
