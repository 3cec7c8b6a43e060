import { z } from 'zod';
import { skipUnreachable, startCommand, tryParseResourceId } from '../../stacks/offline';
import { nameInUrn, typeOf } from '../preview';

/**
 * Variables for a refresh. It takes the contents of a cluster that does not answer from the state, and does not fail. The other
 * variable must never be set: with it, all contents of the cluster would count as deleted.
 */
export const goingOn = { [skipUnreachable]: 'true', PULUMI_K8S_DELETE_UNREACHABLE: 'false' };

export const clusterResource = 'azure-native:containerservice:ManagedCluster';

const refreshOutput = z.object({
  steps: z
    .array(
      z.object({
        urn: z.string(),
        provider: z.string().default(''),
        newState: z
          .object({
            id: z.string().default(''),
            outputs: z
              .object({ powerState: z.object({ code: z.string().optional() }).nullish().catch(undefined) })
              .default({}),
          })
          .nullish(),
      }),
    )
    .default([]),
  diagnostics: z.array(z.object({ urn: z.string().default(''), message: z.string() })).nullish(),
});

/** Warning of Pulumi's Kubernetes provider (pulumi-kubernetes `provider.go`, Read). */
const isUnreachable = /configured Kubernetes cluster is unreachable/;

/** Returns a note for each cluster that does not answer: its contents were not compared. */
export function unansweredIn(printed: unknown): string[] {
  const { steps, diagnostics } = refreshOutput.parse(printed);
  const stopped = new Map(
    steps.flatMap(({ urn, newState }) =>
      typeOf(urn) === clusterResource && newState?.outputs.powerState?.code === 'Stopped'
        ? [[nameInUrn(urn), newState.id]]
        : [],
    ),
  );
  const unread = new Set(
    diagnostics?.filter(({ message }) => isUnreachable.test(message)).map(({ urn }) => urn),
  );
  const silent = steps.flatMap(({ urn, provider }) => {
    // `<urn>::<id>`; the name of a cluster's provider contains that of the cluster.
    const [name] = /[^:]+(?=-provider::[^:]+$)/.exec(provider) ?? [];
    return name !== undefined && unread.has(urn) && !stopped.has(name) ? [name] : [];
  });
  return [
    ...[...stopped].map(([name, id]) => {
      const place = tryParseResourceId(id);
      const start = place === undefined ? '' : ` Start it: \`${startCommand(place)}\`.`;
      return `The cluster ${name} is stopped: what is in it was not compared.${start}`;
    }),
    ...[...new Set(silent)].map(
      (name) =>
        `The cluster ${name} does not answer: what is in it was not compared. After a rotation of its certificates: \`pulumi refresh --run-program\`.`,
    ),
  ];
}
