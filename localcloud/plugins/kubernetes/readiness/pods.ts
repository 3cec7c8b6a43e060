import type { Json, JsonObject } from '../json';
import { at, isJsonObject, numberAt, objectsAt, stringsAt, textAt } from '../json';
import type { Cluster } from '../client/cluster';
import { conditionOf, describeCondition } from './readiness';
import type { ServedKind } from '../client/kinds';

const podKind: ServedKind = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  namespaced: true,
};
const eventKind: ServedKind = { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true };

/** Largest number of a workload's pods to describe. They usually fail for the same reason. */
const describedPods = 3;

/** Returns a label selector as a query parameter. */
export function selectorQuery(selector: Json | undefined): string {
  const labels = Object.entries(stringsAt(selector, 'matchLabels')).map(([key, value]) => `${key}=${value}`);
  const expressions = objectsAt(selector, 'matchExpressions').map((expression) => {
    const key = textAt(expression, 'key') ?? '';
    const values = at(expression, 'values');
    const list = (Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []).join(',');
    switch (textAt(expression, 'operator')) {
      case 'In':
        return `${key} in (${list})`;
      case 'NotIn':
        return `${key} notin (${list})`;
      case 'DoesNotExist':
        return `!${key}`;
      default:
        return key;
    }
  });
  return [...labels, ...expressions].join(',');
}

/** Returns why the pods of a workload are not ready, in one sentence each. */
export async function describeWorkloadPods(cluster: Cluster, workload: JsonObject): Promise<string[]> {
  const label = selectorQuery(at(workload, 'spec', 'selector'));
  const pods = await cluster.list(podKind, textAt(workload, 'metadata', 'namespace'), { label });
  const failing = pods.filter((pod) => !isPodReady(pod)).slice(0, describedPods);
  if (pods.length === 0) return describeEvents(cluster, workload);
  return (await Promise.all(failing.map((pod) => describePod(cluster, pod)))).flat();
}

export function isPodReady(pod: JsonObject): boolean {
  return (
    textAt(conditionOf(pod, 'Ready'), 'status') === 'True' || textAt(pod, 'status', 'phase') === 'Succeeded'
  );
}

/** Returns why a pod is not ready. */
export async function describePod(cluster: Cluster, pod: JsonObject): Promise<string[]> {
  const name = textAt(pod, 'metadata', 'name') ?? '';
  const states = [
    ...objectsAt(pod, 'status', 'initContainerStatuses'),
    ...objectsAt(pod, 'status', 'containerStatuses'),
  ].flatMap((status) => describeContainer(status));
  const scheduled = conditionOf(pod, 'PodScheduled');
  const unscheduled =
    scheduled !== undefined && textAt(scheduled, 'status') !== 'True' ? [describeCondition(scheduled)] : [];
  const own = [...unscheduled, ...states, textAt(pod, 'status', 'message') ?? ''].filter(
    (text) => text !== '',
  );
  const events = await describeEvents(cluster, pod);
  const reasons = [...own, ...events];
  if (reasons.length === 0) reasons.push(`phase ${textAt(pod, 'status', 'phase') ?? 'unknown'}, not ready`);
  return reasons.map((reason) => `pod ${name}: ${reason}`);
}

function describeContainer(status: JsonObject): string[] {
  const name = textAt(status, 'name') ?? '';
  const state = at(status, 'state');
  const waiting = at(state, 'waiting');
  const last = at(status, 'lastState', 'terminated');
  const terminated = at(state, 'terminated') ?? last;
  const restarts = numberAt(status, ['restartCount'], 0);
  const texts: string[] = [];
  if (isJsonObject(waiting) && textAt(waiting, 'reason') !== 'PodInitializing') {
    texts.push(`container ${name} is waiting: ${describeCondition(waiting)}`);
  }
  if (isJsonObject(terminated) && numberAt(terminated, ['exitCode'], 0) !== 0) {
    const detail = textAt(terminated, 'message') ?? textAt(terminated, 'reason') ?? '';
    const code = numberAt(terminated, ['exitCode'], 0);
    texts.push(`container ${name} ended with exit code ${code} (${restarts} restarts): ${detail}`);
  }
  if (texts.length === 0 && at(status, 'ready') === false && isJsonObject(at(state, 'running'))) {
    texts.push(`container ${name} runs, but is not ready`);
  }
  return texts;
}

/** Returns the newest warnings about an object. */
async function describeEvents(cluster: Cluster, object: JsonObject): Promise<string[]> {
  const uid = textAt(object, 'metadata', 'uid') ?? '';
  const namespace = textAt(object, 'metadata', 'namespace');
  const events = await cluster.list(eventKind, namespace, {
    field: `involvedObject.uid=${uid},type=Warning`,
  });
  const texts = events.map((event) => `${textAt(event, 'reason') ?? ''}: ${textAt(event, 'message') ?? ''}`);
  return [...new Set(texts)].slice(-2);
}
