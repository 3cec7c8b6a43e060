import { firstFew } from '../../components/resource/firstFew';
import type { EnvironmentPlan } from '../plan';
import type { Path, Problem } from '../settings/problem';

/**
 * Yields problems of access policies that let an identity or a group read too much. A policy covers every secret of its vault,
 * also for readers that are to read only some of them; this needs `overreach: accepted`.
 * @param vault name of a vault with access policies
 * @param secrets secrets that are in the vault or will be
 */
export function* overreachProblems(
  plan: Pick<EnvironmentPlan, 'clusters' | 'groups'>,
  vault: string,
  secrets: readonly string[],
  path: Path,
  hint = 'Set `access: rbac`, or `vaults: perApplication`, or, if this is intended, `overreach: accepted` on the central `vault`.',
): Generator<Problem> {
  for (const { who, granted } of readersOf(plan, vault)) {
    const beyond = secrets.filter(
      (secret) => !granted.some((one) => one.toLowerCase() === secret.toLowerCase()),
    );
    if (granted.length > 0 && beyond.length > 0)
      yield {
        path,
        what: `would let ${who} read ${firstFew(beyond)} in ${vault} as well, because an access policy covers every secret of its vault`,
        hint,
      };
  }
}

/** Returns the identities and groups of a stack, each with the secrets that it is granted in a vault. */
export function readersOf(
  { clusters, groups }: Pick<EnvironmentPlan, 'clusters' | 'groups'>,
  vault: string,
): { readonly who: string; readonly granted: readonly string[] }[] {
  return [
    ...clusters
      .flatMap(({ identities }) => identities)
      .map(({ applications, grants }) => ({
        who: `the identity of ${applications.join(', ')}`,
        granted: grants.find((grant) => grant.vault === vault)?.secrets ?? [],
      })),
    ...groups.map((group) => ({
      who: `the members of the group ${group.name}`,
      granted: group.vault === vault ? group.secrets : [],
    })),
  ];
}
