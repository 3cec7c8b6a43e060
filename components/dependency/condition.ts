import type { ClusterObject } from '../cluster/clusterObjects';

/** What the operator says of a custom resource. */
export type Judgement =
  | { readonly state: 'ready' }
  | { readonly state: 'waiting'; readonly text: string }
  /** Azure, or the operator, refuses; it tries again by itself, and it may pass. */
  | { readonly state: 'troubled'; readonly reason: string; readonly message: string }
  /** It does not try again before the specification changes. */
  | { readonly state: 'refused'; readonly reason: string; readonly message: string };

/**
 * Reasons of a warning that say only that something else comes first (azure-service-operator
 * pkg/genruntime/conditions/ready_condition_builder.go), or that Azure is busy with the same resource.
 */
const passing: ReadonlySet<string> = new Set([
  'AnotherOperationInProgress',
  'ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity',
  'ConfigMapNotFound',
  'ReconciliationBlocked',
  'ReferenceNotFound',
  'SecretNotFound',
  'ServerBusy',
  'ServerIsBusy',
  'TooManyRequests',
  'WaitingForOwner',
]);

interface Condition {
  readonly status: string;
  readonly severity: string;
  readonly reason: string;
  readonly message: string;
}

/** What the `Ready` condition of a custom resource comes to (azure-service-operator pkg/genruntime/conditions). */
export function judge(object: ClusterObject | undefined): Judgement {
  if (object === undefined) return { state: 'waiting', text: 'not there yet' };
  const condition = readyCondition(object);
  if (condition === undefined) return { state: 'waiting', text: 'not seen by the operator yet' };
  const { status, severity, reason, message } = condition;
  if (status === 'True') return { state: 'ready' };
  if (severity === 'Error') return { state: 'refused', reason, message };
  if (severity === 'Warning' && !passing.has(reason)) return { state: 'troubled', reason, message };
  return { state: 'waiting', text: message === '' ? reason : `${reason}: ${message}` };
}

/** The condition, if it is of the specification that the object has now. */
function readyCondition({ metadata, status }: ClusterObject): Condition | undefined {
  const conditions = field(status, 'conditions');
  if (!Array.isArray(conditions)) return undefined;
  const found: unknown = conditions.find((one: unknown) => field(one, 'type') === 'Ready');
  if (found === undefined || field(found, 'observedGeneration') !== metadata.generation) return undefined;
  return {
    status: text(found, 'status'),
    severity: text(found, 'severity'),
    reason: text(found, 'reason'),
    message: text(found, 'message'),
  };
}

/** Resource id that the operator found. */
export function azureIdOf(object: ClusterObject): string | undefined {
  const id = field(object.status, 'id');
  return typeof id === 'string' ? id : undefined;
}

function text(value: unknown, key: string): string {
  const found = field(value, key);
  return typeof found === 'string' ? found : '';
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
