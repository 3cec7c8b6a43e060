import type { Kind } from './answer';
import { LIST, list, ONE, entityReply } from './answer';
import type { Entity } from './body';
import type { GraphCall, GraphContext, GraphEndpoint } from './context';

/** The operations on a kind of entity. Entities have the form that they have in answers. */
interface Work {
  create: (context: GraphContext, call: GraphCall) => Entity;
  list: (context: GraphContext) => Entity[];
  find: (context: GraphContext, call: GraphCall) => Entity;
  update: (context: GraphContext, call: GraphCall) => void;
  remove: (context: GraphContext, call: GraphCall) => void;
}

/** The endpoints that create, list, read, change and delete the entities of a kind. */
export function entityEndpoints(kind: Kind, work: Work): GraphEndpoint[] {
  const { set, type } = kind;
  const name = `${type.charAt(0).toUpperCase()}${type.slice(1)}`;
  const path = `${set}/{id}`;
  return [
    {
      operation: `Create${name}`,
      method: 'POST',
      path: set,
      handle: (context, call) => entityReply(call, kind, work.create(context, call), 201),
    },
    {
      operation: `List${name}s`,
      method: 'GET',
      path: set,
      query: LIST,
      handle: (context, call) => list(call, kind, work.list(context)),
    },
    {
      operation: `Get${name}`,
      method: 'GET',
      path,
      query: ONE,
      handle: (context, call) => entityReply(call, kind, work.find(context, call)),
    },
    {
      operation: `Update${name}`,
      method: 'PATCH',
      path,
      handle(context, call) {
        work.update(context, call);
        return { status: 204 };
      },
    },
    {
      operation: `Delete${name}`,
      method: 'DELETE',
      path,
      handle(context, call) {
        work.remove(context, call);
        return { status: 204 };
      },
    },
  ];
}
