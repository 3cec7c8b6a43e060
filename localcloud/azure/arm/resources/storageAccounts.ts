import type * as z from 'zod';
import type { CloudReply } from '../../server/exchange';
import type { OperationDocument, ResourceDocument } from '../../store/documents';
import { readBody } from '../body';
import type { ArmContext } from '../context';
import { present } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError } from '../errors';
import { RETRY_AFTER } from '../operations';
import { subscriptionScope } from '../resourceId';
import type { WriteTarget } from './groupResource';
import { GroupResource } from './groupResource';
import { nameProblem } from './nameRules';
import { newKeys, storageKeyEndpoints } from './storageKeys';
import {
  ACCOUNT_TYPE as TYPE,
  accountProperties,
  checkImmutable,
  checkKind,
  nameTaken,
} from './storageRules';
import { createAccountBody, nameBody, patchAccountBody } from './storageSchema';

const accounts = new GroupResource(TYPE, 'accountName');

/** Refuses changes of an account that is being created. */
function refuseWhileCreating(account: ResourceDocument | undefined): void {
  if (account === undefined || account.properties['provisioningState'] === 'Succeeded') return;
  throw new ArmError(
    409,
    'StorageAccountOperationInProgress',
    'An operation is currently performing on this storage account that requires exclusive access.',
  );
}

const skuOf = (name: string): { name: string; tier: string } => ({
  name,
  tier: name.startsWith('Premium_') ? 'Premium' : 'Standard',
});

/** The account that a PUT requests. */
function accountFrom(
  context: ArmContext,
  call: ArmCall,
  body: z.infer<typeof createAccountBody>,
  target: WriteTarget,
): ResourceDocument {
  const { name, existing } = target;
  checkKind(body.sku.name, body.kind);
  refuseWhileCreating(existing);
  const settings = body.properties ?? {};
  if (existing !== undefined) checkImmutable(existing, settings, body.kind);
  const base = accounts.written(context, call, target, body);
  if (existing === undefined) {
    const taken = nameTaken(context, name, call.params['subscriptionId'] ?? '');
    if (taken !== undefined) throw taken;
  }
  // Azure's answers have no `systemData`.
  const { systemData: _systemData, ...shown } = base;
  return {
    ...shown,
    extra: { sku: skuOf(body.sku.name), kind: body.kind },
    properties: accountProperties(context, name, base.location, body.kind, settings, existing),
    internal: existing?.internal ?? { keys: newKeys(context) },
  };
}

/** Headers with which the client polls the creation. */
function following(call: ArmCall, location: string, operation: OperationDocument): Record<string, string> {
  const path = `${subscriptionScope(call.params['subscriptionId'] ?? '')}/providers/Microsoft.Storage/locations/${location}/asyncoperations/${operation.id}`;
  return {
    location: `${call.origin}${path}?monitor=true&api-version=${call.apiVersion}`,
    'retry-after': RETRY_AFTER,
  };
}

/** Creates a new account in the background; a change takes effect at once. */
function begin(
  context: ArmContext,
  call: ArmCall,
  account: ResourceDocument,
  existing: ResourceDocument | undefined,
): CloudReply {
  if (existing !== undefined) return accounts.kept(context, account, existing);
  const { operation } = accounts.createLater(context, account);
  return { status: 202, headers: following(call, account.location ?? '', operation) };
}

function change(
  context: ArmContext,
  _call: ArmCall,
  body: z.infer<typeof patchAccountBody>,
  existing: ResourceDocument,
): Partial<ResourceDocument> {
  refuseWhileCreating(existing);
  const current = existing.extra as { sku: { name: string }; kind: string };
  const [sku, kind] = [body.sku?.name ?? current.sku.name, body.kind ?? current.kind];
  checkKind(sku, kind);
  const settings = body.properties ?? {};
  checkImmutable(existing, settings, kind);
  return {
    extra: { sku: skuOf(sku), kind },
    properties: accountProperties(context, existing.name, existing.location ?? '', kind, settings, existing),
  };
}

function availability(context: ArmContext, call: ArmCall): CloudReply {
  const { name } = readBody(nameBody, call.body, TYPE);
  const invalid = nameProblem(TYPE, name);
  if (invalid !== undefined) {
    const { code: reason, message } = invalid;
    return { status: 200, body: { nameAvailable: false, reason, message } };
  }
  const taken = nameTaken(context, name, '');
  const body =
    taken === undefined
      ? { nameAvailable: true }
      : { nameAvailable: false, reason: 'AlreadyExists', message: taken.message };
  return { status: 200, body };
}

/** The target of `Location`: 202 until the end, then the account or the error. */
function monitor(context: ArmContext, call: ArmCall): CloudReply {
  const operation = context.operations.get(call.params['operationId'] ?? '');
  if (operation === undefined) {
    throw new ArmError(404, 'OperationIdNotFound', 'The specified operation Id is not found.');
  }
  if (operation.status === 'InProgress') {
    return { status: 202, headers: following(call, call.params['location'] ?? '', operation) };
  }
  if (operation.error !== undefined) throw new ArmError(409, operation.error.code, operation.error.message);
  const account = context.store.resources.get(operation.resourceId);
  return account === undefined ? { status: 204 } : { status: 200, body: present(account) };
}

/** Storage accounts, with globally unique names. They are created in the background. The blob service stores their data. */
export function storageAccountEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    accounts.put(context, {
      operation: 'StorageAccounts_Create',
      body: createAccountBody,
      resource: accountFrom,
      begin,
    }),
    accounts.patch(context, {
      operation: 'StorageAccounts_Update',
      body: patchAccountBody,
      change,
    }),
    ...accounts.reads(context, {
      get: 'StorageAccounts_GetProperties',
      listInGroup: 'StorageAccounts_ListByResourceGroup',
      listInSubscription: 'StorageAccounts_List',
      getQuery: ['$expand'],
    }),
    accounts.delete(context, { operation: 'StorageAccounts_Delete' }),
    ...storageKeyEndpoints(context, accounts),
    {
      operation: 'StorageAccounts_CheckNameAvailability',
      method: 'POST',
      path: '/subscriptions/{subscriptionId}/providers/Microsoft.Storage/checkNameAvailability',
      type: 'Microsoft.Storage/checkNameAvailability',
      action: 'Microsoft.Storage/checknameavailability/read',
      handle: (call) => availability(context, call),
    },
    {
      operation: 'StorageAccounts_OperationResult',
      method: 'GET',
      path: '/subscriptions/{subscriptionId}/providers/Microsoft.Storage/locations/{location}/asyncoperations/{operationId}',
      type: 'Microsoft.Storage/locations/asyncoperations',
      query: ['monitor'],
      handle: (call) => monitor(context, call),
    },
  ];
}
