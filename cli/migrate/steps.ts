import type { FederatedCredential } from '../../verification/access';
import { bindingLabel, clientIdAnnotation, defaultAudience, subjectOf, useLabel } from '../../stacks/offline';
import type { LegacyObject } from './objects';
import type { Candidate } from './plan';
import { hasEnded } from './plan';

/** How far the migration of one workload is; undefined is not known, of files. */
export interface Progress {
  /** Its identity trusts its service account, which has the identity's id. */
  readonly prepared: boolean | undefined;
  /** All of its pods have a token of workload identity. */
  readonly switched: boolean | undefined;
  /** These pods are ready. That they sign in by workload identity is not proven by it. */
  readonly ready: boolean | undefined;
}

/** Whether one of the federated credentials of a candidate's identity trusts its service account, under any name. */
export function isTrusted(
  candidate: Candidate,
  issuer: string | undefined,
  credentials: readonly FederatedCredential[],
): boolean {
  const subject = subjectOf(candidate);
  return credentials.some(
    (one) => one.issuer === issuer && one.subject === subject && one.audiences.includes(defaultAudience),
  );
}

/** @param credentials the federated credentials of its identity; undefined if they were not looked at */
export function progressOf(
  candidate: Candidate,
  objects: readonly LegacyObject[],
  issuer: string | undefined,
  credentials: readonly FederatedCredential[] | undefined,
): Progress {
  if (credentials === undefined) return { prepared: undefined, switched: undefined, ready: undefined };
  const { namespace, serviceAccount, identity } = candidate;
  const account = objects.find(
    ({ kind, metadata }) =>
      kind === 'ServiceAccount' && metadata?.namespace === namespace && metadata.name === serviceAccount,
  );
  const pods = objects.filter(
    (one) =>
      one.kind === 'Pod' &&
      !hasEnded(one) &&
      one.metadata?.namespace === namespace &&
      one.metadata.deletionTimestamp === undefined &&
      one.spec?.serviceAccountName === serviceAccount &&
      // Others under the same account may use neither way.
      [bindingLabel, useLabel].some((label) => one.metadata?.labels?.[label] !== undefined),
  );
  const hasToken = ({ spec }: LegacyObject) =>
    (spec?.containers ?? []).some(({ env = [] }) =>
      env.some(({ name }) => name === 'AZURE_FEDERATED_TOKEN_FILE'),
    );
  const isReady = ({ status }: LegacyObject) =>
    (status?.conditions ?? []).some((one) => one.type === 'Ready' && one.status === 'True');
  const prepared =
    account?.metadata?.annotations?.[clientIdAnnotation]?.toLowerCase() === identity.clientId.toLowerCase() &&
    isTrusted(candidate, issuer, credentials);
  const switched = candidate.template.metadata?.labels?.[useLabel] === 'true' && pods.every(hasToken);
  return { prepared, switched, ready: switched && pods.every(isReady) };
}
