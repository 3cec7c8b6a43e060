import type { Cluster } from '../client/cluster';
import type { JsonObject } from '../json';
import { objectsAt, textAt } from '../json';

/** True if an object is ready. */
export interface Readiness {
  ready: boolean;
  /** True if waiting longer cannot help. @default false */
  failed?: boolean;
  /** The missing part, in a few words; `ready` for a ready object. */
  progress: string;
  /** Returns the reasons why it is not ready, in one sentence each. */
  reasons: () => Promise<string[]>;
}

export interface Observation {
  cluster: Cluster;
  /** The current object. */
  object: JsonObject;
  signal: AbortSignal | undefined;
}

/** Checks whether an object of a kind is ready. */
export type ReadinessCheck = (observation: Observation) => Readiness | Promise<Readiness>;

export const isReady: Readiness = { ready: true, progress: 'ready', reasons: () => Promise.resolve([]) };

export function notReady(progress: string, ...reasons: string[]): Readiness {
  return {
    ready: false,
    progress,
    reasons: () => Promise.resolve(reasons.length > 0 ? reasons : [progress]),
  };
}

export function failed(progress: string, reasons: () => Promise<string[]>): Readiness {
  return { ready: false, failed: true, progress, reasons };
}

/** Returns the condition of a type; undefined if the object does not have it. */
export function conditionOf(object: JsonObject, type: string): JsonObject | undefined {
  return objectsAt(object, 'status', 'conditions').find((condition) => textAt(condition, 'type') === type);
}

/** Returns a condition's `Reason: message`, or the one of them that it has. */
export function describeCondition(condition: JsonObject): string {
  const parts = [textAt(condition, 'reason'), textAt(condition, 'message')].filter(
    (part): part is string => part !== undefined && part !== '',
  );
  return parts.length > 0 ? parts.join(': ') : `condition ${textAt(condition, 'type') ?? ''} is not met`;
}

/** Returns a check that is ready when the condition of a type has the status. */
export function untilCondition(type: string, status = 'True'): ReadinessCheck {
  return ({ object }) => {
    const condition = conditionOf(object, type);
    if (textAt(condition, 'status') === status) return isReady;
    const progress = `waiting for condition ${type}=${status}`;
    return condition === undefined
      ? notReady(progress, `it has no condition ${type} yet`)
      : notReady(
          progress,
          `condition ${type} is ${textAt(condition, 'status') ?? ''}: ${describeCondition(condition)}`,
        );
  };
}
