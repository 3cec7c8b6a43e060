import { partsOf } from '../../stacks/outputs/hostedClusterOutput';
import { didYouMean } from '../../stacks/settings/nearest';
import { subjectOf } from '../../components/identity/subjects';
import { withIdentitiesBeside, type VerifiedOutputs, type WorkloadOutput } from '../../verification/checks';
import { UserError } from '../userError';

/** A revocation: a key of `revoked` in the stack file, and a name in it. */
export interface Revocation {
  kind: 'applications' | 'clusters' | 'identities';
  name: string;
}

/** An affected identity, with the applications that lose and keep its access. */
export interface Target {
  /** Resource id; `/applications/<object id>` for an application in Entra. */
  id: string;
  /** Name in Azure. */
  name: string;
  /** Object id; undefined if no application runs as it. */
  principalId: string | undefined;
  /** Client id; undefined for a managed identity that no application runs as. */
  clientId: string | undefined;
  /** All its access is removed: the stack created it, and nothing else runs as it. */
  whole: boolean;
  /** The applications that lose their access. */
  revoked: WorkloadOutput[];
  /** The applications that run as it and keep their access. */
  others: WorkloadOutput[];
}

/** Returns the names that revoke a workload, including all generations of its identity. */
const namesIn = {
  applications: ({ application }: WorkloadOutput) => [application],
  clusters: ({ cluster }: WorkloadOutput) => [cluster],
  identities: ({ identity, identitiesBeside }: WorkloadOutput) =>
    [identity, ...identitiesBeside].map(({ name }) => name),
};

/**
 * Returns the identities of a deployed stack that a revocation affects, without those of clusters' own parts.
 * @param isRevokedToo tells whether the stack file already revokes an application on its cluster
 * @throws UserError if the name is not in the stack, of which all cells could be read
 */
export function targetsOf(
  outputs: VerifiedOutputs,
  { kind, name }: Revocation,
  isRevokedToo: (workload: WorkloadOutput) => boolean,
): Target[] {
  const named = outputs.workloads.filter((workload) => namesIn[kind](workload).includes(name));
  const known =
    kind === 'clusters' ? Object.keys(outputs.clusters) : outputs.workloads.flatMap(namesIn[kind]);
  if (!known.includes(name) && outputs.isIncomplete !== true)
    throw unknown({ kind, name }, [...new Set(known)]);
  const ofParts = new Set(
    partsOf(outputs).flatMap(({ identities }) => identities.map((identity) => identity.name)),
  );
  const ofStack = outputs.identities.filter((identity) => !ofParts.has(identity.name));
  // Applications could run as any generation of their identity.
  const { workloads } = withIdentitiesBeside(outputs);
  const isNamed = (workload: WorkloadOutput) =>
    named.some(
      ({ application, cluster }) => application === workload.application && cluster === workload.cluster,
    );
  const ids = new Set([
    ...workloads.filter(isNamed).map(({ identity }) => identity.id.toLowerCase()),
    // Also identities without an application, such as the service operator's.
    ...ofStack
      .filter(({ cluster }) => kind === 'clusters' && cluster === name)
      .map(({ id }) => id.toLowerCase()),
  ]);
  return [...ids].map((id) => {
    const running = workloads.filter(({ identity }) => identity.id.toLowerCase() === id);
    const own = ofStack.find((candidate) => candidate.id.toLowerCase() === id);
    const revoked = running.filter((workload) => isNamed(workload) || isRevokedToo(workload));
    const others = running.filter((workload) => !revoked.includes(workload));
    const identity = own ?? running[0]?.identity;
    return {
      id: identity?.id ?? id,
      name: identity?.name ?? id,
      principalId: running[0]?.identity.principalId ?? own?.principalId,
      clientId: running[0]?.identity.clientId ?? own?.clientId,
      whole: own !== undefined && others.length === 0,
      revoked,
      others,
    };
  });
}

const nouns = { applications: 'application', clusters: 'cluster', identities: 'identity of applications' };

function unknown({ kind, name }: Revocation, known: readonly string[]): UserError {
  return new UserError(
    `The deployed stack has no ${nouns[kind]} ${name}. It has: ${known.join(', ') || 'none'}.`,
    didYouMean(name, known, 'Name one of these.'),
  );
}

/** Tells whether a federated credential trusts a service account of a revoked application. */
export function trustsRevoked(
  { revoked }: Target,
  credential: { issuer: string; subject: string | undefined },
): boolean {
  return revoked.some(
    (workload) =>
      workload.issuer === credential.issuer &&
      workload.serviceAccounts.some(
        (serviceAccount) => subjectOf({ ...workload, serviceAccount }) === credential.subject,
      ),
  );
}
