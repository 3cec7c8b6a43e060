import { nearest, subjectOf } from '../../stacks/offline';
import { withIdentitiesBeside, type VerifiedOutputs, type WorkloadOutput } from '../../verification/checks';
import { VisibleError } from '../visibleError';

/** What is revoked: a key of `revoked` in the stack file, and a name there. */
export interface Revocation {
  kind: 'applications' | 'clusters' | 'identities';
  name: string;
}

/** An identity, and whose access by it is revoked. */
export interface Target {
  /** Resource id; of an application in Entra `/applications/<object id>`. */
  id: string;
  /** Name in Azure. */
  name: string;
  cluster: string;
  /** Object id; undefined where no application runs as it. */
  principalId: string | undefined;
  /** Client id; undefined of a managed identity that no application runs as. */
  clientId: string | undefined;
  /** Everything of it goes: the stack made it, and nothing else runs as it. */
  whole: boolean;
  /** The applications that lose their access. */
  revoked: WorkloadOutput[];
  /** Those that run as it and keep their access. */
  others: WorkloadOutput[];
}

/** The names by which a workload can be revoked; of its identity, any generation. */
const namesIn = {
  applications: ({ application }: WorkloadOutput) => [application],
  clusters: ({ cluster }: WorkloadOutput) => [cluster],
  identities: ({ identity, identitiesBeside }: WorkloadOutput) =>
    [identity, ...identitiesBeside].map(({ name }) => name),
};

/**
 * The identities of a deployed stack that a revocation concerns, without those of hosted clusters.
 * @param isRevokedToo whether the stack file revokes the application on its cluster for another reason
 * @throws VisibleError if the stack has nothing of the name
 */
export function targetsOf(
  outputs: VerifiedOutputs,
  { kind, name }: Revocation,
  isRevokedToo: (workload: WorkloadOutput) => boolean,
): Target[] {
  const named = outputs.workloads.filter((one) => namesIn[kind](one).includes(name));
  const known =
    kind === 'clusters' ? Object.keys(outputs.clusters) : outputs.workloads.flatMap(namesIn[kind]);
  if (!known.includes(name)) throw unknown({ kind, name }, [...new Set(known)]);
  const hosted = outputs.hostedClusters.flatMap(({ components, nodes }) => [...components, ...nodes]);
  const made = outputs.identities.filter((one) => !hosted.some((other) => other.name === one.name));
  // Each generation of an identity is one more that they could run as.
  const { workloads } = withIdentitiesBeside(outputs);
  const isNamed = (one: WorkloadOutput) =>
    named.some(({ application, cluster }) => application === one.application && cluster === one.cluster);
  const ids = new Set([
    ...workloads.filter(isNamed).map(({ identity }) => identity.id.toLowerCase()),
    // Also those that no application runs as, such as the service operator's.
    ...made.filter((one) => kind === 'clusters' && one.cluster === name).map(({ id }) => id.toLowerCase()),
  ]);
  return [...ids].map((id) => {
    const running = workloads.filter(({ identity }) => identity.id.toLowerCase() === id);
    const own = made.find((one) => one.id.toLowerCase() === id);
    const revoked = running.filter((one) => isNamed(one) || isRevokedToo(one));
    const others = running.filter((one) => !revoked.includes(one));
    const identity = own ?? running[0]?.identity;
    return {
      id: identity?.id ?? id,
      name: identity?.name ?? id,
      cluster: own?.cluster ?? running[0]?.cluster ?? '',
      principalId: running[0]?.identity.principalId ?? own?.principalId,
      clientId: running[0]?.identity.clientId ?? own?.clientId,
      whole: own !== undefined && others.length === 0,
      revoked,
      others,
    };
  });
}

const nouns = { applications: 'application', clusters: 'cluster', identities: 'identity of applications' };

function unknown({ kind, name }: Revocation, known: readonly string[]): VisibleError {
  const near = nearest(name, known);
  return new VisibleError(
    `The deployed stack has no ${nouns[kind]} ${name}. It has: ${known.join(', ') || 'none'}.`,
    near === undefined ? 'Name one of these.' : `Did you mean ${near}?`,
  );
}

/** Whether a federated credential trusts an account of what is revoked. */
export function trustsRevoked(
  { revoked }: Target,
  credential: { issuer: string; subject: string | undefined },
): boolean {
  return revoked.some(
    (one) =>
      one.issuer === credential.issuer &&
      [
        one.subject,
        ...one.serviceAccounts.map((serviceAccount) => subjectOf({ ...one, serviceAccount })),
      ].includes(credential.subject ?? ''),
  );
}
