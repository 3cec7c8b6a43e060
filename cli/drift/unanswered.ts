import { clusterOfProvider, providerName } from '../../stacks/access/registered';
import { skipUnreachable } from '../../components/waiting/unreachable';
import { startCommand } from '../../components/cluster/existingCluster';
import { tryParseResourceId } from '../../components/azure/resourceId';
import { nameInUrn, typeOf } from '../preview';
import { clusterResource, powerOf, type Refreshed } from './refreshed';

/**
 * Variables for a refresh. The first makes it keep the recorded contents of a cluster that does not answer, instead of
 * failing. The second must be false: otherwise, all contents of the cluster would count as deleted.
 */
export const tolerateUnreachable = { [skipUnreachable]: 'true', PULUMI_K8S_DELETE_UNREACHABLE: 'false' };

/** Warning of Pulumi's Kubernetes provider (pulumi-kubernetes `provider.go`, Read). */
const isUnreachable = /configured Kubernetes cluster is unreachable/;

/** Returns a note for each cluster that does not answer: its contents were not compared. */
export function unansweredIn({ steps, diagnostics }: Refreshed): string[] {
  const stopped = new Map(
    steps.flatMap(({ urn, newState }) =>
      typeOf(urn) === clusterResource && powerOf(newState) === 'Stopped'
        ? [[nameInUrn(urn), newState?.id ?? '']]
        : [],
    ),
  );
  const unread = new Set(
    diagnostics?.filter(({ message }) => isUnreachable.test(message)).map(({ urn }) => urn),
  );
  const silent = steps.flatMap(({ urn, provider }) => {
    const name = clusterOfProvider(providerName(provider));
    return unread.has(urn) && !stopped.has(name) ? [name] : [];
  });
  return [
    ...[...stopped].map(([name, id]) => {
      const place = tryParseResourceId(id);
      const start = place === undefined ? '' : ` Start it: \`${startCommand(place)}\`.`;
      return `The cluster ${name} is stopped: its contents were not compared.${start}`;
    }),
    ...[...new Set(silent)].map(
      (name) =>
        `The cluster ${name} does not answer: its contents were not compared. After a rotation of its certificates: \`pulumi refresh --run-program\`.`,
    ),
  ];
}
