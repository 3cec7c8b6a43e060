import { getGroup } from '@pulumi/azuread';
import { messageOf } from '../../components/resource/errors';
import type { Configuration } from '../plan';
import { groupDescription } from '../plan/tags';
import type { Problem } from '../settings/problem';

/** Returns problems of existing groups. */
export async function groupProblems({ environment, plan: { groups } }: Configuration): Promise<Problem[]> {
  const found = await Promise.all(
    groups.map(async ({ existing }, index) =>
      existing === undefined ? [] : existingProblems(environment, existing, ['groups', index, 'existing']),
    ),
  );
  return found.flat();
}

async function existingProblems(
  environment: string,
  objectId: string,
  path: Problem['path'],
): Promise<Problem[]> {
  const problem = (what: string, hint: string): Problem[] => [
    {
      ...{ path, value: JSON.stringify(objectId), what, hint },
      allowed: 'the object id of a security group to which members are added by hand',
    },
  ];
  try {
    const { description, securityEnabled, mailEnabled, types, onpremisesSyncEnabled } = await getGroup({
      objectId,
    });
    // Its members and grants would be written by two entries, and each would remove what the other added.
    if (description === groupDescription(environment))
      return problem(
        `is a group that this stack made: its description is "${description}"`,
        'Remove `existing`, or name the group of `groups` that it is; if the stack has it no more and shall not have it again, change its description.',
      );
    if (!securityEnabled)
      return problem('is no security group, and only to those access can be granted', 'Name another.');
    if (mailEnabled)
      return problem(
        'is a group with a mailbox, whose members Microsoft Graph does not let be added',
        'Name another.',
      );
    if (types.includes('DynamicMembership'))
      return problem('is a group with a rule for its members, to which none can be added', 'Name another.');
    if (onpremisesSyncEnabled)
      return problem('is a group of another directory, which alone can add members', 'Name another.');
    return [];
  } catch (error) {
    return problem(
      `is no group that can be read: ${messageOf(error).replace(/\s+/g, ' ').trim()}`,
      'Correct it, as `az ad group show --group <name> --query id` prints it, or let the identity that deploys read groups (the application role Group.Read.All of Microsoft Graph).',
    );
  }
}
