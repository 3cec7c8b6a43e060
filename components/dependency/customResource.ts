import * as kubernetes from '@pulumi/kubernetes';
import type * as pulumi from '@pulumi/pulumi';
import { typesOfOtherVersions } from './apiVersions';
import type { CustomResourceBody } from './specification';

/** What all custom resources of a dependency have in common. */
export interface CustomResourceContext {
  /** Name of the component in the stack. */
  readonly component: string;
  /** Names that the component had in the stack. */
  readonly namesBefore: readonly string[];
  readonly application: string;
  readonly namespace: pulumi.Input<string>;
  readonly objectName: string;
  /** This cluster's operator provisions it. */
  readonly manages: boolean;
  /** The service stays in Azure when the custom resource goes. */
  readonly retainOnDelete: boolean;
}

/**
 * Aliases of a resource of the component: under each earlier name of the component, and under each of its names with other
 * types. The engine derives no alias from the component's where a failed update has the component under its new name already.
 */
export function aliasesOf(
  { component, namesBefore }: Pick<CustomResourceContext, 'component' | 'namesBefore'>,
  suffix: string,
  otherTypes: readonly string[] = [],
): pulumi.Alias[] {
  const before = namesBefore.map((name) => `${name}${suffix}`);
  return [
    ...before.map((name) => ({ name })),
    ...[`${component}${suffix}`, ...before].flatMap((name) => otherTypes.map((type) => ({ name, type }))),
  ];
}

/**
 * What the operator does with it (azure-service-operator pkg/common/annotations/reconcile_policy.go). skip: it only looks,
 * and exports what it sees. detach-on-delete: what is deleted in Kubernetes stays in Azure.
 */
function reconcilePolicy(
  { access, keys }: CustomResourceBody,
  { manages, retainOnDelete }: CustomResourceContext,
): string {
  if (access === true) return 'manage';
  if (keys === true || !manages) return 'skip';
  return retainOnDelete ? 'detach-on-delete' : 'manage';
}

/** A custom resource of the operator. The program waits for it and not the engine, since it shows what Azure says. */
export function customResource(
  context: CustomResourceContext,
  body: CustomResourceBody,
  opts: pulumi.CustomResourceOptions,
): kubernetes.apiextensions.CustomResource {
  const { component, objectName, namespace, application } = context;
  const { suffix, apiVersion, kind, spec, deletionTakes } = body;
  const inStack = suffix === undefined ? '' : `/${suffix}`;
  return new kubernetes.apiextensions.CustomResource(
    `${component}${inStack}`,
    {
      apiVersion,
      kind,
      metadata: {
        name: suffix === undefined ? objectName : `${objectName}-${suffix}`,
        namespace,
        labels: { 'app.kubernetes.io/name': application },
        annotations: {
          'serviceoperator.azure.com/reconcile-policy': reconcilePolicy(body, context),
          'pulumi.com/skipAwait': 'true',
        },
      },
      spec,
    },
    {
      ...opts,
      // What the operator does not let change (azure-service-operator pkg/genruntime, ValidateWriteOnceProperties).
      replaceOnChanges: ['spec.azureName', 'spec.owner'],
      // The object keeps the name that it was made with, whatever the application calls the service later.
      ignoreChanges: ['metadata.name', ...(suffix === undefined ? [] : ['spec.owner.name'])],
      deleteBeforeReplace: true,
      aliases: aliasesOf(context, inStack, typesOfOtherVersions(apiVersion, kind)),
      // It is there until the operator has deleted the service.
      customTimeouts: { delete: deletionTakes },
    },
  );
}
