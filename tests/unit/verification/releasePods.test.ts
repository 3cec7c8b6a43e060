import { KubeConfig, type CoreV1Api } from '@kubernetes/client-node';
import { podsOfRelease } from '../../../verification/releasePods';

// That the API server selects pods by these labels is proved by tests/e2e/applications.test.ts.

const ofHelm = (release: string) => ({ annotations: { 'meta.helm.sh/release-name': release } });
const making = (label: string, metadata: object = {}) => ({
  metadata,
  spec: { selector: { matchLabels: { app: label } } },
});
const listing = (...items: object[]) => jest.fn(() => Promise.resolve({ items }));

it('pods of a release are those of its objects, and of the jobs of its cron jobs', async () => {
  const owned = (uid: string) => ({ ownerReferences: [{ kind: 'CronJob', uid }] });
  const core: Pick<CoreV1Api, 'listNamespacedPod'> = {
    listNamespacedPod: ({ labelSelector }) =>
      Promise.resolve({ items: [{ metadata: { name: labelSelector } }] }),
  };
  const client = {
    ...core,
    listNamespacedDeployment: listing(making('web', ofHelm('reports')), making('other', ofHelm('orders'))),
    listNamespacedStatefulSet: listing(making('store', ofHelm('reports')), making('theirs')),
    listNamespacedDaemonSet: listing(),
    listNamespacedCronJob: listing(
      { metadata: { ...ofHelm('reports'), uid: 'nightly' } },
      { metadata: { uid: 'foreign' } },
    ),
    listNamespacedJob: listing(
      making('migrate', ofHelm('reports')),
      making('nightly-1', owned('nightly')),
      making('foreign-1', owned('foreign')),
    ),
  };
  const config = new KubeConfig();
  jest.spyOn(config, 'makeApiClient').mockReturnValue(client);

  const pods = await podsOfRelease(config, 'reports', 'reports');

  expect(pods.map(({ metadata }) => metadata?.name)).toEqual([
    ...['app=web', 'app=store', 'app=migrate', 'app=nightly-1'],
  ]);
});
