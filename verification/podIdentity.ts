import type { WorkloadAccess } from './access';
import { accountsOf, type WorkloadOutput } from './checks';
import { NotReady } from './failure';
import type { Outcome } from './report';

const assignedIdentities = {
  group: 'aadpodidentity.k8s.io',
  version: 'v1',
  plural: 'azureassignedidentities',
};

/**
 * Judges what aad-pod-identity's controller says of the pods that run under the service accounts of a workload; throws
 * NotReady if waiting may help. The name of an assignment: Azure/aad-pod-identity pkg/mic/mic.go, getAssignedIDName.
 */
export async function assignedOutcome(
  access: Pick<WorkloadAccess, 'pods' | 'customObject'>,
  workload: WorkloadOutput,
): Promise<Outcome> {
  const { cluster, namespace, application, identity } = workload;
  const pods = (await Promise.all(accountsOf(workload).map((account) => access.pods(account)))).flat();
  const names = pods
    .filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata?.name ?? '');
  for (const pod of names) {
    const name = `${pod}-${namespace}-${application}`;
    const found = await access
      .customObject(cluster, assignedIdentities, namespace, name)
      .catch((error: unknown) => {
        if ((error as { code?: unknown }).code !== 404) throw error;
        return {};
      });
    const { status } = (found as { status?: { status?: string } }).status ?? {};
    if (status !== 'Assigned')
      throw new NotReady(
        `${identity.name} is ${status === undefined ? 'not assigned' : status} for ${pod}; \`kubectl --namespace ${namespace} get events --field-selector involvedObject.name=${application}\` says why`,
      );
  }
  const detail = `${identity.name} is assigned for ${names.length} ${names.length === 1 ? 'pod' : 'pods'}`;
  return { ok: true, detail };
}
