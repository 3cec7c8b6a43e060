import type { Container, PodCondition, PodStatus, RestartPolicy } from '../api/types';
import type { ContainerView } from './containerStatus';
import { toStatus } from './containerStatus';
import type { PodAddress } from './fields';
import { restarts } from './restart';

export interface PodView {
  containers: readonly ContainerView[];
  initContainers: readonly ContainerView[];
  initSpecs: readonly Container[];
  restartPolicy: RestartPolicy;
  readinessGates: readonly string[];
  address: PodAddress;
  startTime: string;
  /** The current conditions, for readiness gates and transition times. */
  conditions: readonly PodCondition[];
}

const isSidecar = (specs: readonly Container[], name: string) =>
  specs.find((spec) => spec.name === name)?.restartPolicy === 'Always';

/** Tells whether all init containers have succeeded and all sidecars have started. */
function initialized({ initContainers, initSpecs }: PodView): boolean {
  return initContainers.every(({ name, state, started }) =>
    isSidecar(initSpecs, name) ? started : state.terminated?.exitCode === 0,
  );
}

/** Returns a pod's phase: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-phase */
export function podPhase(view: PodView): 'Pending' | 'Running' | 'Succeeded' | 'Failed' {
  const { containers, initContainers, initSpecs, restartPolicy } = view;
  const over = (candidate: ContainerView) =>
    candidate.state.terminated !== undefined && !restarts(restartPolicy, candidate.state.terminated.exitCode);
  const failedInit = initContainers.some(
    (candidate) =>
      !isSidecar(initSpecs, candidate.name) && over(candidate) && candidate.state.terminated?.exitCode !== 0,
  );
  if (failedInit) return 'Failed';
  if (!initialized(view)) return 'Pending';
  if (containers.every(over))
    return containers.every(({ state }) => state.terminated?.exitCode === 0) ? 'Succeeded' : 'Failed';
  const neverRan = ({ state, restartCount }: ContainerView) =>
    state.waiting !== undefined && restartCount === 0;
  return containers.some(neverRan) ? 'Pending' : 'Running';
}

/** Returns the status that the agent writes for a pod. */
export function podStatus(view: PodView, now: string): PodStatus & Record<string, unknown> {
  const phase = podPhase(view);
  const finished = phase === 'Succeeded' || phase === 'Failed';
  const unready = view.containers.filter(({ ready }) => !ready).map(({ name }) => name);
  const gatesOpen = view.readinessGates.every((gate) =>
    view.conditions.some(({ type, status }) => type === gate && status === 'True'),
  );
  const detail =
    phase === 'Succeeded'
      ? { reason: 'PodCompleted' }
      : { reason: 'ContainersNotReady', message: `containers with unready status: [${unready.join(' ')}]` };
  const containersReady = !finished && unready.length === 0 && initialized(view);
  const conditions: [string, boolean, Partial<PodCondition>?][] = [
    ['PodReadyToStartContainers', !finished],
    ['Initialized', initialized(view)],
    ['ContainersReady', containersReady, detail],
    ['Ready', containersReady && gatesOpen, containersReady ? { reason: 'ReadinessGatesNotReady' } : detail],
  ];
  return {
    phase,
    hostIP: view.address.hostIp,
    hostIPs: [{ ip: view.address.hostIp }],
    podIP: view.address.podIp,
    podIPs: [{ ip: view.address.podIp }],
    startTime: view.startTime,
    conditions: conditions.map(([type, holds, details]) =>
      condition(type, holds, details, view.conditions, now),
    ),
    containerStatuses: view.containers.map((container) => toStatus(container, false)),
    initContainerStatuses: view.initContainers.map((container) => toStatus(container, true)),
  };
}

function condition(
  type: string,
  holds: boolean,
  details: Partial<PodCondition> | undefined,
  before: readonly PodCondition[],
  now: string,
): PodCondition {
  const status = holds ? 'True' : 'False';
  const known = before.find((candidate) => candidate.type === type);
  const unchanged = known?.status === status ? known.lastTransitionTime : undefined;
  return { type, status, lastTransitionTime: unchanged ?? now, ...(holds ? {} : details) };
}
