import { application, shared } from '../settings';
import type { Change, Subject } from './table';
import { each, refused, valid } from './table';

const at = 'applications[0].';
const chart = { [`${at}image`]: undefined, [`${at}chart`]: { chart: './charts/orders' } };

/** A chart with custom resources of the operator, on one cluster. */
const provisions = { 'chart.provisions': ['storage.azure.com/StorageAccount'], clusters: ['aks-1'] };

/** With further fields of the application. */
const orders = (fields: Record<string, unknown>): Change =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [at + key, value]));

export const applications: Subject = {
  rows: {
    'nothing to run': refused(orders({ image: undefined }), 'applications[0]'),
    'a chart with custom resources of the operator': valid({
      ...chart,
      ...orders({
        ...provisions,
        'chart.provisions': ['storage.azure.com/StorageAccount', 'cache.azure.com/Redis'],
      }),
    }),
    'a chart with custom resources on two clusters, with values for each': valid({
      ...chart,
      ...orders({
        ...provisions,
        clusters: undefined,
        overrides: [{ clusters: ['aks-2'], values: { name: 'b' } }],
      }),
    }),
    'a chart with custom resources on two clusters': refused(
      { ...chart, ...orders({ ...provisions, clusters: undefined }) },
      `${at}chart.provisions[0]`,
    ),
    'a chart with custom resources that would be deleted with it': refused(
      { ...chart, ...orders({ ...provisions, retainOnDelete: false }) },
      `${at}chart.provisions[0]`,
    ),
    'a chart with custom resources in a namespace that exists': refused(
      { ...chart, ...orders({ ...provisions, namespace: { name: 'shop', existing: true } }) },
      `${at}chart.provisions[0]`,
    ),
    'a chart with custom resources in the namespace of another application': refused(
      {
        ...chart,
        ...orders({ ...provisions, ...shared }),
        'applications[1]': application('billing', { ...shared, namespace: 'orders' }),
      },
      `${at}chart.provisions[0]`,
    ),
    'a chart with custom resources that are not the operator’s': refused(
      { ...chart, ...orders({ 'chart.provisions': ['apps/Deployment', 'StorageAccount'] }) },
      `${at}chart.provisions[0]`,
      `${at}chart.provisions[1]`,
    ),
    'an image and a chart': refused(orders({ 'chart.chart': './x' }), `${at}image`),
    'the same name twice': refused({ 'applications[1]': application('orders') }, 'applications[1].name'),
    'a name of 63 characters': valid({ [`${at}name`]: 'a'.repeat(63) }),
    'a name of 53 characters with a chart': valid({ ...chart, [`${at}name`]: 'a'.repeat(53) }),
    'a name of 54 characters with a chart': refused({ ...chart, [`${at}name`]: 'a'.repeat(54) }),
  },
};

export const environmentVariables: Subject = {
  rows: {
    'one of its own': valid(orders({ env: { LEVEL: 'debug' } })),
    'those that the webhook or the deployment sets': refused(
      orders({ env: { KEY_VAULT_URI: 'x', AZURE_CLIENT_ID: 'x', LEVEL: 'debug' } }),
      `${at}env.KEY_VAULT_URI`,
      `${at}env.AZURE_CLIENT_ID`,
    ),
    'an invalid name': refused(orders({ env: { 'A B': 'x' } }), `${at}env["A B"]`),
    'a number': refused(orders({ 'env.TOKEN': 12345 })),
  },
};

const labelled = {
  'clusters[0].labels': { tier: 'front', region: 'eu' },
  'clusters[1].labels': { tier: 'back' },
};
const override = (clusters: unknown, more: object) => ({ overrides: [{ clusters, ...more }] });

export const selections: Subject = {
  change: labelled,
  rows: {
    'labels that no single cluster has': refused(
      orders({ clusters: { labels: { tier: 'front', region: 'us' } } }),
      `${at}clusters.labels`,
    ),
    'an unknown cluster': refused(orders({ clusters: ['aks-3'] }), `${at}clusters[0]`),
    'a cluster whose name lacks a character': refused(orders({ clusters: ['aks1'] }), `${at}clusters[0]`),
    'an override for an unknown cluster': refused(
      orders(override(['aks-9'], { replicas: 1 })),
      `${at}overrides[0].clusters[0]`,
    ),
    'an override for labels that no cluster has': refused(
      orders(override({ labels: { tier: 'middle' } }, { replicas: 1 })),
      `${at}overrides[0].clusters.labels`,
    ),
    'an override for a cluster that the application does not run on': refused(
      orders({ clusters: ['aks-1'], ...override(['aks-2'], { replicas: 1 }) }),
      `${at}overrides[0].clusters`,
    ),
    'an override for one cluster twice': refused(
      orders(override(['aks-1', 'aks-1'], { replicas: 1 })),
      `${at}overrides[0].clusters[1]`,
    ),
  },
};

