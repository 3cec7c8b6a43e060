import { getSecret } from '@pulumi/azure-native/keyvault';
import type * as pulumi from '@pulumi/pulumi';
import type { ResourceId } from '../../components/azure/resourceId';
import type { Configuration } from '../plan';
import type { Problem } from '../settings/problem';
import { vaultOf } from '../plan';
import { isMissing } from './notFound';

/**
 * Secrets that applications name, that have no value here, and that the existing vault does not have: their readers would
 * never become ready. Asked of the resource manager, which tells names and never values.
 */
export async function missingSecrets(
  { settings, plan }: Configuration,
  { resourceGroupName, name: vaultName }: ResourceId,
  opts: pulumi.InvokeOptions,
): Promise<Problem[]> {
  const vault = plan.vaults.find(({ name, existing }) => name === vaultName && existing !== undefined);
  const asked = (vault?.secrets ?? []).filter(
    (secret) => !(secret in settings.secretValues) && vault?.brought?.includes(secret) !== true,
  );
  const answers = await Promise.all(
    asked.map(async (secretName) => {
      const missing = await isMissing(getSecret({ resourceGroupName, vaultName, secretName }, opts));
      return missing ? [secretName] : [];
    }),
  );
  const missing = new Set(answers.flat());
  return settings.applications.flatMap((application, index) =>
    vaultOf(settings, application) === vaultName
      ? application.secrets.flatMap((secret, place): Problem[] =>
          missing.has(secret)
            ? [
                {
                  path: ['applications', index, 'secrets', place],
                  value: JSON.stringify(secret),
                  what: `is not in the existing vault ${vaultName}, and has no value here`,
                  remedy: `Write it there, or give it a value with \`pulumi config set --secret --path 'secretValues.${secret}'\`.`,
                },
              ]
            : [],
        )
      : [],
  );
}
