import * as z from 'zod';
import type { DeletedVaultDocument } from '../../store/documents';
import { readBody } from '../body';
import type { ArmContext } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError, badRequest } from '../errors';
import { covers } from '../../identity/access';
import { RETRY_AFTER } from '../operations';
import { subscriptionScope } from '../resourceId';
import { deletedVault, purgeVault } from './vaultDeletion';
import { nameTaken, vaultNameProblem } from './vaultRules';

const TYPE = 'Microsoft.KeyVault/locations/deletedVaults';
const ONE = `/subscriptions/{subscriptionId}/providers/Microsoft.KeyVault/locations/{location}/deletedVaults/{vaultName}`;

const checkNameBody = z.strictObject({ name: z.string(), type: z.literal('Microsoft.KeyVault/vaults') });

function present(
  { vault, deletedAt, purgeAt }: DeletedVaultDocument,
  subscriptionId: string,
): Record<string, unknown> {
  return {
    id: `/subscriptions/${subscriptionId}/providers/Microsoft.KeyVault/locations/${vault.location ?? ''}/deletedVaults/${vault.name}`,
    name: vault.name,
    type: 'Microsoft.KeyVault/deletedVaults',
    properties: {
      vaultId: vault.id,
      location: vault.location,
      tags: vault.tags ?? {},
      deletionDate: new Date(deletedAt).toISOString(),
      scheduledPurgeDate: new Date(purgeAt).toISOString(),
      ...(vault.properties['enablePurgeProtection'] === true ? { purgeProtectionEnabled: true } : {}),
    },
  };
}

/** Soft-deleted vaults, and the check of name availability. */
export function deletedVaultEndpoints(context: ArmContext): ArmEndpoint[] {
  const isIn = ({ vault }: DeletedVaultDocument, call: ArmCall): boolean =>
    covers(subscriptionScope(call.params['subscriptionId'] ?? ''), vault.id);
  const required = (call: ArmCall): DeletedVaultDocument => {
    const [name, location] = [call.params['vaultName'] ?? '', call.params['location'] ?? ''];
    const vault = deletedVault(context, name);
    if (
      vault !== undefined &&
      isIn(vault, call) &&
      vault.vault.location === location.toLowerCase().replaceAll(' ', '')
    )
      return vault;
    throw new ArmError(
      404,
      'DeletedVaultNotFound',
      `The specified deleted vault '${name}' does not exist in location '${location}'.`,
    );
  };
  return [
    {
      operation: 'Vaults_GetDeleted',
      method: 'GET',
      path: ONE,
      type: TYPE,
      action: 'Microsoft.KeyVault/locations/deletedVaults/read',
      handle: (call) => ({ status: 200, body: present(required(call), call.params['subscriptionId'] ?? '') }),
    },
    {
      operation: 'Vaults_ListDeleted',
      method: 'GET',
      path: '/subscriptions/{subscriptionId}/providers/Microsoft.KeyVault/deletedVaults',
      type: TYPE,
      action: 'Microsoft.KeyVault/deletedVaults/read',
      handle: (call) => ({
        status: 200,
        body: {
          value: context.store.deletedVaults
            .values()
            .flatMap((each) => deletedVault(context, each.vault.name) ?? [])
            .filter((each) => isIn(each, call))
            .map((each) => present(each, call.params['subscriptionId'] ?? '')),
        },
      }),
    },
    {
      // The Azure CLI lists them with the deleted vaults. There are none: the local cloud has no managed HSMs.
      operation: 'ManagedHsms_ListDeleted',
      method: 'GET',
      path: '/subscriptions/{subscriptionId}/providers/Microsoft.KeyVault/deletedManagedHSMs',
      type: TYPE,
      action: 'Microsoft.KeyVault/deletedManagedHsms/read',
      handle: () => ({ status: 200, body: { value: [] } }),
    },
    {
      operation: 'Vaults_PurgeDeleted',
      method: 'POST',
      path: `${ONE}/purge`,
      type: TYPE,
      action: 'Microsoft.KeyVault/locations/deletedVaults/purge/action',
      handle: (call) => {
        const { vault } = required(call);
        if (vault.properties['enablePurgeProtection'] === true) {
          throw new ArmError(
            400,
            'DeletedVaultPurge',
            'Operation "DeletedVaultPurge" is not allowed because purge protection is enabled for this vault. Key Vault service will automatically purge it after the retention period has passed.',
          );
        }
        const operation = context.operations.start(vault.id);
        purgeVault(context, vault.name);
        context.operations.succeed(operation.id);
        const path = `/subscriptions/${call.params['subscriptionId'] ?? ''}/providers/Microsoft.KeyVault/locations/${vault.location ?? ''}/operationResults/${operation.id}`;
        return {
          status: 202,
          headers: {
            location: `${call.origin}${path}?api-version=${call.apiVersion}`,
            'retry-after': RETRY_AFTER,
          },
        };
      },
    },
    {
      operation: 'Vaults_CheckNameAvailability',
      method: 'POST',
      path: '/subscriptions/{subscriptionId}/providers/Microsoft.KeyVault/checkNameAvailability',
      type: 'Microsoft.KeyVault/checkNameAvailability',
      action: 'Microsoft.KeyVault/checkNameAvailability/read',
      handle: (call) => {
        const { name } = readBody(checkNameBody, call.body, 'Microsoft.KeyVault/checkNameAvailability');
        if (name === '') throw badRequest("'name' is empty.", 'name');
        const problem = vaultNameProblem(name);
        if (problem !== undefined) {
          return {
            status: 200,
            body: { nameAvailable: false, reason: 'AccountNameInvalid', message: problem },
          };
        }
        const taken = nameTaken(context, name);
        if (taken === undefined) return { status: 200, body: { nameAvailable: true } };
        return {
          status: 200,
          body: { nameAvailable: false, reason: 'AlreadyExists', message: taken.message },
        };
      },
    },
  ];
}