export const overrides: Subject = {
  rows: {
    'values of an image': refused(
      orders(override(['aks-1'], { values: { a: 1 } })),
      `${at}overrides[0].values`,
    ),
    'the image of a chart': refused(
      { ...chart, ...orders(override(['aks-1'], { image: 'x/y:1' })) },
      `${at}overrides[0].image`,
    ),
    'the replicas of a chart': refused(
      { ...chart, ...orders(override(['aks-1'], { replicas: 1 })) },
      `${at}overrides[0].replicas`,
    ),
    'a variable that the webhook sets': refused(
      orders(override(['aks-1'], { env: { AZURE_CLIENT_ID: 'x' } })),
      `${at}overrides[0].env.AZURE_CLIENT_ID`,
    ),
  },
};

const delivered = (delivery: string, secrets: string[], more: object = {}) =>
  orders({ delivery, secrets, ...more });

export const deliveries: Subject = {
  rows: {
    ...each(['application', 'files', 'environment'], (delivery) => [
      `of secrets as ${delivery}`,
      valid(delivered(delivery, ['orders-db', 'shared'])),
    ]),
    'of nothing': refused(orders({ delivery: 'files' })),
    'with another audience': refused(delivered('files', ['a'], { audience: 'openshift' }), `${at}delivery`),
    'with another audience of the environment': refused(
      { ...delivered('environment', ['a']), audience: 'openshift' },
      `${at}delivery`,
    ),
    'with an invalid audience, which that of the environment does not replace': refused(
      { ...delivered('files', ['a'], { audience: '' }), audience: 'api://of-the-environment' },
      `${at}audience`,
    ),
    'in a variable that is in use': refused(
      delivered('environment', ['a', 'orders-db'], { env: { ORDERS_DB: 'x' } }),
      `${at}secrets[1]`,
    ),
    'in a variable that is in use on one cluster': refused(
      delivered('environment', ['a'], override(['aks-1'], { env: { A: 'x' } })),
      `${at}secrets[0]`,
    ),
    'in a variable of the deployment': refused(
      delivered('environment', ['azure-client-id']),
      `${at}secrets[0]`,
    ),
    'in a variable with an impossible name': refused(delivered('environment', ['1st-db']), `${at}secrets[0]`),
    'in variables of a chart, which are its own affair': valid({
      ...chart,
      ...delivered('environment', ['1st-db']),
    }),
    'of one secret in two spellings': refused(delivered('environment', ['db', 'DB']), `${at}secrets[1]`),
  },
};

const shop = { name: 'shop', existing: true };
const both = (first: object, second: object): Change => ({
  applications: [application('a', { ...first }), application('b', { ...second })],
});

export const namespaces: Subject = {
  rows: {
    'an existing one for two applications': valid(
      both({ ...shared, namespace: shop }, { ...shared, namespace: shop }),
    ),
    'one that is made for two': valid(
      both({ ...shared, namespace: 'shop' }, { ...shared, namespace: { ...shop, existing: false } }),
    ),
    'an existing one of one of two applications': refused(
      both({ ...shared, namespace: 'shop' }, { ...shared, namespace: shop }),
      'applications[1].namespace',
    ),
    'one that exists on one of two clusters': valid(
      both({ namespace: 'shop', clusters: ['aks-1'] }, { namespace: shop, clusters: ['aks-2'] }),
    ),
    'shared by two without consent': refused(
      both({ namespace: 'shop' }, { namespace: 'shop' }),
      ...[0, 1].map((index) => `applications[${index}].sharedNamespace`),
    ),
    'shared by two with the consent of one': refused(
      both({ namespace: 'shop', ...shared }, { namespace: 'shop' }),
      'applications[1].sharedNamespace',
    ),
    'the name of another application': refused(
      both({ ...shared }, { namespace: 'a' }),
      'applications[1].sharedNamespace',
    ),
    'one with several service accounts': valid(orders({ serviceAccounts: ['worker', 'jobs'] })),
    'consent that nothing needs': refused(orders({ ...shared }), `${at}sharedNamespace`),
    'consent that nothing on a cluster needs': refused(
      both({ namespace: 'shop', clusters: ['aks-1'], ...shared }, { namespace: 'shop', clusters: ['aks-2'] }),
      'applications[0].sharedNamespace',
    ),
    'one of the cluster': refused(orders({ namespace: 'kube-system' })),
    'one of the cluster, by the name of the application': refused(orders({ name: 'cert-manager' })),
  },
};

