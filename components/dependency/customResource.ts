import * as kubernetes from '@pulumi/kubernetes';
import type * as pulumi from '@pulumi/pulumi';
import { forceConflicts } from '../resource/forceConflicts';
import type { CustomResourceBody } from './specification';
import { objectNameOf } from './specification';

/** The common properties of all custom resources of a dependency. */
export interface CustomResourceContext {
  /** Name of the component in the stack. */
  readonly component: string;
  /** The component. */
  readonly parent: pulumi.Resource;
  /** Options of the component. */
  readonly opts: pulumi.ComponentResourceOptions | undefined;
  readonly application: string;
  readonly namespace: pulumi.Input<string>;
  readonly objectName: string;
  /** True if this cluster's operator provisions the service. */
  readonly manages: boolean;
  /** True to keep the service in Azure when the custom resource is deleted. */
  readonly retainOnDelete: boolean;
}

/**
 * Returns the operator's policy for a custom resource (azure-service-operator pkg/common/annotations/reconcile_policy.go).
 * skip: the operator reads the resource in Azure, exports its values, and changes nothing. detach-on-delete: the resource
 * is kept in Azure when the custom resource is deleted.
 */
function reconcilePolicy(
  { access, keys }: CustomResourceBody,
  { manages, retainOnDelete }: CustomResourceContext,
): string {
  if (access === true) return 'manage';
  if (keys === true || !manages) return 'skip';
  return retainOnDelete ? 'detach-on-delete' : 'manage';
}

/**
 * Deploys a custom resource of the operator. The program waits for it, because the engine's wait does not show refusals by
 * Azure.
 */
export function customResource(
  context: CustomResourceContext,
  body: CustomResourceBody,
  opts: pulumi.CustomResourceOptions,
): kubernetes.apiextensions.CustomResource {
  const { component, parent, objectName, namespace, application } = context;
  const { suffix, apiVersion, kind, spec, deletionTakes } = body;
  const inStack = suffix === undefined ? '' : `/${suffix}`;
  const policy = reconcilePolicy(body, context);
  return new kubernetes.apiextensions.CustomResource(
    `${component}${inStack}`,
    {
      apiVersion,
      kind,
      metadata: {
        name: objectNameOf(objectName, body),
        namespace,
        labels: { 'app.kubernetes.io/name': application },
        annotations: {
          ...forceConflicts,
          'serviceoperator.azure.com/reconcile-policy': policy,
          'pulumi.com/skipAwait': 'true',
        },
      },
      spec,
    },
    {
      ...opts,
      parent,
      // The operator must delete what it manages in Azure before the cluster is deleted.
      deletedWith: policy === 'manage' ? undefined : context.opts?.deletedWith,
      // The operator refuses changes of these (azure-service-operator pkg/genruntime, ValidateWriteOnceProperties).
      replaceOnChanges: ['spec.azureName', 'spec.owner'],
      // The object keeps the name that it was created with, whatever the application calls the service later.
      ignoreChanges: ['metadata.name', ...(suffix === undefined ? [] : ['spec.owner.name'])],
      deleteBeforeReplace: true,
      // The object exists until the operator has deleted the service.
      customTimeouts: { delete: deletionTakes },
    },
  );
}
