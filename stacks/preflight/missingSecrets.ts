import { getSecret } from '@pulumi/azure-native/keyvault';
import type * as pulumi from '@pulumi/pulumi';
import type { ResourceId } from '../../components/azure/resourceId';
import { vaultOf } from '../plan';
import type { Problem } from '../settings/problem';
import type { StackSettings } from '../settings/schema';
import { isMissing } from '../../components/azure/notFound';
import { once } from './once';

/**
 * Secrets that applications and groups name, that have no value here, and that the existing vault does not have: their
 * readers would never become ready. Asked of the resource manager, which tells names and never values.
 */
export async function missingSecrets(
  settings: StackSettings,
  { resourceGroupName, name: vaultName }: ResourceId,
  opts: pulumi.InvokeOptions,
): Promise<Problem[]> {
  const answers = new Map<string, Promise<boolean>>();
  const named = [
    ...settings.applications.map((one, index) => ({
      ...one,
      list: 'applications',
      index,
      in: vaultOf(settings, one),
    })),
    ...settings.groups.map((one, index) => ({ ...one, list: 'groups', index, in: settings.vault.name })),
  ];
  const found = await Promise.all(
    named
      .filter((one) => one.in === vaultName)
      .flatMap(({ secrets, list, index, ...one }) => [
        ...secrets.map((secret, place) => ({ secret, path: [list, index, 'secrets', place] })),
        ...('accessWindows' in one ? one.accessWindows : []).flatMap((window, at) =>
          window.secrets.map((secret, place) => ({
            secret,
            path: [list, index, 'accessWindows', at, 'secrets', place],
          })),
        ),
      ])
      .filter(({ secret }) => !Object.hasOwn(settings.secretValues, secret))
      .map(async ({ secret, path }): Promise<Problem[]> => {
        const missing = await once(answers, secret, () =>
          isMissing(getSecret({ resourceGroupName, vaultName, secretName: secret }, opts)),
        );
        if (!missing) return [];
        return [
          {
            path,
            value: JSON.stringify(secret),
            what: `is not in the existing vault ${vaultName}, and has no value here`,
            remedy: `Write it there, or give it a value with \`pulumi config set --secret --path 'secretValues.${secret}'\`.`,
          },
        ];
      }),
  );
  return found.flat();
}