export const serviceAccounts: Subject = {
  rows: {
    'an existing one in a namespace that does not exist': refused(
      orders({ namespace: 'shop', serviceAccount: { name: 'front', existing: true } }),
      `${at}serviceAccount`,
    ),
    'one that Kubernetes creates': refused(orders({ serviceAccount: 'default' })),
    'a further one that Kubernetes creates': refused(
      orders({ serviceAccounts: ['default'] }),
      `${at}serviceAccounts[0]`,
    ),
    'the first among the further ones': refused(
      orders({ serviceAccounts: ['worker', 'orders'] }),
      `${at}serviceAccounts[1]`,
    ),
    'a further one twice': refused(
      orders({ serviceAccounts: ['worker', 'worker'] }),
      `${at}serviceAccounts[1]`,
    ),
    'one of two applications': refused(
      both(
        { ...shared, namespace: 'n', serviceAccount: 's' },
        { ...shared, namespace: 'n', serviceAccount: 's' },
      ),
      'applications[1].serviceAccount',
    ),
    'a further one of another application': refused(
      both(
        { ...shared, namespace: 'shop', serviceAccounts: ['worker'] },
        { ...shared, namespace: 'shop', serviceAccount: 'worker' },
      ),
      'applications[1].serviceAccount',
    ),
    'the one of another application among the further ones': refused(
      both({ ...shared, namespace: 'shop' }, { ...shared, namespace: 'shop', serviceAccounts: ['x', 'a'] }),
      'applications[1].serviceAccounts[1]',
    ),
  },
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
  rows: {
    'replicas beside one': refused({ ...chart, [`${at}replicas`]: 3 }),
    'one without a source': refused(
      own({ chart: { chart: 'x', version: '1.2.3' } }),
      `${at}chart.repository`,
    ),
    'one of any version': refused(own({ chart: { chart: 'x', repository: https } }), `${at}chart.version`),
    'a string twice in its values': valid(own({ chart: { chart: './x', values: { args: ['-v', '-v'] } } })),
    'a repository beside a file': refused({
      'certManager.chart': './x.tgz',
      'certManager.repository': https,
    }),
    'a repository beside an OCI reference': refused(
      { certManager: { chart: 'oci://x', version: '1.2.3', repository: https } },
      'certManager.repository',
    ),
    'a version of one that is not installed': refused(
      { certManager: { install: false, version: 'v1.21.2' } },
      'certManager.version',
    ),
    'one without its version that is not installed, once': refused(
      { serviceOperator: { install: false, chart: 'oci://charts.example/aso' } },
      'serviceOperator.chart',
    ),
    'patterns of an operator that is not installed': refused(
      { serviceOperator: { install: false, crdPattern: 'cache.azure.com/*' } },
      'serviceOperator.crdPattern',
    ),
    'a folder of the project': valid(inProject(own({ chart: { chart: './charts/in' } }))),
    'a packed one of the project': valid(inProject(own({ chart: { chart: './packed.tgz' } }))),
    'a folder without a chart': refused(inProject(own({ chart: { chart: './charts' } })), `${at}chart.chart`),
    'a packed one that is not there': refused(
      inProject(own({ chart: { chart: './none.tgz' } })),
      `${at}chart.chart`,
    ),
    'one of an application in the state folder': refused(
      inProject(own({ chart: { chart: './.state/charts/x.tgz' } })),
      `${at}chart.chart`,
    ),
    ...each(platform, (key) => [
      `one of ${key} that is not there`,
      refused(inProject({ [`${key}.chart`]: './charts/none' }), `${key}.chart`),
    ]),
    ...each(platform, (key) => [
      `one of ${key} in the state folder, but not where charts are made`,
      refused(inProject({ [`${key}.chart`]: './.state/x.tgz' }), `${key}.chart`),
    ]),
    ...each(platform, (key) => [
      `one of ${key} that is made in the state folder`,
      valid(inProject({ [`${key}.chart`]: './.state/charts/x.tgz' })),
    ]),
    ...each(platform, (key) => [
      `one of ${key} that is made in a state folder elsewhere`,
      valid(inProject({ [`${key}.chart`]: './../elsewhere/state/charts/x.tgz' })),
    ]),
  },
};
