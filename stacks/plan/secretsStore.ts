import type { ClusterPlan } from './types';

/** Whether pods on the cluster mount secrets by the Secrets Store CSI driver. */
export function usesSecretsStore({ workloads }: ClusterPlan): boolean {
  return workloads.some(({ application }) => application.delivery !== 'application');
}
