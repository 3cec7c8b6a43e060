import type { Configuration } from '../plan';
import { grantedName, isOfEnvironment } from '../plan';

/**
 * Returns what the stack of an environment deploys for its cells, in words; for a cell, what the cell needs of it. An environment
 * that was deployed from older settings lacks some of it.
 */
export function forCells({ settings, plan, cells, cell }: Configuration): string[] {
  const { logs, resourceGroup } = settings;
  const resourceGroups = [resourceGroup, ...plan.servicesGroups].filter(
    ({ existing }) => existing === undefined,
  );
  const holders = [
    ...plan.groups.map(({ grantee, name, roles }) => ({ grantee, who: `the group ${name}`, roles })),
    ...plan.sharedIdentities.map(({ key, existing, roleGrants }) => ({
      ...{ grantee: key, who: existing.id, roles: roleGrants },
    })),
  ];
  const grants = holders.flatMap(({ grantee, who, roles }) => {
    const secrets = plan.vaults.flatMap(({ name: vault, grants: all }) =>
      all
        .filter((grant) => isOfEnvironment(grant) && grant.grantee === grantee)
        .flatMap((grant) => grant.secrets.map((secret) => ({ vault, secret }))),
    );
    return [...secrets, ...roles].map((granted) => `the grant of ${grantedName(granted)} to ${who}`);
  });
  return [
    ...(cell === undefined ? cells : [cell]).map(({ name }) => `the cell ${name}`),
    ...resourceGroups.map(({ name }) => `the resource group ${name}`),
    ...(logs === undefined ? [] : [`the log workspace ${logs.workspace.name}`]),
    ...plan.vaults.flatMap(({ name, secrets }) => [
      `the vault ${name}`,
      ...secrets.map((secret) => `the secret ${secret} of ${name}`),
    ]),
    ...plan.groups.map(({ name }) => `the group ${name}`),
    ...grants,
  ];
}
