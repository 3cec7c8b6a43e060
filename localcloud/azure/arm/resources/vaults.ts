import type { ResourceDocument } from '../../store/documents';
import { readBody } from '../body';
import type { ArmContext } from '../context';
import { systemData } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { badRequest, notFound } from '../errors';
import { removeRoleAssignments } from './deletion';
import { GroupResource } from './groupResource';
import { presentVault } from './privateEndpointConnections';
import { deletedVault, softDelete } from './vaultDeletion';
import { nameTaken, vaultNameProblem, vaultProperties } from './vaultRules';
import { createVaultBody, patchVaultBody } from './vaultSchema';

const TYPE = 'Microsoft.KeyVault/vaults';

/** Where vaults are found and listed; what is in one is below its path. */
export const vaults = new GroupResource(TYPE, 'vaultName');

/** Brings a soft-deleted vault back as it was, where it was. */
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

function createOrUpdate(context: ArmContext, call: ArmCall): { created: boolean; vault: ResourceDocument } {
  const asked = readBody(createVaultBody, call.body, TYPE);
  const target = vaults.target(context, call);
  const { id, name, existing } = target;
  const problem = vaultNameProblem(name);
  if (problem !== undefined) throw badRequest(problem, 'vaultName');
  if (existing === undefined && asked.properties.createMode === 'recover') {
    return { created: true, vault: recover(context, call, id, name) };
  }
  const base = vaults.written(context, call, target, asked);
  if (existing === undefined) {
    const taken = nameTaken(context, name);
    if (taken !== undefined) throw taken;
    // Nothing that was granted on an earlier vault of this name holds for this one.
    removeRoleAssignments(context, id);
  }
  const vault: ResourceDocument = {
    ...base,
    properties: vaultProperties(context, call, name, asked.properties, existing, true),
  };
  context.store.resources.set(vault.id, vault);
  return { created: existing === undefined, vault };
}

/** Vaults: globally unique names, deleted softly, one of two permission models. */
export function vaultEndpoints(context: ArmContext): ArmEndpoint[] {
  const { store } = context;
  return [
    {
      operation: 'Vaults_CreateOrUpdate',
      method: 'PUT',
      path: vaults.path,
      type: TYPE,
      action: `${TYPE}/write`,
      handle: (call) => {
        const { created, vault } = createOrUpdate(context, call);
        return { status: created ? 201 : 200, body: presentVault(store, vault) };
      },
    },
    {
      operation: 'Vaults_Update',
      method: 'PATCH',
      path: vaults.path,
      type: TYPE,
      action: `${TYPE}/write`,
      handle: (call) => {
        const existing = vaults.required(context, call);
        const asked = readBody(patchVaultBody, call.body, TYPE);
        const vault: ResourceDocument = {
          ...existing,
          tags: asked.tags ?? existing.tags,
          properties: vaultProperties(context, call, existing.name, asked.properties ?? {}, existing, false),
          systemData: systemData(context, call.caller, existing.systemData),
        };
        store.resources.set(vault.id, vault);
        return { status: 200, body: presentVault(store, vault) };
      },
    },
    ...vaults.reads(context, {
      get: 'Vaults_Get',
      listInGroup: 'Vaults_ListByResourceGroup',
      listInSubscription: 'Vaults_ListBySubscription',
      top: true,
      show: (vault) => presentVault(store, vault),
    }),
    {
      operation: 'Vaults_Delete',
      method: 'DELETE',
      path: vaults.path,
      type: TYPE,
      action: `${TYPE}/delete`,
      handle: (call) => {
        const vault = store.resources.get(vaults.idOf(context, call));
        if (vault === undefined) return { status: 204 };
        softDelete(context, vault);
        return { status: 200 };
      },
    },
  ];
}
