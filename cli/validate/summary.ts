import { shownInLine } from '../shownOnTerminal';
import { slowRemoval } from '../../stacks/settings/schema/groups';
import type { ConfigurationSummary } from '../../stacks/plan/summary';

/** Returns the summary for people, with each line indented below that of the file. */
export function renderSummary(summary: ConfigurationSummary): string {
  const { clusters, applications, hostedClusters, groups, vaults, dependencies, identities, revoked } =
    summary;
  const grants = identities.reduce((sum, { reads, roles }) => sum + reads.length + roles.length, 0);
  const trusts = identities.reduce((sum, identity) => sum + identity.trusts.length, 0);
  const lines = [
    counted(clusters.length, 'cluster', clusters.join(', ')),
    counted(applications.length, 'application', withVersions(applications)),
    ...(hostedClusters.length === 0
      ? []
      : [counted(hostedClusters.length, 'hosted cluster', withVersions(hostedClusters))]),
    ...hostedClusters.map(
      ({ name, managementCluster, components, identities: managed, secrets }) =>
        `  ${name} on ${managementCluster}: ${amountOf(components.length, 'component')}, ${amountOf(managed.length, 'managed identity')}, ${amountOf(secrets.length, 'secret')} with credentials${secrets.length === 0 ? '' : `: ${secrets.join(', ')}`}`,
    ),
    counted(
      vaults.length,
      'vault',
      vaults
        .map(({ name, access, secrets }) => `${name} (${access}, ${amountOf(secrets, 'secret')})`)
        .join(', '),
    ),
    ...(groups.length === 0 ? [] : [`${amountOf(groups.length, 'group')}; ${slowRemoval}`]),
    ...groups.map(
      ({ name, inEntra, members, reads, roles }) =>
        `  ${name} (${inEntra}): ${members.join(', ') || 'no members'}; reads ${reads.join(', ') || 'nothing that this stack grants'}${withRoles(roles)}`,
    ),
    ...(dependencies.length === 0 ? [] : [amountOf(dependencies.length, 'dependency')]),
    ...dependencies.map(
      ({ application, name, kind, group, cluster }) =>
        `  ${application}/${name}, ${kind} in ${group}, by the operator of ${cluster}`,
    ),
    ...Object.entries(revoked).flatMap(([kind, reasons]) => {
      const names = Object.entries(reasons).map(([name, reason]) => `${name} (${reason})`);
      return names.length === 0 ? [] : [`revoked ${kind}: ${names.join(', ')}`];
    }),
    `${amountOf(identities.length, 'identity')} trusting ${amountOf(trusts, 'service account')}, with ${amountOf(grants, 'grant')}`,
    ...identities
      .filter(
        ({ trusts: accounts, credential, reads, roles }) =>
          credential !== undefined || [accounts, reads, roles].some(({ length }) => length > 0),
      )
      .map(
        ({ name, cluster, generation, credential, trusts: accounts, reads, roles, atTimes, mayAssign }) =>
          `  ${name}${generation === undefined ? '' : ` (generation ${generation.number}, ${generation.inUse ? 'in use' : 'beside'})`} ${credential === undefined ? `trusts ${accounts.join(', ') || 'no service account'}` : `signs in with the stored ${credential.kind} in ${credential.secret}`} on ${cluster}; reads ${reads.join(', ') || 'nothing'}${withRoles(roles)}${atTimes === undefined ? '' : `, and in access windows ${atTimes.join(', ')}`}${mayAssign === undefined ? '' : `, and may assign in access windows ${mayAssign.join(', ')}`}`,
      ),
  ];
  return lines.map((line) => `  ${shownInLine(line)}\n`).join('');
}

function withRoles(roles: readonly string[]): string {
  return roles.length === 0 ? '' : `; has ${roles.join(', ')}`;
}

function withVersions(
  applications: readonly Pick<ConfigurationSummary['applications'][number], 'name' | 'version'>[],
): string {
  return applications
    .map(({ name, version }) => (version === undefined ? name : `${name} ${version}`))
    .join(', ');
}

function counted(number: number, noun: string, names: string): string {
  return `${amountOf(number, noun)}${names === '' ? '' : `: ${names}`}`;
}

function amountOf(number: number, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${number} ${number === 1 ? noun : plural}`;
}
