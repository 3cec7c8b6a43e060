import { grantedName, secretsIn } from '../../stacks/offline';
import { withIdentitiesBeside } from '../../verification/checks';
import type { DeployedOutputs } from '../stackOutputs';
import type { SecretRequests } from './requests';

/** An identity of the stack that may read secrets, and as what. */
export interface KnownReader {
  /** Object id. */
  readonly objectId: string;
  /** Name in Azure. */
  readonly identity: string;
  readonly clientId: string;
  readonly cluster: string;
  /** The applications that run as it; of a hosted cluster, its name. */
  readonly applications: readonly string[];
  /** What the stack lets it read, each `<vault>/<secret>` in lower case. */
  readonly grants: readonly string[];
}

/** The identities in the outputs that read secrets: those of applications, and of the nodes of management clusters. */
export function knownReaders({
  workloads,
  hostedClusters,
}: Pick<DeployedOutputs, 'workloads' | 'hostedClusters'>): KnownReader[] {
  const each = [
    ...withIdentitiesBeside({ workloads }).workloads.map(
      ({ cluster, application, identity, grants, windows }) => ({
        ...{ ...identity, cluster, application },
        grants: [...secretsIn(grants), ...secretsIn(windows)].map(grantedName),
      }),
    ),
    ...hostedClusters.flatMap(({ name, managementCluster, reader, vault = '', components }) =>
      reader === undefined
        ? []
        : [
            {
              ...{ ...reader, name: 'its nodes', cluster: managementCluster },
              application: `hosted cluster ${name}`,
              grants: components.flatMap(({ secret }) => (secret === undefined ? [] : `${vault}/${secret}`)),
            },
          ],
    ),
  ];
  const found = new Map<string, KnownReader>();
  for (const { principalId, name, clientId, cluster, application, grants } of each) {
    const objectId = principalId.toLowerCase();
    const before = found.get(objectId);
    found.set(objectId, {
      ...{ objectId, identity: name, clientId, cluster },
      applications: [...(before?.applications ?? []), application],
      grants: [...(before?.grants ?? []), ...grants.map((one) => one.toLowerCase())],
    });
  }
  return [...found.values()];
}

/** Requests, and who of the stack made them. */
export interface ReadBy extends SecretRequests {
  /** Undefined if it is nobody of the stack. */
  readonly reader: KnownReader | undefined;
}

/** Selects requests of the project's own verification: it says so, and signs in as identities of the stack only. */
export const isVerification = ({ byVerification, reader }: ReadBy): boolean =>
  byVerification && reader !== undefined;

/** Those of nobody in the stack first, then the latest. */
export function readBy(requests: readonly SecretRequests[], known: readonly KnownReader[]): ReadBy[] {
  const byId = new Map(known.map((one) => [one.objectId, one]));
  return requests
    .map((one) => ({ ...one, reader: byId.get(one.objectId) }))
    .sort(
      (one, other) =>
        Number(one.reader !== undefined) - Number(other.reader !== undefined) ||
        other.last.getTime() - one.last.getTime(),
    );
}
