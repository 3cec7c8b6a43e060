import type { ClusterPlan } from './types';

/** Tells whether pods on the cluster mount secrets with the Secrets Store CSI driver. */
export function needsSecretsStore({
  settings,
  workloads,
  parts,
}: Pick<ClusterPlan, 'settings' | 'workloads' | 'parts'>): boolean {
  return (
    settings.hyperShift !== undefined ||
    workloads.some(({ application }) => application.delivery !== 'application') ||
    parts.some(({ mountsSecrets }) => mountsSecrets)
  );
}
