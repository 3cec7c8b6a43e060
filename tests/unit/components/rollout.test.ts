import type { KubernetesObject } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import type { AccessState } from '../../../components/application/rollout';
import { areReady } from '../../../components/application/rollout';
import { answers, asking, clusterOf } from './support/cluster';

// What this does not prove: what a cluster says of pods that wait; the end-to-end test of dependencies does.

afterEach(() => {
  jest.restoreAllMocks();
});

const reference = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'orders', name: 'orders' };
const labels = { app: 'orders' };
const workload = (status: object, kind = 'Deployment') => ({
  ...{ apiVersion: 'apps/v1', kind, metadata: { generation: 2 } },
  spec: { replicas: 2, selector: { matchLabels: labels } },
  status: { observedGeneration: 2, ...status },
});
const complete = { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' };
const rolledOut = workload({ replicas: 2, updatedReplicas: 2, availableReplicas: 2 });
const notYet = workload({ replicas: 2, updatedReplicas: 2 });
const pod = (status: object, of: Record<string, string> = labels): KubernetesObject => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'orders-1', namespace: 'orders', labels: of } },
  ...{ status },
});
const waitingFor = (reason: string, message?: string) =>
  pod({ containerStatuses: [{ state: { waiting: { reason, message } } }] });
const missingSecret = waitingFor('CreateContainerConfigError', 'secret "orders-keys" not found');

/** @param access what is known at each look; the last again and again */
async function outcome(
  workloads: readonly KubernetesObject[],
  pods: readonly KubernetesObject[],
  ...access: readonly AccessState[]
) {
  let looks = 0;
  const known = () => access[Math.min(looks++, access.length - 1)] ?? 'granted';
  return asking(
    areReady('orders', [reference], known),
    clusterOf({ get: answers(...workloads), list: () => Promise.resolve(pods) }),
  );
}

describe('pods that wait for services', () => {
  it('are waited for as long as a service takes, and their reason to wait is reported', async () => {
    const { answer, reported, seconds } = await outcome(
      [...Array<KubernetesObject>(2000).fill(notYet), rolledOut],
      [missingSecret],
      ...Array<AccessState>(1990).fill('awaited'),
      'granted',
    );

    expect(answer).toBe(true);
    expect(reported).toEqual(['CreateContainerConfigError: secret "orders-keys" not found']);
    expect(seconds).toBeGreaterThan(3_600);
  });

  it('have twenty minutes once they have access, and then fail with the reason', async () => {
    const { error, seconds } = await outcome([notYet], [missingSecret], 'awaited', 'granted');

    expect(error).toBe(
      'the pods of orders are not ready: CreateContainerConfigError: secret "orders-keys" not found (for 20 minutes). See their events and logs (`kubectl describe pods`), and run the update again. If its logs say that access is refused, a role assignment may not have taken effect yet. Azure takes up to 10 minutes, rarely longer: run the update again.',
    );
    expect(seconds).toBeCloseTo(1200, -1);
  });

  it.each([
    ['is as the stack made it', 2, false],
    ['somebody has changed since', 1, true],
  ])('of a Deployment that %s are waited for, or not', async (_, generation, answered) => {
    const question = areReady('orders', [{ ...reference, generation }], () => 'granted');
    const cluster = clusterOf({ get: answers(notYet), list: () => Promise.resolve([missingSecret]) });

    expect('answer' in (await question.look(cluster))).toBe(answered);
  });

  it('are no longer waited for where what they wait for was refused', async () => {
    expect(await outcome([notYet], [missingSecret], 'awaited', 'refused')).toMatchObject({ answer: false });
  });

  it('that are ready before they have access are waited for until they have it', async () => {
    const { answer, reported } = await outcome([rolledOut], [], 'awaited', 'granted');

    expect({ answer, reported }).toEqual({ answer: true, reported: ['the dependencies'] });
  });

  it.each<[string, KubernetesObject, string]>([
    ['its container', missingSecret, 'CreateContainerConfigError: secret "orders-keys" not found'],
    ['its container, without a message', waitingFor('ContainerCreating'), 'ContainerCreating'],
    [
      'an init container',
      pod({ initContainerStatuses: [{ state: { waiting: { reason: 'ErrImagePull', message: 'no' } } }] }),
      'ErrImagePull: no',
    ],
    [
      'its container, which crashes',
      pod({
        containerStatuses: [
          {
            ...{ name: 'main', restartCount: 2, lastState: { terminated: { exitCode: 137 } } },
            state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 20s restarting failed' } },
          },
        ],
      }),
      'CrashLoopBackOff: container main of pod orders-1 ended with exit code 137: `kubectl logs orders-1 --container main --namespace orders --previous`',
    ],
    [
      'a condition',
      pod({
        conditions: [
          { type: 'Initialized', status: 'True', message: 'well' },
          { type: 'PodScheduled', status: 'False', message: '0/2 nodes are available' },
        ],
      }),
      '0/2 nodes are available',
    ],
    ['its phase', pod({ phase: 'Pending' }), 'pod orders-1 is Pending'],
    [
      'nothing, being ready, so the Deployment is reported',
      pod({ conditions: [{ type: 'Ready', status: 'True' }] }),
      'Deployment orders/orders has not created its pods yet',
    ],
    [
      'nothing, being of another',
      pod({ phase: 'Pending' }, { app: 'billing' }),
      'Deployment orders/orders has not created its pods yet',
    ],
  ])('are reported with %s', async (_, state, expected) => {
    expect((await outcome([notYet, rolledOut], [state])).reported).toEqual([expected]);
  });

  it.each<[string, string, object, boolean]>([
    ['Deployment', 'of before', { replicas: 3, updatedReplicas: 2, availableReplicas: 2 }, false],
    [
      'Deployment',
      'complete before, whatever its pods do now',
      { replicas: 2, updatedReplicas: 2, conditions: [complete] },
      true,
    ],
    [
      'Deployment',
      'complete before, with another template now',
      { replicas: 2, updatedReplicas: 2, conditions: [complete], observedGeneration: 1 },
      false,
    ],
    [
      'Deployment',
      'too late',
      { replicas: 2, updatedReplicas: 2, conditions: [{ ...complete, status: 'False' }] },
      false,
    ],
    ['Deployment', 'old', { ...rolledOut.status, observedGeneration: 1 }, false],
    ['StatefulSet', 'all', { replicas: 2, updatedReplicas: 2, availableReplicas: 2 }, true],
    ['StatefulSet', 'one', { replicas: 2, updatedReplicas: 2, availableReplicas: 1 }, false],
    ['DaemonSet', 'all', { desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3 }, true],
    ['DaemonSet', 'one', { desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 1 }, false],
  ])('of a %s are ready, or not: %s', async (kind, _, status, ready) => {
    const question = areReady('orders', [{ ...reference, kind }], () => 'granted');
    const cluster = clusterOf({
      get: answers(workload(status, kind)),
      list: () => Promise.resolve([missingSecret]),
    });

    expect('answer' in (await question.look(cluster))).toBe(ready);
  });
});
