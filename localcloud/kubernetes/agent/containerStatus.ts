import type { ContainerStateStatus, ContainerStatus } from '../api/types';

/** The state of one container, as the agent knows it. */
export interface ContainerView {
  name: string;
  image: string;
  state: ContainerStateStatus;
  lastState?: ContainerStateStatus;
  restartCount: number;
  /** True if its startup probe has passed. */
  started: boolean;
  ready: boolean;
}

export const waiting = (reason: string, message?: string): ContainerStateStatus => ({
  waiting: { reason, ...(message === undefined ? {} : { message }) },
});

export function toStatus(view: ContainerView, init: boolean): ContainerStatus {
  const { name, image, state, lastState, restartCount, started, ready } = view;
  return {
    name,
    image,
    imageID: `process://${image}`,
    ready: init && state.terminated ? state.terminated.exitCode === 0 : ready,
    started,
    restartCount,
    state,
    ...(lastState ? { lastState } : {}),
  };
}

/** Records that a container has ended, whose end was not seen. */
export function markEnded(view: ContainerView): void {
  if (view.state.terminated) return;
  const finishedAt = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const startedAt = view.state.running?.startedAt ?? finishedAt;
  const exitCode = view.state.running ? 0 : 137;
  const reason = view.state.running ? 'Completed' : 'ContainerStatusUnknown';
  view.state = { terminated: { exitCode, reason, startedAt, finishedAt } };
  view.ready = false;
  view.started = false;
}
