import type { Children } from './children';

/** What the requests of the engine are answered with. */
export interface HostContext {
  /** Address of the engine's log service. */
  engineAddress: string;
  children: Children;
}
