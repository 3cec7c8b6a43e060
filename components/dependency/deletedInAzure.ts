import { getVault } from '@pulumi/azure-native/keyvault';
import { getNamespace } from '@pulumi/azure-native/servicebus';
import { getStorageAccount } from '@pulumi/azure-native/storage';
import type * as pulumi from '@pulumi/pulumi';
import { isMissing } from '../azure/notFound';
import type { DependencyService } from './service';

type Find = (resourceGroupName: string, name: string, opts: pulumi.InvokeOptions) => Promise<unknown>;

/**
 * The kinds of services that the program assigns roles on. On a deleted service, Azure would refuse the assignments without
 * giving the reason.
 */
const findService: Partial<Record<DependencyService['kind'], Find>> = {
  storageAccount: (resourceGroupName, accountName, opts) =>
    getStorageAccount({ resourceGroupName, accountName }, opts),
  serviceBus: (resourceGroupName, namespaceName, opts) =>
    getNamespace({ resourceGroupName, namespaceName }, opts),
  vault: (resourceGroupName, vaultName, opts) => getVault({ resourceGroupName, vaultName }, opts),
};

/** Tells whether the service is missing in Azure; false for other kinds, which are not looked up. */
export async function isDeletedInAzure(
  kind: DependencyService['kind'],
  ...where: Parameters<Find>
): Promise<boolean> {
  const answer = findService[kind]?.(...where);
  return answer !== undefined && isMissing(answer);
}
