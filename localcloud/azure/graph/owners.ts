import { z } from 'zod';
import type { CloudReply } from '../server/exchange';
import type { Kind } from './answer';
import { LIST, list } from './answer';
import { odataType, readBody } from './body';
import type { GraphCall, GraphContext, GraphEndpoint } from './context';
import { badRequest, notFound } from './errors';
import { findApplication, findPrincipal } from './lookup';
import { presentPrincipal, SERVICE_PRINCIPAL } from './servicePrincipalView';

const TYPE = '@odata.type';
const OWNER: Kind = {
  set: 'directoryObjects',
  type: 'directoryObject',
  members: [TYPE, ...SERVICE_PRINCIPAL.members],
};
const refBody = z.strictObject({ '@odata.type': odataType, '@odata.id': z.string() });
const REFERENCE = /\/(?:directoryObjects|servicePrincipals)\/([0-9a-f-]{36})$/i;

/** The object id in a reference to an owner. Service principals are the only possible owners: there are no users. */
export function ownerIn({ store }: GraphContext, reference: string): string {
  const id = REFERENCE.exec(reference)?.[1]?.toLowerCase();
  if (id === undefined) {
    throw badRequest(
      `The reference '${reference}' is not one such as https://graph.microsoft.com/v1.0/directoryObjects/{id}.`,
    );
  }
  if (!store.principals.has(id)) throw notFound(id);
  return id;
}

/** What has owners. */
interface Owned {
  owners: readonly string[];
  save: (owners: string[]) => void;
}

const sets: Record<string, (context: GraphContext, call: GraphCall) => Owned> = {
  applications(context, call) {
    const application = findApplication(context, call);
    const save = (owners: string[]): void =>
      context.store.applications.set(application.objectId, { ...application, owners });
    return { owners: application.owners, save };
  },
  servicePrincipals(context, call) {
    const principal = findPrincipal(context, call);
    const save = (owners: string[]): void =>
      context.store.principals.set(principal.objectId, { ...principal, owners });
    return { owners: principal.owners ?? [], save };
  },
};

function add(context: GraphContext, call: GraphCall, { owners, save }: Owned): CloudReply {
  const owner = ownerIn(context, readBody(refBody, call.body, 'DirectoryObject')['@odata.id']);
  // As for members of groups: n8n-io/n8n `packages/nodes-base/nodes/Microsoft/Entra/GenericFunctions.ts`.
  if (owners.includes(owner)) {
    throw badRequest(
      "One or more added object references already exist for the following modified properties: 'owners'.",
    );
  }
  save([...owners, owner]);
  return { status: 204 };
}

function remove(call: GraphCall, { owners, save }: Owned): CloudReply {
  const owner = (call.params['owner'] ?? '').toLowerCase();
  if (!owners.includes(owner)) throw notFound(owner);
  save(owners.filter((other) => other !== owner));
  return { status: 204 };
}

/** Owners of applications and of service principals. They decide nothing in the local cloud. */
export const ownerEndpoints: GraphEndpoint[] = Object.entries(sets).flatMap(([set, find]) => [
  {
    operation: 'ListOwners',
    method: 'GET',
    path: `${set}/{id}/owners`,
    query: LIST,
    handle: (context, call) =>
      list(
        call,
        OWNER,
        find(context, call).owners.flatMap((id) => {
          const principal = context.store.principals.get(id);
          if (principal === undefined) return [];
          return [{ [TYPE]: '#microsoft.graph.servicePrincipal', ...presentPrincipal(context, principal) }];
        }),
      ),
  },
  {
    operation: 'AddOwner',
    method: 'POST',
    path: `${set}/{id}/owners/$ref`,
    handle: (context, call) => add(context, call, find(context, call)),
  },
  {
    operation: 'RemoveOwner',
    method: 'DELETE',
    path: `${set}/{id}/owners/{owner}/$ref`,
    handle: (context, call) => remove(call, find(context, call)),
  },
]);
