import pLimit from 'p-limit';
import type { AssignedRole } from '../stacks/access/assigned';
import type { AzureLists } from './access';
import { withIdentitiesBeside, type VerifiedOutputs } from './checks';
import { checkGrants } from './foreignGrants';
import { checkTrusts } from './foreignTrust';
import type { ForeignAccess } from './removal';
import { notesOf } from './unlisted';

/** Requests sent in parallel. */
const parallel = 8;

/**
 * Finds access that was granted outside the stack, with notes on lists that could not be read. It does not sign in as any of
 * the identities.
 */
export async function findForeignAccess(
  outputs: VerifiedOutputs,
  assigned: readonly AssignedRole[],
  access: AzureLists,
  now: Date,
): Promise<{ foreign: ForeignAccess[]; notes: string[] }> {
  const limited = pLimit(parallel);
  const deployed = withIdentitiesBeside(outputs);
  const [trusts, grants] = await Promise.all([
    checkTrusts(deployed, access, now, limited),
    checkGrants(deployed, assigned, access, limited),
  ]);
  return {
    foreign: [...trusts.foreign, ...grants.foreign],
    notes: notesOf({
      ...{ trusts: trusts.unlisted, grants: grants.unlisted },
      ...{ secrets: [], bindings: [], signIns: [], members: [], roles: [] },
    }),
  };
}
