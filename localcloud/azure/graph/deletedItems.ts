import type { CloudReply } from '../server/exchange';
import type { DeletedItemDocument } from '../store/documents';
import type { Kind } from './answer';
import { LIST, list, ONE, one } from './answer';
import { APPLICATION, presentApplication } from './applicationView';
import { backingApplication } from './backing';
import type { Entity } from './body';
import { isEntity } from './body';
import type { GraphCall, GraphContext, GraphEndpoint } from './context';
import { notFound } from './errors';
import { presentPrincipal, SERVICE_PRINCIPAL } from './servicePrincipalView';

/** Milliseconds. Source: microsoftgraph/microsoft-graph-docs-contrib `api-reference/v1.0/api/directory-deleteditems-restore.md`. */
const KEPT = 30 * 24 * 60 * 60 * 1000;

type Item = DeletedItemDocument['item'];

const idOf = (item: Item): string =>
  item.type === 'application' ? item.application.objectId : item.principal.objectId;

/** Deletes an application or a service principal so that it can be restored. Role assignments stay. */
export function softDelete({ store, clock }: GraphContext, item: Item): void {
  const id = idOf(item);
  store.deletedItems.set(id, { item, deletedAt: clock.now() });
  if (item.type === 'application') store.applications.delete(id);
  else store.principals.delete(id);
}

/** The deleted items whose time is not over. */
function kept({ store, clock }: GraphContext): DeletedItemDocument[] {
  for (const { item, deletedAt } of store.deletedItems.values()) {
    if (deletedAt + KEPT <= clock.now()) store.deletedItems.delete(idOf(item));
  }
  return store.deletedItems.values();
}

function find(context: GraphContext, call: GraphCall): DeletedItemDocument {
  const id = (call.params['id'] ?? '').toLowerCase();
  const found = kept(context).find(({ item }) => idOf(item) === id);
  if (found === undefined) throw notFound(id);
  return found;
}

function present(context: GraphContext, item: Item, deletedAt?: number): Entity {
  const deletedDateTime = deletedAt === undefined ? null : new Date(deletedAt).toISOString();
  return item.type === 'application'
    ? presentApplication(item.application, { deletedDateTime })
    : presentPrincipal(context, item.principal, deletedDateTime);
}

/** The answer with one item, which names its type, as it can be of any. */
function answer(context: GraphContext, call: GraphCall, item: Item, deletedAt?: number): CloudReply {
  const kind = item.type === 'application' ? APPLICATION : SERVICE_PRINCIPAL;
  const { body, ...reply } = one(
    call,
    { ...kind, set: 'directoryObjects' },
    present(context, item, deletedAt),
  );
  return {
    ...reply,
    body: { '@odata.type': `#microsoft.graph.${item.type}`, ...(isEntity(body) ? body : {}) },
  };
}

/**
 * Restores an item. A service principal needs its application, and that none took its place (MicrosoftDocs/azure-docs PR
 * #110002). The two are restored one by one.
 */
function restore(context: GraphContext, call: GraphCall): CloudReply {
  const { item } = find(context, call);
  const { store } = context;
  if (item.type === 'application') store.applications.set(idOf(item), item.application);
  else {
    backingApplication(context, item.principal.clientId);
    store.principals.set(idOf(item), item.principal);
  }
  store.deletedItems.delete(idOf(item));
  return answer(context, call, item);
}

const listOf = (type: Item['type'], kind: Kind): GraphEndpoint => ({
  operation: 'ListDeletedItems',
  method: 'GET',
  path: `directory/deletedItems/microsoft.graph.${type}`,
  query: LIST,
  handle: (context, call) =>
    list(
      call,
      kind,
      kept(context)
        .filter(({ item }) => item.type === type)
        .map(({ item, deletedAt }) => present(context, item, deletedAt)),
    ),
});

/** Deleted applications and service principals. */
export const deletedItemEndpoints: GraphEndpoint[] = [
  listOf('application', APPLICATION),
  listOf('servicePrincipal', SERVICE_PRINCIPAL),
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
