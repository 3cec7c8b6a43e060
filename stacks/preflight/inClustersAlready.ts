import type { ClusterPlan, Configuration, WorkloadPlan } from '../plan';
import { usesExistingNamespace } from '../plan';
import { ownerAnnotation, ownerOf } from '../plan/owner';
import { applicationPath } from '../settings/places';
import type { Problem } from '../settings/problem';
import type { StackSettings } from '../settings/schema';
import { reconcilerNamespace } from './accessWindowObjects';
import { writerNamespace } from './connectionObjects';
import type { CreatedObject } from './createdObject';
import { hostedClusterObjects } from './hostedClusterObjects';
import type { ManagedClusters } from './managedClusters';
import { boundObjects, tokenEventsNamespace } from './podIdentityObjects';

/**
 * Returns problems of objects that the stack would create but that exist already. Others may have created them, or another
 * stack, or this stack when the cluster had another name in the stack file. The provider refuses them one by one in the middle
 * of the update (pulumi-kubernetes, `upsertExistingObjects`).
 */
export async function inClustersAlreadyProblems(
  { environment, settings, plan }: Configuration,
  azure: ManagedClusters,
): Promise<Problem[]> {
  const found = await Promise.all(
    plan.clusters.map((cluster, index) => {
      const created = [
        ...namespacesOf(cluster),
        ...reconcilerNamespace(cluster),
        ...writerNamespace(settings, cluster),
        ...tokenEventsNamespace(cluster, index),
        ...hostedClusterObjects(cluster, index),
        ...cluster.workloads.flatMap((workload) => inExistingNamespace(settings, workload)),
      ];
      return azure.ask(cluster.settings, created, async (objects, wanted) => {
        const { path, reference } = wanted;
        const object = await objects.get(reference);
        const owner = object?.metadata?.annotations?.[ownerAnnotation];
        if (object === undefined || owner === ownerOf(environment, cluster.settings.name)) return [];
        return [
          {
            path,
            value: JSON.stringify(reference.name),
            ...notOwn(environment, cluster, wanted, owner),
          },
        ];
      });
    }),
  );
  return found.flat();
}

function namespacesOf({ namespaces }: ClusterPlan): CreatedObject[] {
  const hintFor = (name: string) =>
    `Set another \`namespace\`; or \`namespace: { name: ${name}, existing: true }\` to use it without owning it.`;
  return namespaces
    .filter(({ existing }) => !existing)
    .map(({ name, path, hint = hintFor(name) }) => ({
      reference: { apiVersion: 'v1', kind: 'Namespace', name },
      path,
      hint,
    }));
}

/**
 * Returns the objects that the stack creates in an existing namespace. In a namespace that the stack creates, everything
 * belongs to the stack.
 */
function inExistingNamespace(settings: StackSettings, workload: WorkloadPlan): CreatedObject[] {
  const { application, namespace, serviceAccounts, existingServiceAccount } = workload;
  if (!usesExistingNamespace(application)) return [];
  const path = applicationPath(settings, application.name);
  const accounts = serviceAccounts.map((name, place): CreatedObject => {
    const isFirst = place === 0;
    return {
      reference: { apiVersion: 'v1', kind: 'ServiceAccount', namespace, name },
      path: [...path, ...(isFirst ? ['serviceAccount'] : ['serviceAccounts', place - 1])],
      hint: isFirst
        ? `Set another \`serviceAccount\`; or \`serviceAccount: { name: ${name}, existing: true }\` to use it without owning it.`
        : 'Name another.',
    };
  });
  const named = [
    ...('image' in application
      ? [{ apiVersion: 'apps/v1', kind: 'Deployment', name: application.name }]
      : []),
    ...boundObjects(workload),
  ].map((reference): CreatedObject => ({
    reference: { ...reference, namespace },
    path: [...path, 'name'],
    hint: `Give the application another name, or delete it (\`kubectl delete ${reference.kind.toLowerCase()} ${reference.name} --namespace ${namespace}\`).`,
  }));
  return [...accounts.slice(existingServiceAccount ? 1 : 0), ...named];
}

function notOwn(
  environment: string,
  { settings: { name: cluster } }: ClusterPlan,
  { reference: { kind, namespace }, hint }: CreatedObject,
  owner: string | undefined,
): Pick<Problem, 'what' | 'hint'> {
  const [stack, before = ''] = owner?.split('/') ?? [];
  const where = `${namespace === undefined ? '' : `in the namespace ${namespace} `}on the cluster ${cluster}`;
  if (stack === environment)
    return {
      what: `is a ${kind} that this stack created ${where} when the stack file named that cluster ${before}; this update would delete it under its old name`,
      hint: `Name the cluster ${before} again. To rename it, remove it from the stack file and run an update, which deletes the stack's namespaces there with everything in them. Then add it under its new name.`,
    };
  const maker = stack === undefined ? 'not created by this stack' : `created by the stack ${stack}`;
  return { what: `is a ${kind} that exists ${where}, ${maker}`, hint };
}
