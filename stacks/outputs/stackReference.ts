import type * as pulumi from '@pulumi/pulumi';
import type { StackOutputs, WorkloadOutput } from './outputs';

// For programs that build on an environment: its outputs with their types, through a stack reference.

/**
 * One output of an environment, by a reference to its stack.
 * @param stack `new pulumi.StackReference('<organization>/aks-workload-identity/<stack>')`
 */
export function environmentOutput<Key extends keyof StackOutputs>(
  stack: pulumi.StackReference,
  key: Key,
): pulumi.Output<StackOutputs[Key]> {
  // The engine knows no types: they hold as long as the stack was deployed by this program.
  return stack.requireOutput(key) as pulumi.Output<StackOutputs[Key]>;
}

/** An application on a cluster, of the output `workloads`; throws, naming those that there are, if it is not there. */
export function workloadOf(
  workloads: readonly WorkloadOutput[],
  { cluster, application }: Pick<WorkloadOutput, 'cluster' | 'application'>,
): WorkloadOutput {
  const found = workloads.find((one) => one.cluster === cluster && one.application === application);
  if (found !== undefined) return found;
  const known = workloads.map((one) => `${one.cluster}/${one.application}`).join(', ');
  throw new Error(
    `The environment has no application ${application} on ${cluster}. There are: ${known === '' ? 'none' : known}.`,
  );
}
