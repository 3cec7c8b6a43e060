import type * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { areProvisioned } from '../dependency/provisioningQuestion';
import type { ObjectReference } from '../waiting/cluster';
import { waitFor } from '../waiting/wait';
import type { WorkloadArgs } from './arguments';
import type { WorkloadDependency } from './dependencies';
import type { AccessState, RolledOut } from './rollout';
import { areReady } from './rollout';
import { programWaits } from './waits';

/** Waits until the pods of a Deployment are ready, which requires that the dependencies are accessible. */
export function deploymentRuns(
  args: WorkloadArgs,
  deployment: kubernetes.apps.v1.Deployment,
): pulumi.Output<string> {
  const { name } = deployment.metadata;
  if (!programWaits(args)) return name;
  const references = deployment.metadata.apply(({ namespace, name, generation }) => [
    { ...{ apiVersion: 'apps/v1', kind: 'Deployment' }, ...{ namespace, name, generation } },
  ]);
  return podsRun(args, deployment, references, accessible(args.dependencies)).apply(() => name);
}

/** Waits until the operator has provisioned what the chart declares, and the chart's pods are ready. */
export function releaseRuns(args: WorkloadArgs, release: kubernetes.helm.v3.Release): pulumi.Output<string> {
  if (!programWaits(args)) return release.name;
  const objects = pulumi.all([release.resourceNames, release.namespace]).apply(objectsOf);
  const provisioned = provisionedByChart(args, release, objects);
  const workloads = objects.apply((all) => all.filter(isRolledOutInSteps));
  const access = pulumi.all([accessible(args.dependencies), provisioned]).apply(() => true);
  return podsRun(args, release, workloads, access).apply(() => release.name);
}

/** Tells whether the object replaces its pods in steps and shows the progress in its status. */
function isRolledOutInSteps({ apiVersion, kind }: ObjectReference): boolean {
  return apiVersion === 'apps/v1' && ['Deployment', 'StatefulSet', 'DaemonSet'].includes(kind);
}

function accessible(dependencies: readonly WorkloadDependency[] = []): pulumi.Output<boolean> {
  return pulumi.all(dependencies.map((dependency) => dependency.accessible)).apply(() => true);
}

/** @param access resolves once the pods have access to everything; fails if they never will */
function podsRun(
  { application, kubeconfig = '' }: WorkloadArgs,
  resource: pulumi.Resource,
  workloads: pulumi.Output<RolledOut[]>,
  access: pulumi.Output<boolean>,
): pulumi.Output<unknown> {
  const ready = waitFor(resource, kubeconfig, workloads, (all) =>
    areReady(application, all, stateOf(access)),
  );
  return pulumi.all([ready, access]);
}

/** Watches an output and returns a function that gives its state. */
function stateOf(access: pulumi.Output<boolean>): () => AccessState {
  let state: AccessState = 'awaited';
  // Only the promise reports a failure; the SDK's types leave it out.
  void (access as unknown as { promise(): Promise<boolean> }).promise().then(
    () => (state = 'granted'),
    () => (state = 'refused'),
  );
  return () => state;
}

/** Waits until the operator's custom resources in the chart are provisioned. */
function provisionedByChart(
  { application, chart, kubeconfig = '' }: WorkloadArgs,
  release: kubernetes.helm.v3.Release,
  objects: pulumi.Output<ObjectReference[]>,
): pulumi.Output<unknown> {
  if (chart?.provisions === undefined) return pulumi.output(true);
  const { cluster, group, grantedAt } = chart.provisions;
  const after = pulumi.all([objects, group.id, grantedAt]);
  return waitFor(release, kubeconfig, after, ([all, groupId, since]) =>
    areProvisioned(
      all.filter(({ apiVersion }) => apiVersion.includes('.azure.com/')),
      { cluster, service: `in the chart of ${application}`, grantedAt: since, groupId },
    ),
  );
}

/** Parses `resourceNames` of a release: `Deployment.apps/apps/v1` → `<namespace>/<name>`, or the name alone. */
function objectsOf([names, namespace]: [Record<string, string[]>, string]): ObjectReference[] {
  return Object.entries(names).flatMap(([type, all]) => {
    const [, kind = '', apiVersion = ''] = /^([^./]+)[^/]*\/(.+)$/.exec(type) ?? [];
    return all.map((qualified) => {
      const [name = '', within = namespace] = qualified.split('/').reverse();
      return { apiVersion, kind, namespace: within, name };
    });
  });
}
