import { apiVersions } from '../../components/azure/resourceManager';
import { fieldsOf, textOf } from '../../components/resource/fields';
import type { Configuration } from '../plan';
import { vaultPath } from '../settings/places';
import type { Problem } from '../settings/problem';
import type { ListInAzure } from './azureList';
import { isSame } from './same';

/**
 * Returns problems of new vaults whose names are held by deleted vaults until these are purged. Azure would refuse the name
 * only after it has created everything that comes before the vault.
 */
export async function deletedVaultProblems(
  { settings, plan }: Configuration,
  subscriptionId: string,
  list: ListInAzure,
): Promise<Problem[]> {
  const created = plan.vaults.filter(({ existing }) => existing === undefined);
  if (created.length === 0) return [];
  const deleted = await list({
    path: `/subscriptions/${subscriptionId}/providers/Microsoft.KeyVault/deletedVaults`,
    apiVersion: apiVersions.vaults,
  });
  return created.flatMap(({ name, application }): Problem[] => {
    const found = deleted?.find((vault) => isSame(textOf(vault.name), name));
    if (found === undefined) return [];
    const { scheduledPurgeDate, purgeProtectionEnabled } = fieldsOf(found.properties);
    const purge = purgeProtectionEnabled === true ? '' : `, purge it (\`az keyvault purge --name ${name}\`)`;
    return [
      {
        path: vaultPath(settings, application),
        value: JSON.stringify(name),
        what: `is the name of a deleted vault, which reserves it until ${textOf(scheduledPurgeDate)}`,
        hint: `Recover that vault (\`az keyvault recover --name ${name}\`) and import it into the stack (\`npx aks-wi import\`)${purge}, or set another name.`,
      },
    ];
  });
}
