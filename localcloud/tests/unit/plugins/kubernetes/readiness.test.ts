import type { Cluster } from '../../../../plugins/kubernetes/client/cluster';
import { kindOf } from '../../../../plugins/kubernetes/client/kinds';
import type { JsonObject } from '../../../../plugins/kubernetes/json';
import { readinessCheck } from '../../../../plugins/kubernetes/readiness';
import { selectorQuery } from '../../../../plugins/kubernetes/readiness/pods';
import type { Readiness } from '../../../../plugins/kubernetes/readiness/readiness';

// These checks depend on the object alone. Checks that read from a cluster are tested with a real one.
const noCluster = {} as Cluster;

async function readiness(
  apiVersion: string,
  kind: string,
  object: JsonObject,
  waitFor?: string,
): Promise<Readiness> {
  const check = readinessCheck(kindOf(apiVersion, kind), waitFor);
  if (check === undefined) throw new Error(`${kind} is not waited for`);
  return check({ cluster: noCluster, object, signal: undefined });
}

function workload(spec: JsonObject, status: JsonObject, generation = 1): JsonObject {
  return { metadata: { generation }, spec, status };
}

describe('readiness', () => {
  it.each<[string, JsonObject, string]>([
    ['nobody has looked at it', workload({ replicas: 1 }, {}), 'waiting for the controller'],
    [
      'the newest change was not looked at',
      workload(
        { replicas: 1 },
        { observedGeneration: 1, updatedReplicas: 1, availableReplicas: 1, replicas: 1 },
        2,
      ),
      'waiting for the controller',
    ],
    [
      'an old replica is left',
      workload(
        { replicas: 1 },
        { observedGeneration: 1, updatedReplicas: 1, availableReplicas: 2, replicas: 2 },
      ),
      '1 of 1 replicas ready, 1 old replicas still running',
    ],
    [
      'all replicas are there',
      workload(
        { replicas: 2 },
        { observedGeneration: 1, updatedReplicas: 2, availableReplicas: 2, replicas: 2 },
      ),
      'ready',
    ],
    ['none are wanted', workload({ replicas: 0 }, { observedGeneration: 1 }), 'ready'],
  ])('of a deployment when %s', async (_title, object, progress) => {
    expect((await readiness('apps/v1', 'Deployment', object)).progress).toBe(progress);
  });

  it('of a deployment whose deadline is over is a failure', async () => {
    const conditions = [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }];
    const object = workload({ replicas: 1 }, { observedGeneration: 1, conditions });

    expect(await readiness('apps/v1', 'Deployment', object)).toMatchObject({ ready: false, failed: true });
  });

  it.each<[string, string, JsonObject, boolean]>([
    [
      'apps/v1',
      'StatefulSet',
      workload({ replicas: 1 }, { observedGeneration: 1, readyReplicas: 1, updatedReplicas: 1 }),
      true,
    ],
    ['apps/v1', 'StatefulSet', workload({ replicas: 1 }, { observedGeneration: 1, readyReplicas: 1 }), false],
    ['apps/v1', 'DaemonSet', workload({}, { observedGeneration: 1, desiredNumberScheduled: 0 }), true],
    ['apps/v1', 'DaemonSet', workload({}, { observedGeneration: 1, desiredNumberScheduled: 1 }), false],
    ['batch/v1', 'Job', workload({ suspend: true }, {}), true],
    ['batch/v1', 'Job', workload({}, { conditions: [{ type: 'Complete', status: 'True' }] }), true],
    ['v1', 'Pod', { status: { phase: 'Succeeded' } }, true],
    ['v1', 'Pod', { status: { phase: 'Running' } }, false],
    ['v1', 'Namespace', { status: { phase: 'Active' } }, true],
    ['v1', 'PersistentVolume', { status: { phase: 'Pending' } }, false],
    ['networking.k8s.io/v1', 'Ingress', {}, false],
  ])('of %s %s %j', async (apiVersion, kind, object, ready) => {
    expect((await readiness(apiVersion, kind, object)).ready).toBe(ready);
  });

  it.each<[string, boolean]>([
    ['condition=Ready', true],
    ['condition=Ready=True', true],
    ['condition=Stalled', false],
    ['jsonpath={.status.phase}=Done', true],
    ['jsonpath={.status.items[0].name}', true],
    ['jsonpath={.status.missing}', false],
    ['["condition=Ready", "jsonpath={.status.phase}=Other"]', false],
  ])('by annotation %s', async (waitFor, ready) => {
    const conditions = [{ type: 'Ready', status: 'True' }];
    const object = { status: { phase: 'Done', items: [{ name: 'x' }], conditions } };

    expect((await readiness('test.local/v1', 'Widget', object, waitFor)).ready).toBe(ready);
  });

  it.each(['ready', 'condition=', '[1]'])(
    'by annotation %s is refused with what is allowed',
    async (waitFor) => {
      await expect(readiness('test.local/v1', 'Widget', {}, waitFor)).rejects.toThrow('condition=<type>');
    },
  );

  it('is not checked for kinds that are ready at once', () => {
    expect(readinessCheck(kindOf('v1', 'ServiceAccount'), undefined)).toBeUndefined();
  });
});

describe('a selector', () => {
  it('is written as the query language has it', () => {
    const selector: JsonObject = {
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['a', 'b'] },
        { key: 'old', operator: 'DoesNotExist' },
        { key: 'new', operator: 'Exists' },
      ],
    };

    expect(selectorQuery(selector)).toBe('app=web,tier in (a,b),!old,new');
  });
});
