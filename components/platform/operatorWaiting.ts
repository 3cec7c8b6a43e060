import type { Patience } from '../cluster/waiting';

/** How long is waited and who waits, for messages. */
export type Waiting = Omit<Patience, 'limitMs'>;

/** The operator installs its custom resources when it starts, and then starts once more. */
export const startLimitMs = 5 * 60_000;

/** Where the operator says what it does. */
export const operatorLogs =
  '`kubectl logs --namespace azureserviceoperator-system deployment/azureserviceoperator-controller-manager`';

/** For messages. */
export function minutes(milliseconds: number): string {
  return `${milliseconds / 60_000} minutes`;
}
