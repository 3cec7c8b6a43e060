/** How the pods of a workload sign in. */
export const WorkloadSignIn = {
  /** By workload identity. */
  WorkloadIdentity: 'workloadIdentity',
  /** By aad-pod-identity, at the metadata service. */
  PodIdentity: 'podIdentity',
  /** By workload identity where the pods' library can, else by aad-pod-identity: the step between the two. */
  Both: 'both',
} as const;
export type WorkloadSignIn = (typeof WorkloadSignIn)[keyof typeof WorkloadSignIn];

/**
 * The pod label by which the workload identity webhook selects pods. A pod without it gets nothing, and no error is
 * reported (Azure/azure-workload-identity PR #691).
 */
export const useLabel = { 'azure.workload.identity/use': 'true' };

/** The label by which aad-pod-identity selects pods. */
const bindingLabel = 'aadpodidbinding';

/** The labels by which the pods of an application get their tokens. */
export function signInLabels({
  application,
  signIn = 'workloadIdentity',
  credential,
}: {
  readonly application: string;
  readonly signIn?: WorkloadSignIn;
  /** What its pods sign in with, without federation. */
  readonly credential?: object;
}): Record<string, string> {
  return {
    ...(signIn !== 'podIdentity' && credential === undefined && useLabel),
    ...(signIn !== 'workloadIdentity' && { [bindingLabel]: application }),
  };
}
