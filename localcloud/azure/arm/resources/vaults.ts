import type * as z from 'zod';
import type { ResourceDocument } from '../../store/documents';
import type { ArmContext } from '../context';
import { systemData } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError, notFound } from '../errors';
import { removeRoleAssignments } from '../removal';
import type { WriteTarget } from './groupResource';
import { GroupResource } from './groupResource';
import { presentVault } from './privateEndpointConnections';
import { deletedVault, softDelete } from './vaultDeletion';
import { nameTaken, vaultNameProblem, vaultProperties } from './vaultRules';
import { createVaultBody, patchVaultBody } from './vaultSchema';

const TYPE = 'Microsoft.KeyVault/vaults';

/** The resource type of vaults. */
export const vaults = new GroupResource(TYPE, 'vaultName', presentVault);

/** Recovers a soft-deleted vault, at its former id. */
function recover(context: ArmContext, call: ArmCall, id: string, name: string): ResourceDocument {
  const deleted = deletedVault(context, name);
  if (deleted === undefined || deleted.vault.id.toLowerCase() !== id.toLowerCase()) {
    throw notFound(TYPE, name, call.params['resourceGroupName'] ?? '');
  }
  const vault = {
    ...deleted.vault,
    systemData: systemData(context, call.caller, deleted.vault.systemData),
  };
  context.store.resources.set(vault.id, vault);
  context.store.deletedVaults.delete(name);
  return vault;
}

/** The vault that a PUT requests. */
function vaultFrom(
  context: ArmContext,
  call: ArmCall,
  body: z.infer<typeof createVaultBody>,
  target: WriteTarget,
): ResourceDocument {
  const { id, name, existing } = target;
  const problem = vaultNameProblem(name);
  if (problem !== undefined) {
    // Source: cristianoag/microsoft-teams-apps-company-communicator #28.
    const more = 'Follow this link for more information: https://go.microsoft.com/fwlink/?linkid=2147742';
    throw new ArmError(400, 'VaultNameNotValid', `${problem} ${more}`);
  }
  if (existing === undefined && body.properties.createMode === 'recover') {
    return recover(context, call, id, name);
  }
  const base = vaults.written(context, call, target, body);
  if (existing === undefined) {
    const taken = nameTaken(context, name);
    if (taken !== undefined) throw taken;
    // Role assignments of an earlier vault of this name do not apply to the new one.
    removeRoleAssignments(context.store, id);
  }
  return {
    ...base,
    properties: vaultProperties(context, call, name, body.properties, existing, true),
  };
}

/** Vaults: globally unique names, soft delete, one of two permission models. */
export function vaultEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    vaults.put(context, {
      operation: 'Vaults_CreateOrUpdate',
      body: createVaultBody,
      resource: vaultFrom,
    }),
    vaults.patch(context, {
      operation: 'Vaults_Update',
      body: patchVaultBody,
      change: (_context, call, body, existing) => ({
        properties: vaultProperties(context, call, existing.name, body.properties ?? {}, existing, false),
      }),
    }),
    ...vaults.reads(context, {
      get: 'Vaults_Get',
      listInGroup: 'Vaults_ListByResourceGroup',
      listInSubscription: 'Vaults_ListBySubscription',
      listQuery: ['$top'],
    }),
    vaults.delete(context, { operation: 'Vaults_Delete', remove: softDelete }),
  ];
}
