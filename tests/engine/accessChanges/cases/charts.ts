import { charted, image, services, shop } from '../bases';
import type { Change } from '../change';
import { from } from '../change';
import { add, all, remove, set } from '../edit';
import { gained, loud, perhaps } from '../expected';
import { sources } from '../sources';

const charts = from(charted, sources.charts);
const archive = 'applications.archive.chart';
const aboutArchive = loud(/archive/);

/** Charts and images: what makes objects that nobody here has read. */
/** Whoever writes what an application runs has what it has. */
const notJudged = loud(/orders[\s\S]*image/);

export const chartChanges: readonly Change[] = [
  from(shop, sources.charts)(
    'a new application from a chart',
    add('applications', {
      name: 'archive',
      chart: { chart: 'oci://ghcr.io/example/charts/archive', version: '1.0.0' },
      clusters: ['two'],
      identity: 'application',
      secrets: ['archive-db'],
    }),
    gained('two/archive/archive', 'kv-shop/archive-db'),
    perhaps(/archive/, 'not judged'),
  ),
  from(shop, sources.charts)(
    'cert-manager from another registry, where there was none',
    set('certManager', { chart: 'oci://registry.example/cert-manager', version: '1.2.3' }),
    loud(/one-cert-manager[\s\S]*registry\.example/),
    perhaps(/cert-manager/),
  ),
  from(shop, sources.charts)("the vendor's cert-manager, where there was none", remove('certManager')),
  charts('another version of a chart', set(`${archive}.version`, '1.1.0'), aboutArchive),
  charts('another chart', set(`${archive}.chart`, 'oci://ghcr.io/example/charts/other'), aboutArchive),
  charts(
    'a chart from another registry',
    set(`${archive}.chart`, 'oci://registry.example/charts/archive'),
    aboutArchive,
  ),
  charts(
    'values of a chart that nobody here understands',
    set(`${archive}.values`, { replicaCount: 1, extraObjects: [{ kind: 'RoleBinding' }] }),
    aboutArchive,
  ),
  charts(
    'values of a chart on some of the clusters',
    set('applications.archive.overrides', [{ clusters: ['two'], values: { rbac: { clusterAdmin: true } } }]),
    aboutArchive,
  ),
  charts(
    'more replicas in the values of a chart',
    set(`${archive}.values`, { replicaCount: 2 }),
    perhaps(/archive/, 'not judged'),
  ),
  from(shop, sources.charts)(
    'a chart in place of an image',
    all(
      remove('applications.orders.image'),
      set('applications.orders.chart', { chart: 'oci://ghcr.io/example/charts/orders', version: '1.0.0' }),
    ),
    loud(/orders/),
  ),
  charts(
    'an image in place of a chart',
    all(remove(archive), set('applications.archive.image', image)),
    perhaps(/archive/, 'not judged'),
  ),
  from(
    add('applications', {
      name: 'vaulting',
      chart: { chart: './examples/charts/archive' },
      clusters: ['one'],
      retainOnDelete: true,
      identity: 'application',
    })(services),
    sources.operator,
  )(
    'kinds of services that the chart of an application provisions',
    set('applications.vaulting.chart.provisions', [
      'storage.azure.com/StorageAccount',
      'keyvault.azure.com/Vault',
    ]),
    loud(/azureserviceoperator|aso|vaulting/),
    perhaps(/./),
  ),
  from(services, sources.charts)(
    "another chart than the operator's",
    set('serviceOperator', { chart: 'oci://registry.example/charts/operator', version: '2.19.0' }),
    loud(/serviceOperator|operator/i),
  ),
  from(services, sources.operatorResources)(
    'more kinds of custom resources of the operator',
    set('serviceOperator', { crdPattern: 'authorization.azure.com/*;storage.azure.com/*' }),
    perhaps(/serviceOperator|crdPattern|operator/i, 'not judged'),
  ),
  from(services, sources.certManager)(
    "another chart than cert-manager's, which reads secrets in all namespaces",
    set('certManager', { chart: 'oci://registry.example/charts/cert-manager', version: 'v1.21.2' }),
    loud(/cert-?manager/i),
  ),
  from(services, sources.certManager)(
    'another repository of the chart of cert-manager',
    set('certManager', { chart: 'cert-manager', repository: 'https://charts.example', version: 'v1.21.2' }),
    loud(/cert-?manager/i),
  ),
  from(shop, sources.webhook)(
    'another chart than that of the webhook, which changes pods',
    set('workloadIdentityWebhook', { chart: 'oci://registry.example/charts/webhook', version: '1.6.0' }),
    loud(/webhook/i),
  ),
  from(shop, sources.nothing)(
    'another version of the image of an application',
    set('applications.orders.image', 'ghcr.io/aks-workload-identity/reader:0.1.1'),
    notJudged,
  ),
  from(shop, sources.charts)(
    'an image from another registry, whose code gets what the application has',
    set('applications.orders.image', 'registry.example/reader:0.1.0'),
    notJudged,
  ),
];
