import type { Access } from './access';
import type { GroupOutput, VerifiedOutputs } from './checks';
import type { CheckResult } from './results';
import { Refusable, type Unlisted } from './unlisted';

/** A group of Entra, with what was found about it. */
export interface GroupResult {
  group: GroupOutput;
  /** None where its members could not be listed. */
  checks: CheckResult[];
}

/** Checks the members of groups. Never rejects. */
export async function checkGroups(
  { groups }: Pick<VerifiedOutputs, 'groups'>,
  access: Pick<Access, 'listMembers'>,
  limited: <T>(run: () => Promise<T>) => Promise<T>,
): Promise<{ groups: GroupResult[]; notes: string[]; unlisted: Unlisted[] }> {
  const lists = new Refusable(limited);
  const found = await Promise.all(
    groups.map(async (group): Promise<GroupResult> => {
      const members = await lists.read(group.name, () => access.listMembers(group.objectId));
      return { group, checks: members === undefined ? [] : [membersCheck(group, members)] };
    }),
  );
  const names = groups.map(({ name }) => name).join(', ');
  return {
    groups: found,
    notes:
      groups.length === 0
        ? []
        : [
            `Tokens name the groups of their identity (${names}): a removal from one takes effect with the next token only, up to 24 hours later.`,
          ],
    unlisted: lists.unlisted,
  };
}

/** Of a group that the stack made, also that nobody else is a member. */
function membersCheck(
  { name, objectId, isMade, members }: GroupOutput,
  found: readonly string[],
): CheckResult {
  const there = new Set(found.map((id) => id.toLowerCase()));
  const missing = members.filter(({ principalId }) => !there.has(principalId.toLowerCase()));
  const own = new Set(members.map(({ principalId }) => principalId.toLowerCase()));
  const foreign = isMade ? [...there].filter((id) => !own.has(id)) : [];
  const wrong = [
    ...missing.map(
      (one) => `${one.name} is no member and does not read by it; \`pulumi up --refresh\` adds it again`,
    ),
    ...foreign.map(
      (id) =>
        `${id} is a member that this stack did not add; remove it: az ad group member remove --group ${objectId} --member-id ${id} (a token that it has is valid for up to 24 hours)`,
    ),
  ];
  return {
    cluster: '-',
    application: name,
    check: isMade ? 'has exactly the members of the stack' : 'has the members of the stack',
    ok: wrong.length === 0,
    detail: wrong.join('; ') || members.map((one) => one.name).join(', ') || 'none',
  };
}
