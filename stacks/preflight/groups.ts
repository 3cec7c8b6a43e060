import { getGroup } from '@pulumi/azuread';
import { messageOf } from '../../components/resource/errors';
import type { Configuration } from '../plan';
import type { Problem } from '../settings/problem';

/** What is wrong with groups that exist. */
export async function groupProblems({ plan: { groups } }: Configuration): Promise<Problem[]> {
  const found = await Promise.all(
    groups.map(async ({ existing }, index) =>
      existing === undefined ? [] : existingProblems(existing, ['groups', index, 'existing']),
    ),
  );
  return found.flat();
}

async function existingProblems(objectId: string, path: Problem['path']): Promise<Problem[]> {
  const problem = (what: string, remedy: string): Problem[] => [
    {
      ...{ path, value: JSON.stringify(objectId), what, remedy },
      allowed: 'the object id of a security group to which members are added by hand',
    },
  ];
  try {
    const { securityEnabled, mailEnabled, types, onpremisesSyncEnabled } = await getGroup({ objectId });
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
