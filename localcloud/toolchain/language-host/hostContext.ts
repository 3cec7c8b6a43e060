import type { Children } from './children';

/** Shared state with which the host answers the engine's requests. */
export interface HostContext {
  /** Address of the engine's log service. */
  engineAddress: string;
  children: Children;
}
