import { z } from 'zod';
import type { CloudReply } from '../server/exchange';
import type { Kind } from './answer';
import { LIST, list } from './answer';
import type { Entity } from './body';
import { odataType, readBody } from './body';
import type { GraphCall, GraphContext, GraphEndpoint } from './context';
import { badRequest, notFound } from './errors';
import { GROUP, presentGroup } from './groupView';
import { presentPrincipal, SERVICE_PRINCIPAL } from './servicePrincipalView';

const TYPE = '@odata.type';
/** Objects of any type in answers. */
const DIRECTORY_OBJECT: Kind = {
  set: 'directoryObjects',
  type: 'directoryObject',
  members: [TYPE, ...new Set([...SERVICE_PRINCIPAL.members, ...GROUP.members])],
};
const refBody = z.strictObject({ '@odata.type': odataType, '@odata.id': z.string() });
const REFERENCE = /\/(?:directoryObjects|servicePrincipals|groups)\/([0-9a-f-]{36})$/i;

/** The object id in a reference. */
export function idIn(reference: string): string {
  const id = REFERENCE.exec(reference)?.[1]?.toLowerCase();
  if (id !== undefined) return id;
  throw badRequest(
    `The reference '${reference}' is not one such as https://graph.microsoft.com/v1.0/directoryObjects/{id}.`,
  );
}

function present(context: GraphContext, id: string): Entity[] {
  const principal = context.store.principals.get(id);
  if (principal !== undefined) {
    return [{ [TYPE]: '#microsoft.graph.servicePrincipal', ...presentPrincipal(context, principal) }];
  }
  const group = context.store.groups.get(id);
  return group === undefined ? [] : [{ [TYPE]: '#microsoft.graph.group', ...presentGroup(group) }];
}

/** The answer with the objects of those ids that exist. */
export const listObjects = (context: GraphContext, call: GraphCall, ids: readonly string[]): CloudReply =>
  list(
    call,
    DIRECTORY_OBJECT,
    ids.flatMap((id) => present(context, id)),
  );

/** References of one object to others. */
export interface References {
  ids: readonly string[];
  /** Those that the version lists. @default all */
  listed?: readonly string[];
  save: (ids: string[]) => void;
  /** The object id in a reference that is added; throws if it cannot be added. */
  accept: (reference: string) => string;
}

function add(call: GraphCall, relation: string, { ids, save, accept }: References): CloudReply {
  const added = accept(readBody(refBody, call.body, 'DirectoryObject')['@odata.id']);
  // Source for members: n8n-io/n8n `packages/nodes-base/nodes/Microsoft/Entra/GenericFunctions.ts`.
  if (ids.includes(added)) {
    throw badRequest(
      `One or more added object references already exist for the following modified properties: '${relation}'.`,
    );
  }
  save([...ids, added]);
  return { status: 204 };
}

function remove(call: GraphCall, { ids, save }: References): CloudReply {
  const removed = (call.params['object'] ?? '').toLowerCase();
  if (!ids.includes(removed)) throw notFound(removed);
  save(ids.filter((other) => other !== removed));
  return { status: 204 };
}

/** Lists, adds and removes the references of a relation, e.g. `owners` of `applications`. */
export function referenceEndpoints(
  set: string,
  relation: string,
  find: (context: GraphContext, call: GraphCall) => References,
): GraphEndpoint[] {
  const name = `${relation.charAt(0).toUpperCase()}${relation.slice(1, -1)}`;
  const path = `${set}/{id}/${relation}`;
  return [
    {
      operation: `List${name}s`,
      method: 'GET',
      path,
      query: LIST,
      beta: relation === 'members',
      handle: (context, call) => {
        const { ids, listed = ids } = find(context, call);
        return listObjects(context, call, listed);
      },
    },
    {
      operation: `Add${name}`,
      method: 'POST',
      path: `${path}/$ref`,
      handle: (context, call) => add(call, relation, find(context, call)),
    },
    {
      operation: `Remove${name}`,
      method: 'DELETE',
      path: `${path}/{object}/$ref`,
      handle: (context, call) => remove(call, find(context, call)),
    },
  ];
}
