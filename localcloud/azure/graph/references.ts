import * as z from 'zod';
import type { CloudReply } from '../server/exchange';
import { LIST } from './answer';
import { odataType, readBody } from './body';
import type { GraphCall, GraphContext, GraphEndpoint } from './context';
import { listObjects } from './directoryObjects';
import { badRequest, notFound } from './errors';

const refBody = z.strictObject({ '@odata.type': odataType, '@odata.id': z.string() });
const REFERENCE = /\/(?:directoryObjects|servicePrincipals|groups)\/([0-9a-f-]{36})$/i;

/** The object id in a reference. */
export function idIn(reference: string): string {
  const id = REFERENCE.exec(reference)?.[1]?.toLowerCase();
  if (id !== undefined) return id;
  throw badRequest(
    `The reference '${reference}' is not of the form https://graph.microsoft.com/v1.0/directoryObjects/{id}.`,
  );
}

/** References of one object to others. */
export interface References {
  ids: readonly string[];
  /** The ids that the version of Graph lists. @default all */
  listed?: readonly string[];
  save: (ids: string[]) => void;
  /** Returns the object id in a reference that is to be added; throws if it cannot be added. */
  accept: (reference: string) => string;
}

function add(call: GraphCall, relation: string, { ids, save, accept }: References): CloudReply {
  const added = accept(readBody(refBody, call.body, 'DirectoryObject')['@odata.id']);
  // Source, for members: n8n-io/n8n `packages/nodes-base/nodes/Microsoft/Entra/GenericFunctions.ts`.
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

/** The endpoints that list, add and remove the references of a relation, e.g. `owners` of `applications`. */
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
