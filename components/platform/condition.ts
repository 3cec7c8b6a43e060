import type { ClusterObject } from '../cluster/clusterObjects';
import { fieldsOf, itemsOf } from '../cluster/fields';

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
  const found = itemsOf(fieldsOf(status).conditions)
    .map(fieldsOf)
    .find(({ type }) => type === 'Ready');
  if (found === undefined || found.observedGeneration !== metadata.generation) return undefined;
  return {
    status: text(found.status),
    severity: text(found.severity),
    reason: text(found.reason),
    message: text(found.message),
  };
}

/** Resource id that the operator found. */
export function azureIdOf(object: ClusterObject): string | undefined {
  const { id } = fieldsOf(object.status);
  return typeof id === 'string' ? id : undefined;
}

/** What is said, in one line: the resource manager's refusals come with lines of their own. */
export function textOf(judgement: Judgement): string {
  if (judgement.state === 'ready') return 'ready';
  const text = judgement.state === 'waiting' ? judgement.text : `${judgement.reason}: ${judgement.message}`;
  return text.replace(/\s+/g, ' ');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
