import type { CloudReply } from '../server/exchange';
import type { Entity } from './body';
import type { GraphCall } from './context';
import { badRequest } from './errors';
import type { Filterable } from './filter';
import { filterOf } from './filter';

/** Query options of a single entity and of a list. */
export const ONE = ['$select'];
export const LIST = ['$select', '$filter', '$top', '$skiptoken', '$count'];

/** A kind of entity in answers. */
export interface Kind {
  /** Name of the set, as in `$metadata#applications`. */
  set: string;
  /** Name of the type, as in `microsoft.graph.application`. */
  type: string;
  /** Names of all its members. */
  members: readonly string[];
  /** Members by which lists can be filtered. */
  filtered: Filterable;
}

const DEFAULT_PAGE = 100;
const LARGEST_PAGE = 999;

/** The members that `$select` names; undefined without `$select`. As in Graph, `id` is included only if it is named. */
function selection(call: GraphCall, kind: Kind): string[] | undefined {
  const names = call.query
    .get('$select')
    ?.split(',')
    .map((name) => name.trim());
  const unknown = names?.find((name) => !kind.members.includes(name));
  if (unknown === undefined) return names;
  throw badRequest(
    `Parsing OData Select and Expand failed: Could not find a property named '${unknown}' on type 'microsoft.graph.${kind.type}'. The local cloud has ${kind.members.join(', ')}.`,
    'BadRequest',
  );
}

/** Tells whether `$select` names the member. */
export const selects = (call: GraphCall, kind: Kind, name: string): boolean =>
  selection(call, kind)?.includes(name) === true;

const selected = (entity: Entity, names: readonly string[] | undefined): Entity =>
  names === undefined ? entity : Object.fromEntries(names.map((name) => [name, entity[name]]));

const contextOf = (call: GraphCall, { set }: Kind, names: readonly string[] | undefined): string =>
  `${call.root}/$metadata#${set}${names === undefined ? '' : `(${names.join(',')})`}`;

/** The answer with one entity. */
export function entityReply(call: GraphCall, kind: Kind, entity: Entity, status = 200): CloudReply {
  const names = selection(call, kind);
  return {
    status,
    body: { '@odata.context': `${contextOf(call, kind, names)}/$entity`, ...selected(entity, names) },
  };
}

const idOf = (entity: Entity): string => String(entity['id']);

/** The size of a page. Source of the message: turbot/steampipe-plugin-azuread `azuread/table_azuread_application.go`. */
function sizeOf(top: string | null): number {
  const size = Number(top ?? DEFAULT_PAGE);
  if (Number.isInteger(size) && size >= 1 && size <= LARGEST_PAGE) return size;
  throw badRequest(
    `Invalid page size specified: '${top ?? ''}'. Must be between 1 and ${LARGEST_PAGE} inclusive.`,
    'Request_UnsupportedQuery',
  );
}

/**
 * Tells whether the answer has the number of entities. Without `ConsistencyLevel: eventual`, Graph omits it
 * (`concepts/aad-advanced-queries.md`).
 */
function counts({ query, eventual }: GraphCall): boolean {
  const count = query.get('$count');
  if (count === null || count === 'false') return false;
  if (count === 'true') return eventual;
  throw badRequest(`Invalid value '${count}' for $count query option found.`, 'BadRequest');
}

/**
 * Returns one page of a list, with the link to the next one. A page begins after the last id of the previous page, so that no
 * entity is skipped if one is deleted in between.
 */
export function list(call: GraphCall, kind: Kind, entities: readonly Entity[]): CloudReply {
  const names = selection(call, kind);
  const counted = counts(call);
  const { test, advanced } = filterOf(call.query.get('$filter'), kind.filtered);
  if (advanced && !counted) {
    throw badRequest(
      "Unsupported Query. Here 'not' needs $count=true and the header ConsistencyLevel: eventual.",
      'Request_UnsupportedQuery',
    );
  }
  const matching = entities.filter(test);
  const size = sizeOf(call.query.get('$top'));
  const seen = Buffer.from(call.query.get('$skiptoken') ?? '', 'base64url').toString();
  const rest = matching
    .toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
    .filter((entity) => idOf(entity) > seen);
  const page = rest.slice(0, size);
  const last = page.at(-1);
  const next = new URLSearchParams(call.query);
  if (last !== undefined) next.set('$skiptoken', Buffer.from(idOf(last)).toString('base64url'));
  return {
    status: 200,
    body: {
      '@odata.context': contextOf(call, kind, names),
      ...(counted && { '@odata.count': matching.length }),
      ...(page.length < rest.length && {
        '@odata.nextLink': `${call.root}/${call.path}?${next.toString()}`,
      }),
      value: page.map((entity) => selected(entity, names)),
    },
  };
}
