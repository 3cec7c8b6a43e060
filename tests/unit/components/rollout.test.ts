import type { KubernetesObject, V1Deployment, V1Pod } from '@kubernetes/client-node' with {
  'resolution-mode': 'import',
};
import { isRolledOut } from '../../../components/application/rolloutQuestion';
import { answers, asking, clusterOf } from './support/cluster';

afterEach(() => {
  jest.restoreAllMocks();
});

function deployment(status: V1Deployment['status'], replicas = 2): KubernetesObject & Partial<V1Deployment> {
  const metadata = { name: 'orders', namespace: 'shop', generation: 3 };
  const spec = { replicas, selector: {}, template: {} };
  return { metadata, spec, status: Object.assign({ observedGeneration: 3 }, status) };
}

const pod = (name: string, application: string, status: V1Pod['status']): V1Pod => ({
  metadata: { name, namespace: 'shop', labels: { 'app.kubernetes.io/name': application } },
  status,
});
const container = (reason: string, message?: string) => ({
  ...{ name: 'x', image: '', imageID: '', ready: false, restartCount: 0 },
  state: { waiting: { reason, message } },
});
const pods = [
  pod('orders-1', 'orders', {
    containerStatuses: [container('CreateContainerConfigError', 'configmap "x" not found')],
    conditions: [{ type: 'PodScheduled', status: 'True' }],
  }),
  pod('orders-2', 'orders', {
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
  }),
  pod('billing-1', 'billing', { containerStatuses: [container('ErrImagePull')] }),
];

const watch = (all: readonly (KubernetesObject | Error | undefined)[], list: readonly V1Pod[] = []) =>
  asking(
    isRolledOut('shop', 'orders'),
    clusterOf({ get: answers<KubernetesObject | undefined>(...all), list: () => Promise.resolve(list) }),
  );

const available = deployment({ replicas: 2, updatedReplicas: 2, availableReplicas: 2 });

describe('a rollout', () => {
  it('is done when all pods are of the new template and available', async () => {
    const { answer, told } = await watch([
      undefined,
      deployment({ replicas: 2, updatedReplicas: 2 }),
      deployment({ replicas: 3, updatedReplicas: 2, availableReplicas: 3 }),
      available,
    ]);

    expect(answer).toBe(true);
    expect(told).toEqual(['it does not exist yet', '0 of 2 pods available', '3 of 2 pods available, 1 old']);
  });

  it('of no pods at all is done', async () => {
    expect(await watch([deployment({}, 0)])).toMatchObject({ answer: true, seconds: 0 });
  });

  it('is not done by what was there before the change', async () => {
    const before = deployment({
      ...{ observedGeneration: 2, replicas: 2 },
      ...{ updatedReplicas: 2, availableReplicas: 2 },
    });

    expect((await watch([before, before, available])).slept).toHaveLength(2);
  });

  it('that makes no progress fails with what its own pods wait for', async () => {
    const { error, seconds } = await watch([deployment({ replicas: 2, updatedReplicas: 2 })], pods);

    expect(error).toBe(
      'Deployment shop/orders is not available: 0 of 2 pods available; orders-1: CreateContainerConfigError (configmap "x" not found); orders-2: Unschedulable (for 10 minutes). See `kubectl describe pods --namespace shop`, correct the application and run the update again.',
    );
    expect(seconds).toBe(600);
  });

  it('has its time again with each pod that comes', async () => {
    const none = deployment({ replicas: 2, updatedReplicas: 2 });
    const one = deployment({ replicas: 2, updatedReplicas: 2, availableReplicas: 1 });
    const { error, seconds } = await watch([...Array<KubernetesObject>(250).fill(none), one]);

    expect(error).toContain('1 of 2 pods available');
    expect(seconds).toBeGreaterThan(1000);
  });
});
