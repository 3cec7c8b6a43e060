import { getClientConfig } from '@pulumi/azure-native/authorization';
import { getClientConfig as getDirectoryConfig } from '@pulumi/azuread';
import type { Configuration } from '../plan';
import { everyIdentity } from '../plan';
import type { Problem } from '../settings/problem';
import { isSame } from './same';

/**
 * Returns a problem if Entra objects would be created in a tenant other than that of the subscription. Reading the tenant also
 * creates the default Entra provider before any resource is registered. The engine creates default providers one at a time,
 * each on a worker, and they wait forever if all workers are in hooks that query another default provider.
 */
export async function directoryProblems({ plan }: Configuration): Promise<Problem[]> {
  const usesEntra =
    plan.groups.length > 0 ||
    plan.clusters.flatMap(everyIdentity).some(({ kind }) => kind === 'servicePrincipal') ||
    plan.clusters.flatMap(({ parts }) => parts).some(({ secrets }) => secrets.length > 0);
  if (!usesEntra) return [];
  const { tenantId } = await getClientConfig();
  const { tenantId: directory } = await getDirectoryConfig();
  if (isSame(directory, tenantId)) return [];
  return [
    {
      path: ['tenantId'],
      namespace: 'azuread',
      value: JSON.stringify(directory),
      what: `is not the tenant of the subscription, ${tenantId}`,
      allowed: tenantId,
      hint: 'Sign in to the same tenant for both (`azuread:tenantId`, ARM_TENANT_ID).',
    },
  ];
}
