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

/**
 * Ids in Azure of the custom resources, once all are provisioned, as far as the operator tells them; none in a preview,
 * which waits for nothing.
 */
export function awaitProvisioning(
  resources: readonly CustomResource[],
  args: AwaitArgs,
): pulumi.Output<string[]> {
  const { connect } = args.cluster;
  if (connect === undefined || pulumi.runtime.isDryRun()) return pulumi.output([]);
  return pulumi.all(resources.map((resource) => awaitOne(resource, args, connect)));
}

function awaitOne(resource: CustomResource, args: AwaitArgs, connect: ConnectCluster): pulumi.Output<string> {
  return pulumi
    .all([
      resource.apiVersion,
      resource.kind,
      resource.metadata,
      args.cluster.kubeconfig,
      args.grantedAt,
      args.groupId,
    ])
    .apply(async ([apiVersion, kind, { name, namespace }, kubeconfig, granted, grantedOn]) => {
      const at = granted === undefined ? NaN : Date.parse(granted);
      const awaited = {
        reference: { apiVersion, kind, namespace, name },
        ...(Number.isFinite(at) && { grantedAt: at }),
        grantedOn,
      };
      return provisionedId(resource, awaited, await connect(kubeconfig), args);
    });
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
