import * as z from 'zod';
import type { CloudReply } from '../server/exchange';
import type { Kind } from './answer';
import { list } from './answer';
import { APPLICATION, presentApplication } from './applicationView';
import type { Entity } from './body';
import { guid, readBody } from './body';
import type { GraphCall, GraphContext, GraphEndpoint } from './context';
import { GROUP, presentGroup } from './groupView';
import { presentPrincipal, SERVICE_PRINCIPAL } from './servicePrincipalView';

const TYPE = '@odata.type';
const KINDS = [SERVICE_PRINCIPAL, GROUP, APPLICATION];
/** Objects of any type in answers. */
const DIRECTORY_OBJECT: Kind = {
  set: 'directoryObjects',
  type: 'directoryObject',
  members: [TYPE, ...new Set(KINDS.flatMap(({ members }) => members))],
  filtered: Object.assign({}, ...KINDS.map(({ filtered }) => filtered)) as Kind['filtered'],
};

function typed(context: GraphContext, id: string): { type: string; entity: Entity } | undefined {
  const { principals, groups, applications } = context.store;
  const [principal, group, application] = [principals.get(id), groups.get(id), applications.get(id)];
  if (principal !== undefined) {
    return { type: SERVICE_PRINCIPAL.type, entity: presentPrincipal(context, principal) };
  }
  if (group !== undefined) return { type: GROUP.type, entity: presentGroup(group) };
  return application && { type: APPLICATION.type, entity: presentApplication(application) };
}

/** The objects with those ids, each with its type. Missing objects are left out. @param types wanted types @default all */
const present = (context: GraphContext, ids: readonly string[], types?: readonly string[]): Entity[] =>
  ids.flatMap((id) => {
    const object = typed(context, id);
    if (object === undefined || types?.includes(object.type) === false) return [];
    return [{ [TYPE]: `#microsoft.graph.${object.type}`, ...object.entity }];
  });

/** The answer that lists the objects with those ids. Missing objects are left out. */
export const listObjects = (context: GraphContext, call: GraphCall, ids: readonly string[]): CloudReply =>
  list(call, DIRECTORY_OBJECT, present(context, ids));

/** The types in Graph's reference, and one that the Azure CLI sends. */
const TYPES = [
  ...['directoryObject', 'user', 'group', 'servicePrincipal', 'application', 'device', 'orgContact'],
  ...['administrativeUnit', 'directoryObjectPartnerReference'],
] as const;
const byIdsBody = z.strictObject({
  ids: z.array(guid).min(1, 'an id is needed').max(1000, 'at most 1000 ids are possible'),
  types: z.array(z.enum(TYPES)).nullable().optional(),
});

/** Objects by their ids, in one answer. */
export const directoryObjectEndpoints: GraphEndpoint[] = [
  {
    operation: 'GetDirectoryObjectsByIds',
    method: 'POST',
    path: 'directoryObjects/getByIds',
    handle(context, call) {
      const { ids, types } = readBody(byIdsBody, call.body, 'DirectoryObject');
      const anyType = types == null || types.length === 0 || types.includes('directoryObject');
      return {
        status: 200,
        body: {
          '@odata.context': `${call.root}/$metadata#directoryObjects`,
          value: present(context, [...new Set(ids)], anyType ? undefined : types),
        },
      };
    },
  },
];
