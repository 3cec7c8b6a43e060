import type { ContainerStateStatus, PodCondition } from '../../../kubernetes/api/types';
import type { ContainerView } from '../../../kubernetes/agent/containerStatus';
import { waiting } from '../../../kubernetes/agent/containerStatus';
import type { PodView } from '../../../kubernetes/agent/podStatus';
import { podPhase, podStatus } from '../../../kubernetes/agent/podStatus';

const at = '2026-01-01T00:00:00Z';
const running: ContainerStateStatus = { running: { startedAt: at } };
const exited = (exitCode: number): ContainerStateStatus => ({
  terminated: { exitCode, reason: 'x', startedAt: at, finishedAt: at },
});
const container = (state: ContainerStateStatus, parts: Partial<ContainerView> = {}): ContainerView => ({
  name: 'main',
  image: 'image:1',
  state,
  restartCount: 0,
  started: state.running !== undefined,
  ready: state.running !== undefined,
  ...parts,
});
const view = (parts: Partial<PodView>): PodView => ({
  containers: [container(running)],
  initContainers: [],
  initSpecs: [],
  restartPolicy: 'Always',
  readinessGates: [],
  address: { podIp: '10.244.128.1', hostIp: '10.224.0.4' },
  startTime: at,
  conditions: [],
  ...parts,
});

describe('phase of a pod', () => {
  const init = (state: ContainerStateStatus) => ({
    initContainers: [container(state, { name: 'init' })],
    initSpecs: [{ name: 'init', image: 'x' }],
  });
  it.each<[string, Partial<PodView>, string]>([
    ['waiting for the first time', { containers: [container(waiting('ContainerCreating'))] }, 'Pending'],
    ['running', {}, 'Running'],
    [
      'crashed and waiting',
      { containers: [container(waiting('CrashLoopBackOff'), { restartCount: 2 })] },
      'Running',
    ],
    ['ended, to be restarted', { containers: [container(exited(1))] }, 'Running'],
    [
      'ended well, never restarted',
      { containers: [container(exited(0))], restartPolicy: 'Never' },
      'Succeeded',
    ],
    [
      'ended badly, never restarted',
      { containers: [container(exited(2))], restartPolicy: 'Never' },
      'Failed',
    ],
    [
      'one of two ended',
      { containers: [container(exited(0)), container(running)], restartPolicy: 'Never' },
      'Running',
    ],
    [
      'ended badly, restarted on failure',
      { containers: [container(exited(2))], restartPolicy: 'OnFailure' },
      'Running',
    ],
    ['still initialising', init(running), 'Pending'],
    ['initialised', init(exited(0)), 'Running'],
    ['initialising failed for good', { ...init(exited(1)), restartPolicy: 'Never' }, 'Failed'],
  ])('%s', (_title, parts, expected) => {
    expect(podPhase(view(parts))).toBe(expected);
  });

  it('is not held up by a sidecar that keeps running', () => {
    const sidecar = {
      initContainers: [container(running, { name: 'side' })],
      initSpecs: [{ name: 'side', image: 'x', restartPolicy: 'Always' }],
    };
    expect(podPhase(view(sidecar))).toBe('Running');
  });
});

describe('conditions of a pod', () => {
  const statusOf = (conditions: PodCondition[] | undefined, type: string) =>
    conditions?.find((condition) => condition.type === type);

  it('say which container is not ready', () => {
    const { conditions } = podStatus(view({ containers: [container(running, { ready: false })] }), at);
    expect(statusOf(conditions, 'Ready')).toMatchObject({
      status: 'False',
      reason: 'ContainersNotReady',
      message: 'containers with unready status: [main]',
    });
    expect(statusOf(conditions, 'Initialized')?.status).toBe('True');
  });

  it('keep the time of the last transition while the status stays', () => {
    const before: PodCondition[] = [
      { type: 'Ready', status: 'True', lastTransitionTime: '2025-01-01T00:00:00Z' },
      { type: 'ContainersReady', status: 'False', lastTransitionTime: '2025-01-01T00:00:00Z' },
    ];
    const { conditions } = podStatus(view({ conditions: before }), at);
    expect(statusOf(conditions, 'Ready')?.lastTransitionTime).toBe('2025-01-01T00:00:00Z');
    expect(statusOf(conditions, 'ContainersReady')?.lastTransitionTime).toBe(at);
  });

  it('wait for readiness gates', () => {
    const gated = { readinessGates: ['example.com/ready'] };
    expect(statusOf(podStatus(view(gated), at).conditions, 'Ready')?.status).toBe('False');
    const open: PodCondition[] = [{ type: 'example.com/ready', status: 'True' }];
    expect(statusOf(podStatus(view({ ...gated, conditions: open }), at).conditions, 'Ready')?.status).toBe(
      'True',
    );
  });
});
