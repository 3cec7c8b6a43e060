import { oneAtATime } from '../resources/oneAtATime';
import { textAt } from '../resources/propertyPath';
import type { DeclaredFields, ResourceOperations } from '../resources/provider';
import { quoted } from './graph/client';
import { isNotFound } from './graph/failure';
import { untilGone } from './graph/visible';
import { checkObjectIds, entityId, memberId, parseMemberId } from './ids';
import { idsAt, reference, sameId } from './references';
import { graphOperations } from './resource';
import type { Rules } from './rules';
import type { Session } from './session';

const rules: Rules = {
  supported: ['groupObjectId', 'memberObjectId'],
  updatable: [],
  chosen: [],
  defaults: {},
  sets: [],
};

/**
 * Returns the operations on one member of a group. Rules: internal/services/groups/group_member_resource.go of
 * hashicorp/terraform-provider-azuread.
 */
export function groupMember(fields: DeclaredFields, session: () => Session): ResourceOperations {
  /** Tells whether the group exists and has the member. */
  const isThere = async (id: string, signal: AbortSignal): Promise<true | undefined> => {
    const { group, member } = parseMemberId(id);
    const path = `${entityId('groups', group)}/members`;
    try {
      const members = await session().graph.list(path, signal, `id eq ${quoted(member)}`);
      return members.length > 0 ? true : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };

  return graphOperations('group member', fields, {
    rules,
    secrets: [],
    check: (inputs) => checkObjectIds(inputs, rules.supported),

    async create(inputs, signal) {
      const [group, member] = [textAt(inputs, 'groupObjectId'), textAt(inputs, 'memberObjectId')];
      const [id, path] = [memberId(group, member), entityId('groups', group)];
      return oneAtATime(path, async () => {
        const { graph } = session();
        await graph.get(path, signal);
        const members = await idsAt(session(), `${path}/members`, signal);
        if (members.some((other) => sameId(other, member))) {
          throw new Error(`cannot create already existing resource '${id}': import it`);
        }
        await graph.post(`${path}/members/$ref`, { '@odata.id': reference(member) }, signal);
        return { id };
      });
    },

    async read(id, _state, signal) {
      const { group, member } = parseMemberId(id);
      const isMember = await isThere(id, signal);
      return isMember && { groupObjectId: group, memberObjectId: member };
    },

    async delete(id, _state, signal) {
      const { group, member } = parseMemberId(id);
      const path = entityId('groups', group);
      await oneAtATime(path, async () => {
        await session().graph.delete(`${path}/members/${member}/$ref`, signal);
        await untilGone(() => isThere(id, signal), signal);
      });
    },
  });
}
