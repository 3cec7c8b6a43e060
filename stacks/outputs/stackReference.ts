import type * as pulumi from '@pulumi/pulumi';
import type { StackOutputs, WorkloadOutput } from './outputs';

export type { StackOutputs, WorkloadOutput } from './outputs';

// For programs that build on an environment: its typed outputs, through a stack reference.

/**
 * Returns one output of an environment, through a reference to its stack.
 * @param stack `new pulumi.StackReference('<organization>/aks-workload-identity/<stack>')`
 */
export function environmentOutput<Key extends keyof StackOutputs>(
  stack: pulumi.StackReference,
  key: Key,
): pulumi.Output<StackOutputs[Key]> {
  // The engine has no types: they are right only if this program deployed the stack.
  return stack.requireOutput(key) as pulumi.Output<StackOutputs[Key]>;
}

/**
 * Returns an application on a cluster from the output `workloads`.
 * @throws Error that lists the existing ones, if it is missing
 */
export function workloadOf(
  workloads: readonly WorkloadOutput[],
  { cluster, application }: Pick<WorkloadOutput, 'cluster' | 'application'>,
): WorkloadOutput {
  const found = workloads.find(
    (workload) => workload.cluster === cluster && workload.application === application,
  );
  if (found !== undefined) return found;
  const known = workloads.map((workload) => `${workload.cluster}/${workload.application}`).join(', ');
  throw new Error(
    `The environment has no application ${application} on ${cluster}. There are: ${known === '' ? 'none' : known}.`,
  );
}
