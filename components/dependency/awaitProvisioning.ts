import type * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { ConnectCluster } from '../cluster/clusterObjects';
import { azureIdOf } from '../platform/condition';
import { realClock } from '../resource/clock';
import { errorAt } from '../resource/errorAt';
import type { AzureDependencyArgs } from './azureDependency';
import type { Awaited, Waiting } from './provisioning';
import { NotProvisioned, patience, provisioned } from './provisioning';
import { remedyOf } from './remedy';

type AwaitArgs = Pick<AzureDependencyArgs, 'cluster' | 'grantedAt' | 'waiting'> & {
  /** Resource id of the group in which the operator may provision. */
  readonly groupId: pulumi.Input<string>;
  /** What the custom resources are, in words. */
  readonly what: string;
};

type CustomResource = kubernetes.apiextensions.CustomResource;

/** What came of a custom resource: its id in Azure, empty if the operator does not tell it, or why it did not come. */
type Outcome = { readonly id: string } | { readonly error: unknown; readonly lastId: string };

/** What came of several. */
export interface Provisioning {
  /** Ids in Azure, once all are provisioned, as far as the operator tells them; none in a preview, which waits for nothing. */
  readonly ids: pulumi.Output<string[]>;
  /** The first one's, also where it, or another, does not come: as it was seen last. For what is recorded in any case. */
  readonly firstId: pulumi.Output<string>;
}

/** Waits for custom resources. An error is shown at the resource that does not come. */
export function awaitProvisioning(resources: readonly CustomResource[], args: AwaitArgs): Provisioning {
  const { connect } = args.cluster;
  if (connect === undefined || pulumi.runtime.isDryRun())
    return { ids: pulumi.output([]), firstId: pulumi.output('') };
  const outcomes = resources.map((resource) => awaitOne(resource, args, connect));
  return {
    ids: pulumi.all(outcomes.map((outcome) => outcome.apply(idOrThrow))),
    firstId: outcomes[0]?.apply((first) => ('id' in first ? first.id : first.lastId)) ?? pulumi.output(''),
  };
}

function idOrThrow(outcome: Outcome): string {
  if ('error' in outcome) throw outcome.error;
  return outcome.id;
}

function awaitOne(
  resource: CustomResource,
  args: AwaitArgs,
  connect: ConnectCluster,
): pulumi.Output<Outcome> {
  return pulumi
    .all([
      resource.apiVersion,
      resource.kind,
      resource.metadata,
      args.cluster.kubeconfig,
      args.grantedAt,
      args.groupId,
    ])
    .apply(
      async ([apiVersion, kind, { name, namespace }, kubeconfig, granted, grantedOn]): Promise<Outcome> => {
        const at = granted === undefined ? NaN : Date.parse(granted);
        const awaited = {
          reference: { apiVersion, kind, namespace, name },
          ...(Number.isFinite(at) && { grantedAt: at }),
          grantedOn,
        };
        const objects = await connect(kubeconfig);
        try {
          return { id: await provisionedId(resource, awaited, objects, args) };
        } catch (error) {
          const seen = await objects.get(awaited.reference).catch(() => undefined);
          return { error, lastId: (seen && azureIdOf(seen)) ?? '' };
        }
      },
    );
}

/** Its id in Azure, or an empty text, once it is there; an error at the resource if it does not come. */
export async function provisionedId(
  resource: pulumi.Resource,
  awaited: Awaited,
  objects: Waiting['objects'],
  {
    cluster,
    waiting,
    what,
  }: Pick<AwaitArgs, 'waiting' | 'what'> & { readonly cluster: { readonly name: string } },
): Promise<string> {
  const { kind, namespace = '', name } = awaited.reference;
  try {
    const object = await provisioned(awaited, {
      objects,
      clock: waiting?.clock ?? realClock,
      patience: waiting?.patience ?? patience,
      report: (text) => void pulumi.log.info(`${kind} ${name}: ${text}`, resource, undefined, true),
    });
    return azureIdOf(object) ?? '';
  } catch (error) {
    if (!(error instanceof NotProvisioned)) throw error;
    const { reason, details } = error;
    throw errorAt(
      resource,
      `${kind} ${namespace}/${name} on ${cluster.name} (${what}) was not provisioned: ${reason}: ${details.replace(/\.?\s*$/, '')}. ${remedyOf(reason, details)}`,
    );
  }
}
