import { nameConditionProblem } from '../../components/vault/nameCondition';
import type { Problem } from '../settings/problem';
import { hasOwnVault } from '../plan';
import type { Check } from './context';

/** Rules for vaults whose roles name the secrets in conditions. */
export const nameConditionChecks: readonly Check[] = [
  function* (settings) {
    const { vault: central, applications } = settings;
    if (central.access === 'accessPolicy' && central.grants === 'condition')
      yield withoutRoles(['vault', 'grants']);
    for (const application of applications) {
      const { path, vault } = application;
      const access = vault?.access ?? central.access;
      if (vault?.grants === 'condition' && access === 'accessPolicy' && hasOwnVault(settings, application))
        yield withoutRoles([...path, 'vault', 'grants']);
    }
  },

  function* ({ plan, applications }) {
    for (const { name, application, grants } of plan.vaults) {
      const owner = applications.find((candidate) => candidate.name === application);
      // An application has the same secrets on each of its clusters.
      const readers = new Map(
        grants.filter((grant) => grant.byCondition).map((grant) => [grant.who, grant.secrets]),
      );
      for (const [who, granted] of readers) {
        const found = nameConditionProblem(granted);
        if (found !== undefined)
          yield {
            path:
              owner?.vault?.grants === undefined ? ['vault', 'grants'] : [...owner.path, 'vault', 'grants'],
            what: `is not possible in ${name} for ${who}: ${found.reason}`,
            allowed: found.allowed,
            hint: 'Set `grants: secret`.',
          };
      }
    }
  },
];

const withoutRoles = (path: Problem['path']): Problem => ({
  path,
  value: '"condition"',
  what: 'needs role assignments, and the vault has access policies',
  allowed: 'secret, or `access: rbac`',
  hint: 'Remove it, or set `access: rbac`.',
});
