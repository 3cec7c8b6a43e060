import { existingIdentityPaths } from '../plan/existingResources';
import type { Path, Problem } from '../settings/problem';
import { formatPath } from '../settings/problem';
import type { ApplicationSettings, StackSettings } from '../settings/schema';
import { hasOwnVault } from '../plan';
import type { Check } from './context';
import { repeated } from './context';

/**
 * An identity that trusted the service accounts of two clusters would have two credentials of one name; under two
 * names in the stack, they would also be written at the same time, which Azure refuses.
 */
export const distinctExistingIdentities: Check = ({ settings, plan, clusterPath, applicationPath }) => {
  const inFile = (path: Path): Path => {
    const [list, index, ...rest] = path;
    if (typeof index !== 'number') return path;
    return [...(list === 'clusters' ? clusterPath(index) : applicationPath(index)), ...rest];
  };
  const all = plan.clusters.flatMap((cluster, index) => existingIdentityPaths(settings, cluster, index));
  return repeated(all, ({ id }) => id.toLowerCase()).map(({ item, first }) => ({
    path: inFile(item.path),
    value: JSON.stringify(item.id),
    what: `is the identity of ${formatPath(inFile(all[first]?.path ?? []))} already`,
    allowed: 'each identity once in a stack',
    remedy: 'Name another, or let one be made.',
  }));
};

export const oneWorkspace: Check = ({ settings, broken }) => {
  if (settings.logs === undefined || broken.has('logs')) return [];
  const { name, existing, retentionInDays } = settings.logs.workspace;
  const path = ['logs', 'workspace'];
  return [
    ...nameOrExisting(path, name, existing, 'the workspace'),
    ...(existing !== undefined && retentionInDays !== undefined
      ? [existingField([...path, 'retentionInDays'], 'workspace')]
      : []),
  ];
};

type VaultField = 'network' | 'privateEndpoints' | 'lock' | 'tags';
const vaultFields: readonly VaultField[] = ['network', 'privateEndpoints', 'lock', 'tags'];

/** What the central vault has if nothing is said, and what of it can be said only of a vault that is made. */
const vaultDefaults = { publicAccess: false, softDeleteRetentionInDays: 90, purgeProtection: true } as const;

export const vaultNameOrExisting: Check = ({ settings, applicationPath, broken }) => [
  ...(broken.has('vault')
    ? []
    : nameOrExisting(['vault'], settings.vault.name, settings.vault.existing, 'the central vault')),
  ...settings.applications.flatMap(({ vault }, index) =>
    vault?.name === undefined || vault.existing === undefined
      ? []
      : nameOrExisting([...applicationPath(index), 'vault'], vault.name, vault.existing, 'the vault'),
  ),
];

/** An existing vault stays as it is: what it should be like cannot be said of it. */
export const existingVaults: Check = ({ settings, applicationPath, broken }) => [
  ...(broken.has('vault') || broken.has('applications') || broken.has('vaults')
    ? []
    : centralFields(settings).map((field) => existingField(['vault', field], 'vault'))),
  ...settings.applications.flatMap(({ vault }, index) =>
    vault?.existing === undefined
      ? []
      : vaultFields
          .filter((field) => vault[field] !== undefined)
          .map((field) => existingField([...applicationPath(index), 'vault', field], 'vault')),
  ),
];

function centralFields({ vault, ...settings }: StackSettings): string[] {
  // The vaults that are made for applications take what they do not say from here.
  const others = settings.applications.some(
    (application) => hasOwnVault({ vault, ...settings }, application) && isMade(application),
  );
  if (vault.existing === undefined || others) return [];
  return [
    ...vaultFields.filter((field) => vault[field] !== undefined),
    ...Object.entries(vaultDefaults)
      .filter(([field, value]) => vault[field as keyof typeof vaultDefaults] !== value)
      .map(([field]) => field),
  ];
}

function isMade({ vault }: ApplicationSettings): boolean {
  return vault?.existing === undefined;
}

/** A firewall rules who reaches a vault from the internet, and nobody does without public access. */
export const vaultNetworks: Check = ({ settings, applicationPath, broken }) => {
  if (broken.has('vault') || settings.vault.publicAccess) return [];
  const closed = (path: Path): Problem => ({
    path,
    what: 'has no effect on a vault without public access',
    allowed: 'a firewall beside `vault.publicAccess: true`',
    remedy:
      'Set `publicAccess: true` on `vault`, or remove it and reach the vault through `privateEndpoints`.',
  });
  return [
    ...(settings.vault.network === undefined || settings.vault.existing !== undefined
      ? []
      : [closed(['vault', 'network'])]),
    ...settings.applications.flatMap(({ vault }, index) =>
      vault?.network === undefined || vault.existing !== undefined
        ? []
        : [closed([...applicationPath(index), 'vault', 'network'])],
    ),
  ];
};

/** One endpoint a subnet: a second one would have its name, and is of no use. */
export const distinctEndpoints: Check = ({ settings, applicationPath, broken }) => {
  const within = (path: Path, endpoints: readonly { readonly subnet: string }[] = []): Problem[] =>
    repeated(endpoints, ({ subnet }) => subnet.toLowerCase()).map(({ item, index }) => ({
      path: [...path, 'privateEndpoints', index, 'subnet'],
      value: JSON.stringify(item.subnet),
      what: 'is in the list already',
      remedy: 'Remove one of them.',
    }));
  return [
    ...(broken.has('vault') ? [] : within(['vault'], settings.vault.privateEndpoints)),
    ...settings.applications.flatMap(({ vault }, index) =>
      within([...applicationPath(index), 'vault'], vault?.privateEndpoints),
    ),
  ];
};

function existingField(path: Path, what: string): Problem {
  return {
    path,
    what: `has no meaning for an existing ${what}, which is never changed`,
    remedy: 'Remove it.',
  };
}

function nameOrExisting(
  path: Path,
  name: string | undefined,
  existing: string | undefined,
  what: string,
): Problem[] {
  if (name !== undefined && existing !== undefined) {
    return [
      {
        path: [...path, 'name'],
        value: JSON.stringify(name),
        what: `names ${what}, which \`existing\` beside it names already`,
        allowed: 'either `name`, of one that is made, or `existing`',
        remedy: 'Remove one of them.',
      },
    ];
  }
  if (name !== undefined || existing !== undefined) return [];
  return [
    {
      path: [...path, 'name'],
      what: 'is missing',
      allowed: `either \`name\`, of one that is made, or \`existing\`, the id of one that exists`,
      remedy: 'Add one of them.',
    },
  ];
}
