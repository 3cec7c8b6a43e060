import { z } from 'zod';
import { skipUnreachable, startCommand, tryParseResourceId } from '../../stacks/offline';
import { nameInUrn, typeOf } from '../preview';

/**
 * A refresh reads what is in a cluster that does not answer from the state, and does not fail. Never the other variable: by it, all
 * that is in the cluster would count as deleted.
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

/** What Pulumi's provider for Kubernetes warns of (pulumi-kubernetes `provider.go`, Read). */
const isUnreachable = /configured Kubernetes cluster is unreachable/;

/** Says of each cluster that does not answer that what is in it was not compared. */
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
    // `<urn>::<id>`; the provider of a cluster is named after it.
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
