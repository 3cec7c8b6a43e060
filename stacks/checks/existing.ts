import type { Path, Problem } from '../settings/problem';
import { formatPath } from '../settings/problem';
import { existingIdentities, hasOwnVault } from '../plan';
import { check, repeated } from './context';

/**
 * An identity that trusted the service accounts of two clusters would have two credentials of one name; under two
 * names in the stack, they would also be written at the same time, which Azure refuses.
 */
export const distinctExistingIdentities = check(['plan'], (given, { clusterPath, applicationPath }) => {
  const inFile = (path: Path): Path => {
    const [list, index, ...rest] = path;
    if (typeof index !== 'number') return path;
    return [...(list === 'clusters' ? clusterPath(index) : applicationPath(index)), ...rest];
  };
  const all = given.plan.clusters.flatMap((cluster, index) => existingIdentities(given, cluster, index));
  return repeated(all, ({ existing }) => existing.id.toLowerCase()).map(({ item, first }) => ({
    path: inFile(item.path),
    value: JSON.stringify(item.existing.id),
    what: `is the identity of ${formatPath(inFile(first.path))} already`,
    allowed: 'each identity once in a stack',
    remedy: 'Name another, or let one be made.',
  }));
});

/** What can be said only of a vault that is made, and what the central one has if nothing is said. */
const ofMadeVaults = {
  network: undefined,
  privateEndpoints: undefined,
  lock: undefined,
  tags: undefined,
  publicAccess: false,
  softDeleteRetentionInDays: 90,
  purgeProtection: true,
} as const;

/** An existing vault stays as it is; vaults that are made for applications take what they do not say from it. */
export const existingVault = check(['vault', 'vaults', 'applications'], (settings) => {
  const { vault, applications } = settings;
  const others = applications.some((one) => hasOwnVault(settings, one) && one.vault?.existing === undefined);
  if (vault.existing === undefined || others) return [];
  return (Object.keys(ofMadeVaults) as (keyof typeof ofMadeVaults)[])
    .filter((key) => vault[key] !== ofMadeVaults[key])
    .map((key) => ({
      path: ['vault', key],
      what: 'has no meaning for an existing vault, which is never changed',
      remedy: 'Remove it.',
    }));
});

const closed = (path: Path): Problem => ({
  path,
  what: 'has no effect on a vault without public access',
  allowed: 'a firewall beside `vault.publicAccess: true`',
  remedy: 'Set `publicAccess: true` on `vault`, or remove it and reach the vault through `privateEndpoints`.',
});

/** A firewall rules who reaches a vault from the internet, and nobody does without public access. */
export const vaultNetworks = check(['vault'], ({ vault: central, applications }, { applicationPath }) => {
  if (central.publicAccess) return [];
  return [
    ...(central.network === undefined || central.existing !== undefined
      ? []
      : [closed(['vault', 'network'])]),
    ...applications.flatMap(({ vault }, index) =>
      vault?.network === undefined ? [] : [closed([...applicationPath(index), 'vault', 'network'])],
    ),
  ];
});

/** One endpoint a subnet: a second one would have its name, and is of no use. */
export const distinctEndpoints = [
  check(['vault'], ({ vault }) => repeatedSubnets(['vault'], vault.privateEndpoints)),
  check([], ({ applications }, { applicationPath }) =>
    applications.flatMap(({ vault }, index) =>
      repeatedSubnets([...applicationPath(index), 'vault'], vault?.privateEndpoints),
    ),
  ),
];

function repeatedSubnets(path: Path, endpoints: readonly { readonly subnet: string }[] = []): Problem[] {
  return repeated(endpoints, ({ subnet }) => subnet.toLowerCase()).map(({ item, index }) => ({
    path: [...path, 'privateEndpoints', index, 'subnet'],
    value: JSON.stringify(item.subnet),
    what: 'is in the list already',
    remedy: 'Remove one of them.',
  }));
}
