import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { Deletion } from '../resource/retention';
import type { CustomResourceBody } from './specification';

/** Where a custom resource is, and what becomes of what it stands for. */
export interface CustomResourcePlace {
  readonly application: string;
  readonly namespace: pulumi.Input<string>;
  readonly objectName: string;
  /** This cluster's operator provisions it. */
  readonly manages: boolean;
  readonly deletion: Deletion;
  /** API versions that custom resources have in the stack so far, by their names there. */
  readonly apiVersionsBefore: ReadonlyMap<string, string>;
}

/**
 * What the operator does with it (azure-service-operator pkg/common/annotations/reconcile_policy.go). skip: it only looks,
 * and exports what it sees. detach-on-delete: what is deleted in Kubernetes stays in Azure.
 */
function reconcilePolicy({ access }: CustomResourceBody, { manages, deletion }: CustomResourcePlace): string {
  if (access === true) return 'manage';
  if (!manages) return 'skip';
  return deletion === 'allowed' ? 'manage' : 'detach-on-delete';
}

/** A custom resource of the operator. The engine does not wait for it: the program does, and tells what Azure says. */
export function customResource(
  componentName: string,
  body: CustomResourceBody,
  place: CustomResourcePlace,
  opts: pulumi.CustomResourceOptions,
): kubernetes.apiextensions.CustomResource {
  const { suffix, apiVersion, kind, spec, deletionTakes } = body;
  const name = suffix === undefined ? componentName : `${componentName}/${suffix}`;
  const before = place.apiVersionsBefore.get(name) ?? apiVersion;
  return new kubernetes.apiextensions.CustomResource(
    name,
    {
      apiVersion,
      kind,
      metadata: {
        name: suffix === undefined ? place.objectName : `${place.objectName}-${suffix}`,
        namespace: place.namespace,
        labels: { 'app.kubernetes.io/name': place.application },
        annotations: {
          'serviceoperator.azure.com/reconcile-policy': reconcilePolicy(body, place),
          'pulumi.com/skipAwait': 'true',
        },
      },
      spec,
    },
    pulumi.mergeOptions(opts, {
      // What the operator does not let change (azure-service-operator pkg/genruntime, ValidateWriteOnceProperties).
      replaceOnChanges: ['spec.azureName', 'spec.owner'],
      deleteBeforeReplace: true,
      ...(before !== apiVersion && { aliases: [{ type: `kubernetes:${before}:${kind}` }] }),
      // It is there until the operator has deleted the service.
      ...(deletionTakes !== undefined && { customTimeouts: { delete: deletionTakes } }),
    }),
  );
}
