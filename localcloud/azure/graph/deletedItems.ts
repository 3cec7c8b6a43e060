import type { CloudReply } from '../server/exchange';
import type { DeletedItemDocument } from '../store/documents';
import type { Kind } from './answer';
import { LIST, list, ONE, entityReply } from './answer';
import { APPLICATION, presentApplication } from './applicationView';
import { backingApplication } from './backing';
import type { Entity } from './body';
import { isEntity } from './body';
import type { GraphCall, GraphContext, GraphEndpoint } from './context';
import { notFound } from './errors';
import { GROUP, presentGroup } from './groupView';
import { presentPrincipal, SERVICE_PRINCIPAL } from './servicePrincipalView';

/**
 * Milliseconds for which deleted items can be restored. Source: microsoftgraph/microsoft-graph-docs-contrib
 * `api-reference/v1.0/api/directory-deleteditems-restore.md`; for security groups, since early 2026: message MC1183299 of
 * Microsoft 365's message center.
 */
const KEPT = 30 * 24 * 60 * 60 * 1000;

type Item = DeletedItemDocument['item'];

const documentOf = (item: Item): { objectId: string } =>
  item.type === 'application' ? item.application : item.type === 'group' ? item.group : item.principal;

const idOf = (item: Item): string => documentOf(item).objectId;

/** Deletes an application, service principal or group so that it can be restored. Role assignments stay. */
export function softDelete({ store, clock }: GraphContext, item: Item): void {
  const id = idOf(item);
  store.deletedItems.set(id, { item, deletedAt: clock.now() });
  const sets = { application: store.applications, servicePrincipal: store.principals, group: store.groups };
  sets[item.type].delete(id);
}

/** The deleted items that can still be restored. Purges the others. */
function kept({ store, clock }: GraphContext): DeletedItemDocument[] {
  for (const { item, deletedAt } of store.deletedItems.values()) {
    if (deletedAt + KEPT <= clock.now()) store.deletedItems.delete(idOf(item));
  }
  return store.deletedItems.values();
}

function find(context: GraphContext, call: GraphCall): DeletedItemDocument {
  const id = (call.params['id'] ?? '').toLowerCase();
  const deletedItem = kept(context).find(({ item }) => idOf(item) === id);
  if (deletedItem === undefined) throw notFound(id);
  return deletedItem;
}

function present(context: GraphContext, item: Item, deletedAt?: number): Entity {
  const deletedDateTime = deletedAt === undefined ? null : new Date(deletedAt).toISOString();
  if (item.type === 'application') return presentApplication(item.application, { deletedDateTime });
  if (item.type === 'group') return presentGroup(item.group, deletedDateTime);
  return presentPrincipal(context, item.principal, deletedDateTime);
}

const KINDS: Readonly<Record<Item['type'], Kind>> = {
  application: APPLICATION,
  servicePrincipal: SERVICE_PRINCIPAL,
  group: GROUP,
};

/** The answer with one item. It names the item's type, because items are of several types. */
function answer(context: GraphContext, call: GraphCall, item: Item, deletedAt?: number): CloudReply {
  const { body, ...reply } = entityReply(
    call,
    { ...KINDS[item.type], set: 'directoryObjects' },
    present(context, item, deletedAt),
  );
  return {
    ...reply,
    body: { '@odata.type': `#microsoft.graph.${item.type}`, ...(isEntity(body) ? body : {}) },
  };
}

/**
 * Restores an item. A service principal needs its application, which must have no other service principal
 * (MicrosoftDocs/azure-docs PR #110002). An application and its service principal are restored separately.
 */
function restore(context: GraphContext, call: GraphCall): CloudReply {
  const { item } = find(context, call);
  const { store } = context;
  if (item.type === 'application') store.applications.set(idOf(item), item.application);
  else if (item.type === 'group') store.groups.set(idOf(item), item.group);
  else {
    backingApplication(context, item.principal.clientId);
    store.principals.set(idOf(item), item.principal);
  }
  store.deletedItems.delete(idOf(item));
  return answer(context, call, item);
}

const listOf = (type: Item['type']): GraphEndpoint => ({
  operation: 'ListDeletedItems',
  method: 'GET',
  path: `directory/deletedItems/microsoft.graph.${type}`,
  query: LIST,
  handle: (context, call) =>
    list(
      call,
      KINDS[type],
      kept(context)
        .filter(({ item }) => item.type === type)
        .map(({ item, deletedAt }) => present(context, item, deletedAt)),
    ),
});

/** Deleted applications, service principals and groups. */
export const deletedItemEndpoints: GraphEndpoint[] = [
  listOf('application'),
  listOf('servicePrincipal'),
  listOf('group'),
  {
    operation: 'GetDeletedItem',
    method: 'GET',
    path: 'directory/deletedItems/{id}',
    query: ONE,
    handle(context, call) {
      const { item, deletedAt } = find(context, call);
      return answer(context, call, item, deletedAt);
    },
  },
  {
    operation: 'RestoreDeletedItem',
    method: 'POST',
    path: 'directory/deletedItems/{id}/restore',
    handle: restore,
  },
  {
    operation: 'PermanentlyDeleteItem',
    method: 'DELETE',
    path: 'directory/deletedItems/{id}',
    handle(context, call) {
      context.store.deletedItems.delete(idOf(find(context, call).item));
      return { status: 204 };
    },
  },
];
