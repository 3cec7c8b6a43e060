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
      allowed: 'the object id of a security group with assigned membership',
    },
  ];
  try {
    const { description, securityEnabled, mailEnabled, types, onpremisesSyncEnabled } = await getGroup({
      objectId,
    });
    // Its members and grants would be written by two entries, and each would remove what the other added.
    if (description === groupDescription(environment))
      return problem(
        `is a group that this stack created: its description is "${description}"`,
        'Remove `existing`, or use its name from `groups`. If the stack no longer manages it and never will again, change its description.',
      );
    if (!securityEnabled)
      return problem(
        'is not a security group, and only security groups can be granted access',
        'Name another.',
      );
    if (mailEnabled)
      return problem('is a mail-enabled group, to which Microsoft Graph cannot add members', 'Name another.');
    if (types.includes('DynamicMembership'))
      return problem('is a group with dynamic membership, to which no members can be added', 'Name another.');
    if (onpremisesSyncEnabled)
      return problem(
        'is a group of another directory, and only that directory can add members',
        'Name another.',
      );
    return [];
  } catch (error) {
    return problem(
      `cannot be read as a group: ${messageOf(error).replace(/\s+/g, ' ').trim()}`,
      'Correct it, as `az ad group show --group <name> --query id` prints it, or let the deploying identity read groups (the application role Group.Read.All of Microsoft Graph).',
    );
  }
}
