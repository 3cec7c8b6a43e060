import { everGranted, grantedName, secretsIn } from '../../stacks/plan/granted';
import { partsOf } from '../../stacks/outputs/hostedClusterOutput';
import { withIdentitiesBeside } from '../../verification/checks';
import type { DeployedOutputs } from '../stackOutputs';
import type { SecretRequests } from './requests';

/** An identity of the stack that may read secrets. */
export interface KnownReader {
  /** Object id. */
  readonly objectId: string;
  /** Name in Azure. */
  readonly identity: string;
  readonly clientId: string;
  /** Its cluster; several, separated by commas, for an identity that they share. */
  readonly cluster: string;
  /** The applications that run as it, or the part of its cluster that it reads for. */
  readonly applications: readonly string[];
  /** The secrets that the stack lets it read, each `<vault>/<secret>`. */
  readonly grants: readonly string[];
}

/** Returns the identities in the outputs that read secrets: those of applications and of management clusters' nodes. */
export function knownReaders(
  outputs: Pick<DeployedOutputs, 'workloads'> & Parameters<typeof partsOf>[0],
): KnownReader[] {
  const readers = [
    ...withIdentitiesBeside(outputs).workloads.map((workload) => ({
      ...{ ...workload.identity, cluster: workload.cluster, application: workload.application },
      grants: secretsIn(everGranted(workload)).map(grantedName),
    })),
    ...partsOf(outputs).flatMap(({ name: application, cluster, reader }) =>
      reader === undefined
        ? []
        : { ...reader, name: 'its nodes', cluster, application, grants: reader.secrets.map(grantedName) },
    ),
  ];
  const byId = new Map<string, KnownReader>();
  for (const { principalId, name, clientId, cluster, application, grants } of readers) {
    const objectId = principalId.toLowerCase();
    const known = byId.get(objectId);
    byId.set(objectId, {
      ...{ objectId, identity: name, clientId },
      // An application may have the same identity on all its clusters.
      cluster: [...new Set([...(known?.cluster.split(', ') ?? []), cluster])].join(', '),
      applications: [...new Set([...(known?.applications ?? []), application])],
      grants: [...new Set([...(known?.grants ?? []), ...grants])],
    });
  }
  return [...byId.values()];
}

/** Requests with the identity of the stack that made them. */
export interface ReadBy extends SecretRequests {
  /** Undefined for a reader outside the stack. */
  readonly reader: KnownReader | undefined;
}

/** Tells whether requests are of the verification: by its user agent, and as an identity of the stack. */
export const isVerification = ({ byVerification, reader }: ReadBy): boolean =>
  byVerification && reader !== undefined;

/** Adds the readers to requests. Readers outside the stack come first, then the latest requests. */
export function readBy(requests: readonly SecretRequests[], known: readonly KnownReader[]): ReadBy[] {
  const byId = new Map(known.map((reader) => [reader.objectId, reader]));
  return requests
    .map((request) => ({ ...request, reader: byId.get(request.objectId) }))
    .sort(
      (a, b) =>
        Number(a.reader !== undefined) - Number(b.reader !== undefined) ||
        b.last.getTime() - a.last.getTime(),
    );
}
