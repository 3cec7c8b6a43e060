import { randomBytes } from 'node:crypto';
import type { ResourceDocument } from '../../store/documents';
import { readBody } from '../body';
import type { ArmContext } from '../context';
import { stamp } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError, badRequest } from '../errors';
import type { GroupResource } from './groupResource';
import { ACCOUNT_TYPE } from './storageRules';
import { regenerateBody } from './storageSchema';

const NAMES = ['key1', 'key2'] as const;

/** The keys of a new account, encrypted like secrets of vaults. */
export const newKeys = (context: ArmContext): Record<string, string> =>
  Object.fromEntries(NAMES.map((name) => [name, sealedKey(context)]));

/** A random key: 64 bytes in Base64. */
const sealedKey = (context: ArmContext): string => context.store.box.seal(randomBytes(64).toString('base64'));

/** Returns the account; throws while it is being created, when its keys cannot be listed. */
function provisioned(context: ArmContext, call: ArmCall, accounts: GroupResource): ResourceDocument {
  const account = accounts.required(context, call);
  if (account.properties['provisioningState'] === 'Succeeded') return account;
  throw new ArmError(
    409,
    'StorageAccountIsNotProvisioned',
    "The storage account provisioning state must be 'Succeeded' before executing the operation.",
  );
}

function listed(context: ArmContext, account: ResourceDocument): Record<string, unknown> {
  const keys = (account.internal?.['keys'] ?? {}) as Record<string, string>;
  const creationTimes = account.properties['keyCreationTime'] as Record<string, string>;
  return {
    keys: NAMES.map((name) => ({
      creationTime: creationTimes[name],
      keyName: name,
      value: context.store.box.open(keys[name] ?? ''),
      permissions: 'FULL',
    })),
  };
}

/**
 * The keys of an account. They are listed even if shared keys are disabled, because that setting applies to data requests
 * (azure-docs `storage/common/shared-key-authorization-prevent.md`). Listing has a permission of its own in roles.
 */
export function storageKeyEndpoints(context: ArmContext, accounts: GroupResource): ArmEndpoint[] {
  return [
    accounts.actionEndpoint(
      'listKeys',
      'StorageAccounts_ListKeys',
      (call) => {
        const expand = call.query.get('$expand');
        // The service accepts `kerb` even if the account has no Kerberos keys.
        if (expand !== null && expand !== 'kerb') {
          throw badRequest(`$expand is '${expand}'; only 'kerb' is allowed.`, '$expand');
        }
        return { status: 200, body: listed(context, provisioned(context, call, accounts)) };
      },
      ['$expand'],
    ),
    accounts.actionEndpoint('regenerateKey', 'StorageAccounts_RegenerateKey', (call) => {
      const account = provisioned(context, call, accounts);
      const { keyName } = readBody(regenerateBody, call.body, ACCOUNT_TYPE);
      const creationTimes = account.properties['keyCreationTime'] as Record<string, string>;
      const current = (account.internal?.['keys'] ?? {}) as Record<string, string>;
      const changed: ResourceDocument = {
        ...account,
        properties: {
          ...account.properties,
          keyCreationTime: { ...creationTimes, [keyName]: stamp(context) },
        },
        internal: { ...account.internal, keys: { ...current, [keyName]: sealedKey(context) } },
      };
      context.store.resources.set(changed.id, changed);
      return { status: 200, body: listed(context, changed) };
    }),
  ];
}
