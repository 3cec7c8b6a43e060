import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { containsUnknown, reveal, revealAll, type CheckFailure, type Properties } from '../protocol';
import { same } from '../resources/compare';
import { oneAtATime } from '../resources/oneAtATime';
import type { DeclaredFields, ResourceOperations } from '../resources/provider';
import { refuseDuplicate } from './duplicates';
import { isNotFound } from './graph/failure';
import { retried } from './graph/visible';
import { checkObjectIds, entityId, objectIdIn } from './ids';
import { ownersOf, ownersOfGroup, settleOwners, declaredOwners } from './owners';
import { idsAt, settle } from './references';
import { graphOperations } from './resource';
import { sorted, type Rules } from './rules';
import type { Session } from './session';

const updatable = [
  'description',
  'displayName',
  'mailEnabled',
  'members',
  'owners',
  'preventDuplicateNames',
  'securityEnabled',
];
const rules: Rules = {
  supported: [...updatable, 'mailNickname'],
  updatable,
  chosen: ['mailNickname', 'members', 'owners'],
  defaults: { preventDuplicateNames: false },
  sets: ['members', 'owners'],
};
const mostOwners = 100;

/** The properties of a group in Graph that the plugin reads. */
const viewSchema = z.object({
  id: z.string(),
  displayName: z.string(),
  description: z.string().nullish(),
  isAssignableToRole: z.boolean().nullish(),
  mail: z.string().nullish(),
  mailEnabled: z.boolean().nullish(),
  mailNickname: z.string().nullish(),
  securityEnabled: z.boolean().nullish(),
  visibility: z.string().nullish(),
});

/**
 * Returns the operations on a security group. If the program does not set `members`, members that others add stay. Rules:
 * internal/services/groups/group_resource.go of hashicorp/terraform-provider-azuread.
 */
export function group(fields: DeclaredFields, session: () => Session): ResourceOperations {
  return graphOperations('group', fields, {
    rules,
    secrets: [],
    check,

    async mayCreate(inputs, signal) {
      await refuseDuplicate(session(), 'groups', inputs, undefined, signal);
    },

    async create(inputs, signal) {
      const { graph } = session();
      const { owners, first } = ownersOfGroup(await session().callerId(signal), inputs);
      const body = {
        ...bodyOf(inputs),
        mailNickname: inputs['mailNickname'] || nickname(),
        groupTypes: [],
        'owners@odata.bind': first,
      };
      const id = entityId('groups', viewSchema.parse(await graph.post('/groups', body, signal)).id);
      const finish = async (): Promise<void> => {
        // Repeating the same write shows whether the directory has the group already.
        await retried(() => graph.patch(id, bodyOf(inputs), signal), isNotFound, signal);
        await settleOwners(session(), id, owners, signal);
        await settle(session(), `${id}/members`, declaredMembers(inputs), signal);
      };
      return { id, settle: finish };
    },

    async read(id, _state, signal) {
      objectIdIn('groups', id);
      const group = await session().graph.find(id, signal);
      if (group === undefined) return undefined;
      const owners = await ownersOf(session(), id, signal);
      return { ...groupOutputs(group), owners, members: await idsAt(session(), `${id}/members`, signal) };
    },

    async update(id, inputs, state, signal) {
      await oneAtATime(id, async () => {
        await refuseDuplicate(session(), 'groups', inputs, id, signal);
        await session().graph.patch(id, bodyOf(inputs), signal);
        const { members, owners } = inputs;
        if (members !== undefined && !same(members, state['members'])) {
          await settle(session(), `${id}/members`, declaredMembers(inputs), signal);
        }
        if (owners !== undefined && !same(owners, state['owners'])) {
          await settleOwners(session(), id, declaredOwners(inputs), signal);
        }
      });
    },

    async delete(id, _state, signal) {
      await session().graph.deleteUntilGone(id, signal);
    },
  });
}

/** Returns the outputs of a group from Graph's answer, without owners and members. */
export function groupOutputs(group: Properties): Properties {
  const view = viewSchema.parse(group);
  return {
    assignableToRole: view.isAssignableToRole ?? false,
    description: view.description ?? '',
    displayName: view.displayName,
    mail: view.mail ?? '',
    mailEnabled: view.mailEnabled ?? false,
    mailNickname: view.mailNickname ?? '',
    objectId: view.id,
    securityEnabled: view.securityEnabled ?? false,
    visibility: view.visibility ?? '',
  };
}

function bodyOf(inputs: Properties): Properties {
  return {
    description: inputs['description'] || null,
    displayName: inputs['displayName'] ?? '',
    mailEnabled: false,
    securityEnabled: true,
  };
}

function declaredMembers(inputs: Properties): string[] {
  const { members = [] } = revealAll(inputs);
  return Array.isArray(members) ? sorted(members).filter((member) => typeof member === 'string') : [];
}

/** Returns a nickname such as `1a2b3c4d-5`, in the portal's format. */
function nickname(): string {
  const digits = randomBytes(5).toString('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 9)}`;
}

function check(inputs: Properties): CheckFailure[] {
  const failures = checkObjectIds(inputs, ['members', 'owners']);
  const { displayName, mailEnabled = false, securityEnabled = false, owners } = inputs;
  if (displayName === '') failures.push({ property: 'displayName', reason: 'displayName is empty' });
  if (reveal(mailEnabled) === true) {
    const reason = 'the local cloud does not support mail-enabled groups: omit mailEnabled';
    failures.push({ property: 'mailEnabled', reason });
  }
  if (reveal(securityEnabled) === false) {
    const reason = 'the local cloud supports security groups only: set securityEnabled to true';
    failures.push({ property: 'securityEnabled', reason });
  }
  const list = owners === undefined || containsUnknown(owners) ? undefined : reveal(owners);
  if (Array.isArray(list) && (list.length === 0 || list.length > mostOwners)) {
    const reason = `a group must have 1 to ${mostOwners} owners, not ${list.length}; without this input, the caller is the owner`;
    failures.push({ property: 'owners', reason });
  }
  return failures;
}
