import { getSecret } from '@pulumi/azure-native/keyvault';
import type * as pulumi from '@pulumi/pulumi';
import type { ResourceId } from '../../components/azure/resourceId';
import { vaultOf } from '../plan';
import type { Problem } from '../settings/problem';
import type { StackSettings } from '../settings/schema';
import { isMissing } from './notFound';

/**
 * Secrets that applications name, that have no value here, and that the existing vault does not have: their readers would
 * never become ready. Asked of the resource manager, which tells names and never values.
 */
export async function missingSecrets(
  settings: StackSettings,
  { resourceGroupName, name: vaultName }: ResourceId,
  opts: pulumi.InvokeOptions,
): Promise<Problem[]> {
  const named = settings.applications.flatMap((application, index) =>
    vaultOf(settings, application) === vaultName
      ? application.secrets.map((secret, place) => ({
          secret,
          path: ['applications', index, 'secrets', place],
        }))
      : [],
  );
  const asked = new Set(
    named.map(({ secret }) => secret).filter((secret) => !(secret in settings.secretValues)),
  );
  const missing = new Map(
    await Promise.all(
      [...asked].map(async (secretName) => {
        const answer = getSecret({ resourceGroupName, vaultName, secretName }, opts);
        return [secretName, await isMissing(answer)] as const;
      }),
    ),
  );
  return named
    .filter(({ secret }) => missing.get(secret) === true)
    .map(({ secret, path }) => ({
      path,
      value: JSON.stringify(secret),
      what: `is not in the existing vault ${vaultName}, and has no value here`,
      remedy: `Write it there, or give it a value with \`pulumi config set --secret --path 'secretValues.${secret}'\`.`,
    }));
}
