import { fitName } from '../../components/azure/naming';
import { parseResourceId } from '../../components/azure/resourceId';
import { enableCommand } from '../../components/cluster/existingCluster';
import { looksLikeProduction } from '../../stacks/checks/policies';
import { UserError } from '../userError';
import { applicationsOf, centralVault, type ApplicationEntry } from './fromAzureApplications';
import type { Finding, Found, FoundCluster, FoundIdentity, FoundVault } from './fromAzureFound';
import { nameIn } from './fromAzureFound';
import { foreignGrants, grantsOf, isRead, unexplained, type SecretGrants } from './fromAzureGrants';
import { placedUses } from './fromAzureIdentities';
import { dnsLabel, unusedName } from './fromAzureNames';
import { usesIn } from './fromAzureTrust';

/** The settings of a first stack file, without the project's name in the keys, and what they do not express. */
export interface PlannedFile {
  readonly settings: Readonly<Record<string, unknown>> & {
    readonly clusters: readonly { readonly name: string }[];
    readonly applications: readonly ApplicationEntry[];
  };
  readonly findings: readonly Finding[];
}

/**
 * Returns the settings of a stack that uses what was found as it is: one application for each service account.
 * @param stack name of the stack
 * @throws UserError if no cluster can be used
 */
export function planFromAzure(found: Found, stack: string): PlannedFile {
  const clusters = namedClusters(found.clusters);
  const { uses, findings: ofTrust } = usesIn(found);
  const { placed, findings: ofIdentities } = placedUses(uses);
  const grants = new Map(found.identities.map((identity) => [identity, grantsOf(identity, found)]));
  const secretsOf = (identity: FoundIdentity): SecretGrants => grants.get(identity)?.secrets ?? new Map();
  const mostRead = centralVault(placed, secretsOf);
  const [firstVault, ...otherVaults] = found.vaults;
  const central = mostRead ?? firstVault;
  const { applications, vaultOf } = applicationsOf(placed, clusters, secretsOf, central);
  const [first] = clusters.keys();
  const { id = '', location = '' } = central ?? first ?? {};
  const { subscriptionId, resourceGroupName } = parseResourceId(id);
  const newVault = fitName('keyVault', `kv-${dnsLabel(stack)}`);
  return {
    settings: {
      location: location.toLowerCase().replaceAll(' ', ''),
      resourceGroup: { existing: `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroupName}` },
      vault: central === undefined ? { name: newVault } : { existing: central.id, access: central.access },
      identity: 'application',
      ...(looksLikeProduction(stack) && { policies: { production: true } }),
      clusters: [...clusters].map(([cluster, name]) => {
        const own = placed.find((use) => use.cluster === cluster && use.isShared)?.identity;
        return { name, mode: 'existing', id: cluster.id, ...(own && { identity: { existing: own.id } }) };
      }),
      applications,
      // All are in their vaults. Without this key, the local cloud would generate values.
      secretValues: {},
      // The clusters have their own, or need none.
      certManager: { install: false },
      serviceOperator: { install: false },
    },
    findings: [
      ...found.clusters.flatMap(disabled),
      ...(central === undefined ? [noVault(newVault)] : []),
      ...(mostRead === undefined && central !== undefined && otherVaults.length > 0
        ? [guessedVault(central)]
        : []),
      ...ofTrust,
      ...ofIdentities,
      ...[...grants].flatMap(([identity, grant]) =>
        placed.some((use) => use.identity === identity)
          ? [...grant.findings, ...inOtherVaults(identity, grant.secrets, vaultOf.get(identity))]
          : unexplained(identity, grant),
      ),
      ...foreignGrants(found),
      ...found.vaults.filter((vault) => vault !== central && !isRead(vault, found)).map(unreadVault),
    ],
  };
}

/** Returns the clusters that can be used, with their names in the stack file. */
function namedClusters(found: readonly FoundCluster[]): ReadonlyMap<FoundCluster, string> {
  const names = new Map<FoundCluster, string>();
  for (const cluster of found.filter(({ accounts }) => accounts !== undefined))
    names.set(cluster, unusedName(new Set(names.values()), dnsLabel(nameIn(cluster.id))));
  if (names.size > 0) return names;
  const [off] = found.filter((cluster) => cluster.disabled.length > 0);
  throw new UserError(
    'No cluster has workload identity enabled, so there is nothing to write.',
    off === undefined
      ? 'Name another subscription or resource group.'
      : `Enable it, and run the command again: \`${enableCommand(parseResourceId(off.id))}\`.`,
  );
}

function disabled({ id, disabled: off }: FoundCluster): Finding[] {
  if (off.length === 0) return [];
  return [
    {
      kind: 'disabledCluster',
      what: `The cluster ${nameIn(id)}`,
      problem: `has ${off.join(' and ')} disabled, so no identity can trust its service accounts`,
      hint: `It is not in the stack file. To add it, run \`${enableCommand(parseResourceId(id))}\`, or add it with \`enable: true\`.`,
    },
  ];
}

const noVault = (name: string): Finding => ({
  kind: 'noVault',
  what: 'The subscription',
  problem: 'has no vault that was read, and a stack has one',
  hint: `The next update would create ${name}: choose its name in the stack file, or name an existing vault.`,
});

const guessedVault = ({ id }: FoundVault): Finding => ({
  kind: 'guessedVault',
  what: nameIn(id),
  problem:
    'is the central vault because it is the first by its id: no application of the stack file reads a vault',
  hint: 'Correct `vault` in the stack file if the secrets are to be in another one.',
});

const unreadVault = ({ id }: FoundVault): Finding => ({
  kind: 'unreadVault',
  what: nameIn(id),
  problem: 'cannot be read by any managed identity that was found',
  hint: 'It is not in the stack file, and stays. If an application is to read it, name it in `vault` of that application.',
});

function inOtherVaults(
  identity: FoundIdentity,
  secrets: SecretGrants,
  vault: FoundVault | undefined,
): Finding[] {
  return [...secrets]
    .filter(([other]) => other !== vault)
    .map(([other, names]) => ({
      kind: 'otherVault',
      what: nameIn(identity.id),
      problem: `reads ${names.join(', ')} of ${nameIn(other.id)}, which is neither the central vault of the stack file nor the vault of this application alone`,
      hint: 'The grants stay, and the stack does not manage them. Move the secrets to the central vault, or put these applications into a stack of their own.',
    }));
}
