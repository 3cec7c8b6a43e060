import type { ContainerStateStatus, ContainerStatus } from '../api/types';

/** What one container is doing, as the agent knows it. */
export interface ContainerView {
  name: string;
  image: string;
  state: ContainerStateStatus;
  lastState?: ContainerStateStatus;
  restartCount: number;
  /** Past its startup probe. */
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
