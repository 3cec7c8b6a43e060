import { rolledOut } from '../../../components/application/rollout';
import type { ClusterObject } from '../../../components/cluster/clusterObjects';
import { answering, StepClock } from './support/customResources';

const place = { namespace: 'shop', name: 'orders' };

function deployment(status: Record<string, unknown>, replicas: number | undefined = 2): ClusterObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...place, generation: 3 },
    spec: { replicas },
    status: { observedGeneration: 3, ...status },
  };
}

function pod(name: string, labels: Record<string, string>, status: Record<string, unknown>): ClusterObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'shop', labels }, status };
}

const waitingPod = pod(
  'orders-1',
  { 'app.kubernetes.io/name': 'orders' },
  {
    containerStatuses: [
      { state: { waiting: { reason: 'CreateContainerConfigError', message: 'configmap "x" not found' } } },
    ],
  },
);
const foreignPod = pod(
  'billing-1',
  { 'app.kubernetes.io/name': 'billing' },
  { containerStatuses: [{ state: { waiting: { reason: 'ErrImagePull' } } }] },
);

async function watch(
  answers: readonly (ClusterObject | Error | undefined)[],
  pods: readonly ClusterObject[] = [],
) {
  const clock = new StepClock();
  const told: string[] = [];
  const outcome = await rolledOut(place, {
    objects: { ...answering(...answers), list: () => Promise.resolve(pods) },
    clock,
    report: (text) => told.push(text),
    deadline: 600_000,
  }).then(
    () => 'done',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return { outcome, told, seconds: clock.seconds };
}

const available = deployment({ replicas: 2, updatedReplicas: 2, availableReplicas: 2 });

describe('a rollout', () => {
  it('is done when all pods are of the new template and available', async () => {
    const { outcome, told } = await watch([
      undefined,
      deployment({ replicas: 2, updatedReplicas: 2 }),
      deployment({ replicas: 3, updatedReplicas: 2, availableReplicas: 3 }),
      available,
    ]);

    expect(outcome).toBe('done');
    expect(told).toEqual(['not there yet', '0 of 2 pods available', '3 of 2 pods available, 1 old']);
  });

  it('goes on when the cluster was away for a moment', async () => {
    const { outcome, told } = await watch([new Error('socket hang up'), available]);

    expect(outcome).toBe('done');
    expect(told).toEqual(['the cluster does not answer: socket hang up']);
  });

  it('is given up when the cluster stays away', async () => {
    const { outcome, seconds } = await watch([new Error('socket hang up')]);

    expect(outcome).toBe('the cluster does not answer: socket hang up');
    expect(seconds).toBe(600);
  });

  it('of no pods at all is done', async () => {
    expect((await watch([deployment({}, 0)])).outcome).toBe('done');
  });

  it('is not done by what was there before the change', async () => {
    const before = deployment({
      observedGeneration: 2,
      replicas: 2,
      updatedReplicas: 2,
      availableReplicas: 2,
    });

    expect((await watch([before, before, available])).seconds).toBe(4);
  });

  it('that makes no progress fails with what its own pods wait for', async () => {
    const { outcome, seconds } = await watch(
      [deployment({ replicas: 2, updatedReplicas: 2 })],
      [waitingPod, foreignPod],
    );

    expect(outcome).toBe(
      '0 of 2 pods available; orders-1: CreateContainerConfigError (configmap "x" not found)',
    );
    expect(seconds).toBe(600);
  });

  it('has its time again with each pod that comes', async () => {
    const one = deployment({ replicas: 2, updatedReplicas: 2, availableReplicas: 1 });
    const none = deployment({ replicas: 2, updatedReplicas: 2 });

    const { outcome, seconds } = await watch([...Array<ClusterObject>(250).fill(none), one]);

    expect(outcome).toBe('1 of 2 pods available');
    expect(seconds).toBe(1100);
  });
});
