import type { FederatedCredential } from '../../verification/access';
import { bindingLabel } from '../../components/podIdentity/names';
import { clientIdAnnotation, useLabel } from '../../components/identity/signIn';
import { defaultAudience, subjectOf } from '../../components/identity/subjects';
import type { LegacyObject } from './objects';
import type { Candidate } from './plan';
import { hasEnded } from './plan';

/** The progress of a workload's migration. Undefined means unknown, as for files. */
export interface Progress {
  /** Its identity trusts its service account, which has the identity's client id. */
  readonly prepared: boolean | undefined;
  /** All its pods have a token of workload identity. */
  readonly switched: boolean | undefined;
  /** These pods are ready. It does not prove that they sign in with workload identity. */
  readonly ready: boolean | undefined;
}

/** Tells whether a federated credential of the candidate's identity trusts its service account. */
export function isTrusted(
  candidate: Candidate,
  issuer: string | undefined,
  credentials: readonly FederatedCredential[],
): boolean {
  const subject = subjectOf(candidate);
  return credentials.some(
    (credential) =>
      credential.issuer === issuer &&
      credential.subject === subject &&
      credential.audiences.includes(defaultAudience),
  );
}

/** @param credentials federated credentials of its identity; undefined if they were not read */
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
    (object) =>
      object.kind === 'Pod' &&
      !hasEnded(object) &&
      object.metadata?.namespace === namespace &&
      object.metadata.deletionTimestamp === undefined &&
      object.spec?.serviceAccountName === serviceAccount &&
      // Other pods under the same account may use neither way.
      [bindingLabel, useLabel].some((label) => object.metadata?.labels?.[label] !== undefined),
  );
  const hasToken = ({ spec }: LegacyObject) =>
    (spec?.containers ?? []).some(({ env = [] }) =>
      env.some(({ name }) => name === 'AZURE_FEDERATED_TOKEN_FILE'),
    );
  const isReady = ({ status }: LegacyObject) =>
    (status?.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True');
  const prepared =
    account?.metadata?.annotations?.[clientIdAnnotation]?.toLowerCase() === identity.clientId.toLowerCase() &&
    isTrusted(candidate, issuer, credentials);
  const switched = candidate.template.metadata?.labels?.[useLabel] === 'true' && pods.every(hasToken);
  return { prepared, switched, ready: switched && pods.every(isReady) };
}
