import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { typesOfOtherVersions } from './apiVersions';
import type { CustomResourceBody } from './specification';

/** Where a custom resource is, and what becomes of what it stands for. */
export interface CustomResourceContext {
  readonly application: string;
  readonly namespace: pulumi.Input<string>;
  readonly objectName: string;
  /** This cluster's operator provisions it. */
  readonly manages: boolean;
  /** The service stays in Azure when the custom resource goes. */
  readonly retainOnDelete: boolean;
  /** Names that the component had in the stack. */
  readonly namesBefore: readonly string[];
}

/**
 * What the operator does with it (azure-service-operator pkg/common/annotations/reconcile_policy.go). skip: it only looks,
 * and exports what it sees. detach-on-delete: what is deleted in Kubernetes stays in Azure.
 */
function reconcilePolicy(
  { access }: CustomResourceBody,
  { manages, retainOnDelete }: CustomResourceContext,
): string {
  if (access === true) return 'manage';
  if (!manages) return 'skip';
  return retainOnDelete ? 'detach-on-delete' : 'manage';
}

/** A custom resource of the operator. The engine does not wait for it: the program does, and tells what Azure says. */
export function customResource(
  componentName: string,
  body: CustomResourceBody,
  context: CustomResourceContext,
  opts: pulumi.CustomResourceOptions,
): kubernetes.apiextensions.CustomResource {
  const { suffix, apiVersion, kind, spec, deletionTakes } = body;
  const name = suffix === undefined ? componentName : `${componentName}/${suffix}`;
  return new kubernetes.apiextensions.CustomResource(
    name,
    {
      apiVersion,
      kind,
      metadata: {
        name: suffix === undefined ? context.objectName : `${context.objectName}-${suffix}`,
        namespace: context.namespace,
        labels: { 'app.kubernetes.io/name': context.application },
        annotations: {
          'serviceoperator.azure.com/reconcile-policy': reconcilePolicy(body, context),
          'pulumi.com/skipAwait': 'true',
        },
      },
      spec,
    },
    pulumi.mergeOptions(opts, {
      // What the operator does not let change (azure-service-operator pkg/genruntime, ValidateWriteOnceProperties).
      replaceOnChanges: ['spec.azureName', 'spec.owner'],
      // The object keeps the name that it was made with, whatever the application calls the service later.
      ignoreChanges: ['metadata.name', ...(suffix === undefined ? [] : ['spec.owner.name'])],
      deleteBeforeReplace: true,
      aliases: aliasesOf(body, componentName, context.namesBefore),
      // It is there until the operator has deleted the service.
      ...(deletionTakes !== undefined && { customTimeouts: { delete: deletionTakes } }),
    }),
  );
}

/** Under each of its names, in each version. */
function aliasesOf(
  { suffix, apiVersion, kind }: CustomResourceBody,
  componentName: string,
  namesBefore: readonly string[],
): pulumi.Alias[] {
  const types = typesOfOtherVersions(apiVersion, kind);
  return [componentName, ...namesBefore].flatMap((component): pulumi.Alias[] => {
    const name = suffix === undefined ? component : `${component}/${suffix}`;
    return [...(component === componentName ? [] : [{ name }]), ...types.map((type) => ({ name, type }))];
  });
}
