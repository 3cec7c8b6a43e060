import type { ResourceDocument } from '../../store/documents';
import { readBody } from '../body';
import type { ArmContext } from '../context';
import { requireGroup, requireLiveGroup, requireResource, systemData } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { badRequest, notFound } from '../errors';
import { removeRoleAssignments } from './deletion';
import { checkSameLocation, normaliseLocation } from './locations';
import { presentVault } from './privateEndpointConnections';
import { deletedVault, softDelete } from './vaultDeletion';
import { nameTaken, vaultNameProblem, vaultProperties } from './vaultRules';
import { createVaultBody, patchVaultBody } from './vaultSchema';

const TYPE = 'Microsoft.KeyVault/vaults';
const IN_GROUP = '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}';
const PATH = `${IN_GROUP}/providers/${TYPE}/{vaultName}`;

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
  const group = requireLiveGroup(context, call.params);
  const name = call.params['vaultName'] ?? '';
  const problem = vaultNameProblem(name);
  if (problem !== undefined) throw badRequest(problem, 'vaultName');
  const id = `${group.id}/providers/${TYPE}/${name}`;
  const existing = context.store.resources.get(id);
  if (existing === undefined && asked.properties.createMode === 'recover') {
    return { created: true, vault: recover(context, call, id, name) };
  }
  const location = normaliseLocation(asked.location, TYPE);
  if (existing === undefined) {
    const taken = nameTaken(context, name);
    if (taken !== undefined) throw taken;
    // Nothing that was granted on an earlier vault of this name holds for this one.
    removeRoleAssignments(context, id);
  } else checkSameLocation(name, existing.location, location);
  const vault: ResourceDocument = {
    id: existing?.id ?? id,
    name: existing?.name ?? name,
    type: TYPE,
    location,
    tags: asked.tags ?? {},
    properties: vaultProperties(context, call, name, asked.properties, existing, true),
    systemData: systemData(context, call.caller, existing?.systemData),
  };
  context.store.resources.set(vault.id, vault);
  return { created: existing === undefined, vault };
}

/** Vaults: globally unique names, deleted softly, one of two permission models. */
export function vaultEndpoints(context: ArmContext): ArmEndpoint[] {
  const { store } = context;
  const required = (call: ArmCall): ResourceDocument =>
    requireResource(context, call.params, TYPE, call.params['vaultName'] ?? '');
  const list = (call: ArmCall, scope: string): Record<string, unknown> => {
    const found = store
      .ofType(TYPE)
      .filter((vault) => vault.id.toLowerCase().startsWith(`${scope.toLowerCase()}/`));
    return {
      value: found
        .slice(0, Number(call.query.get('$top') ?? found.length))
        .map((vault) => presentVault(store, vault)),
    };
  };
  return [
    {
      operation: 'Vaults_CreateOrUpdate',
      method: 'PUT',
      path: PATH,
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
      path: PATH,
      type: TYPE,
      action: `${TYPE}/write`,
      handle: (call) => {
        const existing = required(call);
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
    {
      operation: 'Vaults_Get',
      method: 'GET',
      path: PATH,
      type: TYPE,
      action: `${TYPE}/read`,
      handle: (call) => ({ status: 200, body: presentVault(store, required(call)) }),
    },
    {
      operation: 'Vaults_Delete',
      method: 'DELETE',
      path: PATH,
      type: TYPE,
      action: `${TYPE}/delete`,
      handle: (call) => {
        const group = requireGroup(context, call.params);
        const vault = store.resources.get(`${group.id}/providers/${TYPE}/${call.params['vaultName'] ?? ''}`);
        if (vault === undefined) return { status: 204 };
        softDelete(context, vault);
        return { status: 200 };
      },
    },
    {
      operation: 'Vaults_ListByResourceGroup',
      method: 'GET',
      path: `${IN_GROUP}/providers/${TYPE}`,
      type: TYPE,
      action: `${TYPE}/read`,
      query: ['$top'],
      handle: (call) => ({ status: 200, body: list(call, requireGroup(context, call.params).id) }),
    },
    {
      operation: 'Vaults_ListBySubscription',
      method: 'GET',
      path: `/subscriptions/{subscriptionId}/providers/${TYPE}`,
      type: TYPE,
      action: `${TYPE}/read`,
      query: ['$top'],
      handle: (call) => ({
        status: 200,
        body: list(call, `/subscriptions/${call.params['subscriptionId'] ?? ''}`),
      }),
    },
  ];
}
