import { useBindingAnnotation } from '../identity/bindingNames';
import { useLabel } from '../identity/signIn';
import { bindingLabel } from '../podIdentity/names';

/** How the pods of a workload sign in. */
export const WorkloadSignIn = {
  /** With workload identity. */
  WorkloadIdentity: 'workloadIdentity',
  /** With aad-pod-identity, through the metadata service. */
  PodIdentity: 'podIdentity',
  /** With workload identity if the pods' library supports it, otherwise with aad-pod-identity: the step between the two. */
  Both: 'both',
} as const;
export type WorkloadSignIn = (typeof WorkloadSignIn)[keyof typeof WorkloadSignIn];

/** Returns the labels that pods of an application need to get their tokens. */
export function signInLabels({
  application,
  signIn = 'workloadIdentity',
  credential,
}: {
  readonly application: string;
  readonly signIn?: WorkloadSignIn;
  /** Stored credential that its pods sign in with, instead of federation. */
  readonly credential?: object;
}): Record<string, string> {
  return {
    ...(signIn !== 'podIdentity' && credential === undefined && { [useLabel]: 'true' }),
    ...(signIn !== 'workloadIdentity' && { [bindingLabel]: application }),
  };
}

/** Returns the annotations that pods of an application need to get their tokens. */
export const signInAnnotations = ({
  identityBinding = false,
}: {
  readonly identityBinding?: boolean;
}): Record<string, string> => (identityBinding ? { [useBindingAnnotation]: 'true' } : {});
