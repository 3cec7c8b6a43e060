import { application } from '../settings';
import type { Change, Row, Subject } from './table';
import { valid } from './table';

const at = 'applications[0].';
const chart = { [`${at}image`]: undefined, [`${at}chart`]: { chart: './charts/orders' } };

/** With further fields of the application. */
const orders = (fields: Record<string, unknown>): Change =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [at + key, value]));

export const applications: Subject = {
  rows: [
    ['nothing to run', orders({ image: undefined }), ['applications[0]']],
    ['an image and a chart', orders({ 'chart.chart': './x' }), [`${at}image`]],
    ['one name twice', { 'applications[1]': application('orders') }, ['applications[1].name']],
    [
      'one name twice, where one has something wrong',
      { 'applications[1]': application('orders', { image: 'x' }) },
      ['applications[1].image', 'applications[1].name'],
    ],
    [
      'one name twice, where the first has a release that is not there',
      {
        'applications[0]': { name: 'orders', release: './orders.yaml' },
        'applications[1]': application('orders'),
      },
      ['applications[0].release', 'applications[1].name'],
    ],
    ['a name of 63 characters', { [`${at}name`]: 'a'.repeat(63) }, valid],
    ['a name of 53 characters with a chart', { ...chart, [`${at}name`]: 'a'.repeat(53) }, valid],
    ['a name of 54 characters with a chart', { ...chart, [`${at}name`]: 'a'.repeat(54) }, [`${at}name`]],
  ],
};

export const environmentVariables: Subject = {
  rows: [
    ['one of its own', orders({ env: { LEVEL: 'debug' } }), valid],
    [
      'those that the webhook or the deployment sets',
      orders({ env: { KEY_VAULT_URI: 'x', AZURE_CLIENT_ID: 'x', LEVEL: 'debug' } }),
      [`${at}env.KEY_VAULT_URI`, `${at}env.AZURE_CLIENT_ID`],
    ],
    ['a name that is none', orders({ env: { 'A B': 'x' } }), [`${at}env["A B"]`]],
    ['a number', orders({ 'env.TOKEN': 12345 })],
  ],
};

const labelled = {
  'clusters[0].labels': { tier: 'front', region: 'eu' },
  'clusters[1].labels': { tier: 'back' },
};
const override = (clusters: unknown, more: object) => ({ overrides: [{ clusters, ...more }] });

export const selections: Subject = {
  change: labelled,
  rows: [
    [
      'labels that no cluster has together',
      orders({ clusters: { labels: { tier: 'front', region: 'us' } } }),
      [`${at}clusters.labels`],
    ],
    ['a cluster that there is not', orders({ clusters: ['aks-3'] }), [`${at}clusters[0]`]],
    ['a cluster whose name lacks a character', orders({ clusters: ['aks1'] }), [`${at}clusters[0]`]],
    [
      'an override for a cluster that there is not',
      orders(override(['aks-9'], { replicas: 1 })),
      [`${at}overrides[0].clusters[0]`],
    ],
    [
      'an override for labels that no cluster has',
      orders(override({ labels: { tier: 'middle' } }, { replicas: 1 })),
      [`${at}overrides[0].clusters.labels`],
    ],
    [
      'an override for a cluster that the application does not run on',
      orders({ clusters: ['aks-1'], ...override(['aks-2'], { replicas: 1 }) }),
      [`${at}overrides[0].clusters`],
    ],
    [
      'an override for one cluster twice',
      orders(override(['aks-1', 'aks-1'], { replicas: 1 })),
      [`${at}overrides[0].clusters[1]`],
    ],
  ],
};

export const overrides: Subject = {
  rows: [
    ['values of an image', orders(override(['aks-1'], { values: { a: 1 } })), [`${at}overrides[0].values`]],
    [
      'the image of a chart',
      { ...chart, ...orders(override(['aks-1'], { image: 'x/y:1' })) },
      [`${at}overrides[0].image`],
    ],
    [
      'the replicas of a chart',
      { ...chart, ...orders(override(['aks-1'], { replicas: 1 })) },
      [`${at}overrides[0].replicas`],
    ],
    [
      'a variable that the webhook sets',
      orders(override(['aks-1'], { env: { AZURE_CLIENT_ID: 'x' } })),
      [`${at}overrides[0].env.AZURE_CLIENT_ID`],
    ],
  ],
};

const delivered = (delivery: string, secrets: string[], more: object = {}) =>
  orders({ delivery, secrets, ...more });

export const deliveries: Subject = {
  rows: [
    ...['application', 'files', 'environment'].map((delivery): Row => [
      `of secrets as ${delivery}`,
      delivered(delivery, ['orders-db', 'shared']),
      valid,
    ]),
    ['of nothing', orders({ delivery: 'files' })],
    ['with another audience', delivered('files', ['a'], { audience: 'openshift' }), [`${at}delivery`]],
    [
      'with another audience of the environment',
      { ...delivered('environment', ['a']), audience: 'openshift' },
      [`${at}delivery`],
    ],
    [
      'with an audience that is wrong, for which the one of the environment does not stand',
      { ...delivered('files', ['a'], { audience: '' }), audience: 'api://of-the-environment' },
      [`${at}audience`],
    ],
    [
      'in a variable that is taken',
      delivered('environment', ['a', 'orders-db'], { env: { ORDERS_DB: 'x' } }),
      [`${at}secrets[1]`],
    ],
    [
      'in a variable that is taken on one cluster',
      delivered('environment', ['a'], override(['aks-1'], { env: { A: 'x' } })),
      [`${at}secrets[0]`],
    ],
    ['in a variable of the deployment', delivered('environment', ['azure-client-id']), [`${at}secrets[0]`]],
    ['in a variable that cannot be', delivered('environment', ['1st-db']), [`${at}secrets[0]`]],
    [
      'in variables of a chart, which are its own affair',
      { ...chart, ...delivered('environment', ['1st-db']) },
      valid,
    ],
    ['of one secret in two spellings', delivered('environment', ['db', 'DB']), [`${at}secrets[1]`]],
  ],
};

