import { firstFew } from '../../components/resource/firstFew';
import type { Configuration } from '../plan';
import { sharedKey } from '../plan/identityKeys';
import { applicationPath } from '../settings/places';
import type { Problem } from '../settings/problem';
import { isSame } from './same';
import { grantsOf, identitiesIn, resourcesInState } from './stackState';

/**
 * Returns problems of existing identities that an application had on one cluster, and now has on all, or the reverse. Their grants get
 * other names in the stack, but are the same in Azure: an update would delete what it has just created.
 */
export async function movedGrantProblems({
  environment,
  settings,
  plan,
  cells,
}: Configuration): Promise<Problem[]> {
  const named = plan.clusters.flatMap(({ identities }) =>
    identities.flatMap(({ scope, existing, key, sharedAs, applications: [name = ''] }) => {
      if (scope !== 'application' || existing === undefined) return [];
      const [former, next] = sharedAs === undefined ? [sharedKey({ name }), key] : [key, sharedAs];
      return [{ application: name, existing, former, next }];
    }),
  );
  // With cells, the grants of shared identities are in another stack: see `sharedIdentityProblems`.
  if (named.length === 0 || cells.length > 0) return [];
  const resources = await resourcesInState();
  return named.flatMap(({ application, existing, former, next }): Problem[] => {
    const isFormer = identitiesIn(resources).some(({ key, id }) => key === former && isSame(id, existing.id));
    if (!isFormer) return [];
    const renames = grantsOf(resources, former).map(({ urn, name }) => {
      const renamed = name.split('/').map((part) => (part === former ? next : part));
      return `\`pulumi state rename --stack ${environment} '${urn}' '${renamed.join('/')}'\``;
    });
    if (renames.length === 0) return [];
    return [
      {
        path: [...applicationPath(settings, application), 'identity', 'existing'],
        value: JSON.stringify(existing.id),
        what: `has grants as ${former} in the state of the stack, so an update would create them again as ${next}, and then delete them`,
        hint: `Rename them in the state, which changes nothing in Azure: ${firstFew(renames)}.`,
      },
    ];
  });
}
