import type { KubernetesObject } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import type { Look } from './wait';

/** A custom resource of Azure Service Operator (azure-service-operator pkg/genruntime/conditions). */
export interface OperatorResource extends KubernetesObject {
  readonly status?: {
    /** Resource id in Azure. */
    readonly id?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly severity?: string;
      readonly reason: string;
      readonly message?: string;
      readonly observedGeneration?: number;
    }[];
  };
}

/** Reads the `Ready` condition of a custom resource; the answer is the resource id in Azure, if it has one. */
export function readyCondition({ metadata, status }: OperatorResource): Look<string> {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  // The condition describes the generation that the operator saw last, which may be an older one.
  if (ready === undefined || ready.observedGeneration !== metadata?.generation)
    return { missing: 'not seen by the operator yet' };
  if (ready.status === 'True') return { answer: status?.id ?? '' };
  const { severity, reason: code, message = '' } = ready;
  // After a warning, the operator retries. After an error, it does nothing until the specification changes.
  if (severity === 'Error') return { refusal: { code, message, final: true } };
  if (severity === 'Warning') return { refusal: { code, message } };
  return { missing: message === '' ? code : `${code}: ${message}` };
}