const shop = { name: 'shop', existing: true };
const both = (first: object, second: object): Change => ({
  applications: [application('a', { ...first }), application('b', { ...second })],
});

export const namespaces: Subject = {
  rows: [
    ['one that exists for two', both({ namespace: shop }, { namespace: shop }), valid],
    [
      'one that is made for two',
      both({ namespace: 'shop' }, { namespace: { ...shop, existing: false } }),
      valid,
    ],
    [
      'one that exists for one of two',
      both({ namespace: 'shop' }, { namespace: shop }),
      ['applications[1].namespace'],
    ],
    [
      'one that exists on one of two clusters',
      both({ namespace: 'shop', clusters: ['aks-1'] }, { namespace: shop, clusters: ['aks-2'] }),
      valid,
    ],
    ['one of the cluster', orders({ namespace: 'kube-system' })],
    ['one of the cluster, by the name of the application', orders({ name: 'cert-manager' })],
  ],
};

export const serviceAccounts: Subject = {
  rows: [
    [
      'one that exists in a namespace that does not',
      orders({ namespace: 'shop', serviceAccount: { name: 'front', existing: true } }),
      [`${at}serviceAccount`],
    ],
    ['one that Kubernetes makes', orders({ serviceAccount: 'default' })],
    [
      'a further one that Kubernetes makes',
      orders({ serviceAccounts: ['default'] }),
      [`${at}serviceAccounts[0]`],
    ],
    [
      'the first among the further ones',
      orders({ serviceAccounts: ['worker', 'orders'] }),
      [`${at}serviceAccounts[1]`],
    ],
    ['a further one twice', orders({ serviceAccounts: ['worker', 'worker'] }), [`${at}serviceAccounts[1]`]],
    [
      'one of two applications',
      both({ namespace: 'n', serviceAccount: 's' }, { namespace: 'n', serviceAccount: 's' }),
      ['applications[1].serviceAccount'],
    ],
    [
      'a further one of another application',
      both(
        { namespace: 'shop', serviceAccounts: ['worker'] },
        { namespace: 'shop', serviceAccount: 'worker' },
      ),
      ['applications[1].serviceAccount'],
    ],
    [
      'the one of another application among the further ones',
      both({ namespace: 'shop' }, { namespace: 'shop', serviceAccounts: ['x', 'a'] }),
      ['applications[1].serviceAccounts[1]'],
    ],
  ],
};

const own = (fields: object): Change => ({ 'applications[0]': { name: 'orders', ...fields } });
const https = 'https://charts.example';
const platform = ['certManager', 'serviceOperator', 'workloadIdentityWebhook'];

/** With charts in the project. */
const inProject = (change: Change): Change => ({
  ...change,
  './charts/in/Chart.yaml': '',
  './packed.tgz': '',
});

export const charts: Subject = {
  rows: [
    ['replicas beside one', { ...chart, [`${at}replicas`]: 3 }, [`${at}replicas`]],
    ['one from nowhere', own({ chart: { chart: 'x', version: '1.2.3' } }), [`${at}chart.repository`]],
    ['one of any version', own({ chart: { chart: 'x', repository: https } }), [`${at}chart.version`]],
    ['a text twice in its values', own({ chart: { chart: './x', values: { args: ['-v', '-v'] } } }), valid],
    [
      'a repository beside a file',
      { 'certManager.chart': './x.tgz', 'certManager.repository': https },
      ['certManager.repository'],
    ],
    [
      'a repository beside an OCI reference',
      { certManager: { chart: 'oci://x', version: '1.2.3', repository: https } },
      ['certManager.repository'],
    ],
    [
      'a version of one that is not installed',
      { certManager: { install: false, version: 'v1.21.2' } },
      ['certManager.version'],
    ],
    [
      'one without its version that is not installed, once',
      { serviceOperator: { install: false, chart: 'oci://charts.example/aso' } },
      ['serviceOperator.chart'],
    ],
    [
      'patterns of an operator that is not installed',
      { serviceOperator: { install: false, crdPattern: 'cache.azure.com/*' } },
      ['serviceOperator.crdPattern'],
    ],
    ['a folder of the project', inProject(own({ chart: { chart: './charts/in' } })), valid],
    ['a packed one of the project', inProject(own({ chart: { chart: './packed.tgz' } })), valid],
    ['a folder without one', inProject(own({ chart: { chart: './charts' } })), [`${at}chart.chart`]],
    [
      'a packed one that is not there',
      inProject(own({ chart: { chart: './none.tgz' } })),
      [`${at}chart.chart`],
    ],
    [
      'one of an application in the state folder',
      inProject(own({ chart: { chart: './.state/charts/x.tgz' } })),
      [`${at}chart.chart`],
    ],
    ...platform.flatMap((key): Row[] => [
      [`one of ${key} that is not there`, inProject({ [`${key}.chart`]: './charts/none' }), [`${key}.chart`]],
      [
        `one of ${key} in the state folder, but not where charts are made`,
        inProject({ [`${key}.chart`]: './.state/x.tgz' }),
        [`${key}.chart`],
      ],
      [
        `one of ${key} that is made in the state folder`,
        inProject({ [`${key}.chart`]: './.state/charts/x.tgz' }),
        valid,
      ],
      [
        `one of ${key} that is made in a state folder elsewhere`,
        inProject({ [`${key}.chart`]: './../elsewhere/state/charts/x.tgz' }),
        valid,
      ],
    ]),
  ],
};
