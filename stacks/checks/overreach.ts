import { firstFew } from '../../components/resource/firstFew';
import type { VaultPlan } from '../plan';
import type { Path, Problem } from '../settings/problem';

/**
 * Yields problems of access policies that let an identity or a group read too much. A policy covers every secret of its vault,
 * also for readers that are to read only some of them; this needs `overreach: accepted`.
 * @param vault a vault with access policies
 * @param secrets secrets that are in the vault or will be
 */
export function* overreachProblems(
  { name, grants }: Pick<VaultPlan, 'name' | 'grants'>,
  secrets: readonly string[],
  path: Path,
  hint = 'Set `access: rbac`, or `vaults: perApplication`, or, if this is intended, `overreach: accepted` on the central `vault`.',
): Generator<Problem> {
  for (const { who, secrets: granted } of grants) {
    const beyond = secrets.filter(
      (secret) => !granted.some((readable) => readable.toLowerCase() === secret.toLowerCase()),
    );
    if (who !== undefined && beyond.length > 0)
      yield {
        path,
        what: `would let ${who} read ${firstFew(beyond)} in ${name} as well, because an access policy covers every secret of its vault`,
        hint,
      };
  }
}
