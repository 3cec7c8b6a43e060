import { getSecret } from '@pulumi/azure-native/keyvault';
import type * as pulumi from '@pulumi/pulumi';
import { vaultOf } from '../plan';
import { isRevoked } from '../plan/revoked';
import { grantLists } from '../settings/grantLists';
import type { Problem } from '../settings/problem';
import type { StackSettings } from '../settings/schema';
import { isMissing } from '../../components/azure/notFound';
import { memoize } from '../../components/resource/memoize';

/** A vault from which secrets are read. */
interface ReadVault {
  /**
   * Resource group of the vault.
   * @default the environment's
   */
  readonly resourceGroupName?: string;
  readonly name: string;
  /** True if the vault already exists and the stack only uses it. */
  readonly existing: boolean;
}

/**
 * Returns problems of secrets that applications and groups name, but that have neither a value in the stack file nor an entry
 * in the vault. Their readers would never become ready. The resource manager is asked, which returns names but never values.
 */
export async function missingSecrets(
  settings: StackSettings,
  { resourceGroupName = settings.resourceGroup.name, name: vaultName, existing }: ReadVault,
  opts: pulumi.InvokeOptions = {},
): Promise<Problem[]> {
  const answers = new Map<string, Promise<boolean>>();
  const found = await Promise.all(
    grantLists(settings)
      .filter(
        ({ application }) =>
          (application === undefined ? settings.vault.name : vaultOf(settings, application)) === vaultName &&
          // A revoked application reads nothing, and its secrets may be deleted.
          !isRevoked(settings, 'applications', application?.name ?? ''),
      )
      .flatMap(({ path, secrets }) =>
        secrets.map((secret, place) => ({ secret, path: [...path, 'secrets', place] })),
      )
      .filter(({ secret }) => !Object.hasOwn(settings.secretValues, secret))
      .map(async ({ secret, path }): Promise<Problem[]> => {
        const missing = await memoize(answers, secret, () =>
          isMissing(getSecret({ resourceGroupName, vaultName, secretName: secret }, opts)),
        );
        if (!missing) return [];
        const value = `a value with \`pulumi config set --secret --path 'secretValues.${secret}'\``;
        const write = `\`az keyvault secret set --vault-name ${vaultName} --name ${secret} --file FILE\`, which requires the role Key Vault Secrets Officer`;
        const later = existing
          ? ''
          : ' If the vault does not exist yet, leave the secret out of `secrets` until it does.';
        return [
          {
            path,
            value: JSON.stringify(secret),
            what: `is not in the ${existing ? 'existing vault' : 'vault'} ${vaultName} and has no value in the stack file`,
            hint: `Set ${value}, or write it to the vault: ${write}.${later}`,
          },
        ];
      }),
  );
  return found.flat();
}
