import type { Access } from './access';
import type { GroupOutput, VerifiedOutputs } from './checks';
import type { CheckResult } from './results';
import { Refusable, type Unlisted } from './unlisted';

/** A group of Entra with its checks. */
export interface GroupResult {
  group: GroupOutput;
  /** Empty if its members could not be listed. */
  checks: CheckResult[];
}

/** Checks the members of groups. Never rejects. */
export async function checkGroups(
  { groups, cells }: Pick<VerifiedOutputs, 'groups' | 'cells'>,
  access: Pick<Access, 'listMembers'>,
  limited: <T>(run: () => Promise<T>) => Promise<T>,
): Promise<{ groups: GroupResult[]; notes: string[]; unlisted: Unlisted[] }> {
  const lists = new Refusable(limited);
  const results = await Promise.all(
    groups.map(async (group): Promise<GroupResult> => {
      const members = await lists.read(group.name, () => access.listMembers(group.objectId));
      return { group, checks: members === undefined ? [] : [membersCheck(group, members, cells)] };
    }),
  );
  const names = groups.map(({ name }) => name).join(', ');
  return {
    groups: results,
    notes:
      groups.length === 0
        ? []
        : [
            `Tokens contain the groups of their identity (${names}): a removal takes effect only with the next token, up to 24 hours later.`,
          ],
    unlisted: lists.unlisted,
  };
}

/** Checks the members of a group; if the stack created it, also that it has no other members. */
function membersCheck(
  { name, objectId, isMade, members }: GroupOutput,
  memberIds: readonly string[],
  cells: VerifiedOutputs['cells'] = [],
): CheckResult {
  const actual = new Set(memberIds.map((id) => id.toLowerCase()));
  const missing = members.filter(({ principalId }) => !actual.has(principalId.toLowerCase()));
  const expected = new Set(members.map(({ principalId }) => principalId.toLowerCase()));
  const foreign = isMade ? [...actual].filter((id) => !expected.has(id)) : [];
  const problems = [
    ...missing.map((member) => {
      const cell = cells.find(({ clusters }) => clusters.includes(member.cluster));
      const restore = `pulumi up --refresh${cell === undefined ? '' : ` --stack ${cell.stack}`}`;
      return `${member.name} is not a member and cannot read through the group; \`${restore}\` adds it again`;
    }),
    ...foreign.map(
      (id) =>
        `${id} is a member that this stack did not add; remove it: az ad group member remove --group ${objectId} --member-id ${id} (tokens that it already has are valid for up to 24 hours)`,
    ),
  ];
  return {
    cluster: '-',
    application: name,
    check: isMade ? 'has exactly the members of the stack' : 'has the members of the stack',
    ok: problems.length === 0,
    detail: problems.join('; ') || members.map((member) => member.name).join(', ') || 'none',
  };
}
