import { podIdentityGroup } from '../components/podIdentity/names';
import type { WorkloadAccess } from './access';
import { accountsOf, type WorkloadOutput } from './checks';
import { NotReady } from './failure';
import type { Outcome } from './results';

const assignedIdentities = {
  group: podIdentityGroup,
  version: 'v1',
  plural: 'azureassignedidentities',
};

type AssignmentAccess = Pick<WorkloadAccess, 'pods' | 'customObject'>;

interface AssignedIdentity {
  spec?: { azureIdentityRef?: { spec?: { clientID?: string } } };
  status?: { status?: string };
}

/** Returns the workload's pods that are not being deleted, each with its AzureAssignedIdentity. */
async function assignmentsOf(access: AssignmentAccess, workload: WorkloadOutput) {
  const { cluster, namespace, application } = workload;
  const pods = (await Promise.all(accountsOf(workload).map((account) => access.pods(account)))).flat();
  const names = pods
    .filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata?.name ?? '');
  return Promise.all(
    names.map(async (pod) => {
      // Azure/aad-pod-identity pkg/mic/mic.go, getAssignedIDName.
      const name = `${pod}-${namespace}-${application}`;
      const assigned = await access
        .customObject(cluster, assignedIdentities, namespace, name)
        .catch((error: unknown) => {
          if ((error as { code?: unknown }).code !== 404) throw error;
          return undefined;
        });
      return { pod, assigned: assigned as AssignedIdentity | undefined };
    }),
  );
}

/**
 * Checks that aad-pod-identity's controller has assigned the identity for all pods of a workload.
 * @throws NotReady if waiting may help
 */
export async function assignedOutcome(access: AssignmentAccess, workload: WorkloadOutput): Promise<Outcome> {
  const { namespace, application, identity } = workload;
  const pods = await assignmentsOf(access, workload);
  for (const { pod, assigned } of pods) {
    const status = assigned?.status?.status;
    if (status !== 'Assigned')
      throw new NotReady(
        `${identity.name} is ${status === undefined ? 'not assigned' : status} for ${pod}; \`kubectl --namespace ${namespace} get events --field-selector involvedObject.name=${application}\` says why`,
      );
    const { clientID } = assigned?.spec?.azureIdentityRef?.spec ?? {};
    if (clientID?.toLowerCase() !== identity.clientId.toLowerCase())
      throw new NotReady(`${clientID} is assigned for ${pod}, not ${identity.name} (${identity.clientId})`);
  }
  const detail = `${identity.name} is assigned for ${pods.length} ${pods.length === 1 ? 'pod' : 'pods'}`;
  return { ok: true, detail };
}

/** Checks that no identity is assigned for the pods of a revoked workload. The controller removes assignments after a while. */
export async function unassignedOutcome(
  access: AssignmentAccess,
  workload: WorkloadOutput,
): Promise<Outcome> {
  const pods = (await assignmentsOf(access, workload)).filter(({ assigned }) => assigned !== undefined);
  if (pods.length === 0) return { ok: true, detail: `${workload.identity.name} is not assigned for any pod` };
  throw new NotReady(
    `${workload.identity.name} is still assigned for ${pods.map(({ pod }) => pod).join(', ')}, although it is revoked`,
  );
}
