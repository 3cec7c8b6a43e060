import { isValidName, nameRule } from '../../components/azure/naming';
import { hasOwnVault, vaultOf } from '../plan';
import { nearest } from '../settings/nearest';
import { applicationIndex } from '../settings/places';
import type { Problem } from '../settings/problem';
import { check, repeated } from './context';

export const ownVaultNames = check(['vault', 'vaults'], (settings, { applicationPath }) => {
  return settings.applications.flatMap((application, index): Problem[] => {
    const name = vaultOf(settings, application);
    const existing = application.vault?.existing !== undefined;
    if (existing || !hasOwnVault(settings, application) || isValidName('keyVault', name)) return [];
    return [
      {
        path: [...applicationPath(index), 'vault', 'name'],
        what: `is missing, and the name made for it, "${name}" (${name.length} characters), cannot be a vault's`,
        allowed: nameRule('keyVault').allowed,
        remedy: 'Set it.',
      },
    ];
  });
});

/** Vault names are compared without regard to case, in all of Azure. */
export const uniqueVaults = check(['plan', 'vaults'], (settings, { applicationPath }) =>
  repeated(settings.plan.vaults, ({ name }) => name.toLowerCase()).flatMap(({ item, first }) => {
    const owner = applicationIndex(settings, item.application);
    if (first.application === item.application) return [];
    const whose = first.application === undefined ? 'the central vault' : `the vault of ${first.application}`;
    const { existing } = item;
    return [
      {
        path: [...applicationPath(owner), 'vault', existing === undefined ? 'name' : 'existing'],
        value: JSON.stringify(existing?.id ?? item.name),
        what: existing === undefined ? `is the name of ${whose} already` : `names ${whose} once more`,
        remedy: 'Set another.',
      },
    ];
  }),
);

/** What an application says of a vault can hold only for one of its own. */
export const centralVaultOverrides = check(['vault', 'vaults'], (settings, { applicationPath }) =>
  settings.applications.flatMap((application, index): Problem[] => {
    if (hasOwnVault(settings, application)) return [];
    const path = [...applicationPath(index), 'vault'];
    const { vault } = application;
    if (vault === undefined) return [];
    const { access, name, existing } = vault;
    const remedy = 'Remove it, or set `placement: perApplication` beside it.';
    return [
      ...(access !== undefined && access !== settings.vault.access
        ? [
            {
              path: [...path, 'access'],
              value: JSON.stringify(access),
              what: 'is not how the central vault decides, which holds the secrets of this application',
              allowed: settings.vault.access,
              remedy,
            },
          ]
        : []),
      ...(name !== undefined && existing === undefined
        ? [
            {
              path: [...path, 'name'],
              value: JSON.stringify(name),
              what: 'names a vault that is not made',
              remedy,
            },
          ]
        : []),
      ...(existing !== undefined
        ? [
            {
              path: [...path, 'existing'],
              value: JSON.stringify(existing.id),
              what: 'names a vault that is not used: the secrets of this application are in the central one',
              remedy,
            },
          ]
        : []),
      ...(['network', 'privateEndpoints', 'lock', 'tags', 'retainOnDelete'] as const)
        .filter((key) => vault[key] !== undefined)
        .map((key) => ({
          path: [...path, key],
          what: 'is said of a vault that is not made',
          remedy: 'Remove it or say it of the central `vault`, or set `placement: perApplication` beside it.',
        })),
    ];
  }),
);

/**
 * A value that nobody reads, while a secret much like it has none, is a misspelt name. Its own value is not looked at.
 */
export const unreadValues = check(['applications', 'secretValues'], (settings) => {
  const named = [...new Set(settings.applications.flatMap(({ secrets }) => secrets))];
  return Object.keys(settings.secretValues).flatMap((name) => {
    if (named.includes(name)) return [];
    const near = nearest(
      name,
      named.filter((other) => !(other in settings.secretValues)),
    );
    // Without one it may be that of an application that was removed; the update says what becomes of it.
    if (near === undefined) return [];
    return [
      {
        path: ['secretValues', name],
        what: 'is a secret that no application names',
        remedy: `Did you mean ${near}?`,
      },
    ];
  });
});

/** One secret under two spellings is one secret: Key Vault compares names without regard to case. */
export const secretSpelling = check(['secretValues'], (settings, { applicationPath }) => {
  const spelling = new Map<string, string>();
  for (const name of Object.keys(settings.secretValues)) spelling.set(name.toLowerCase(), name);
  return settings.applications.flatMap(({ secrets }, index) =>
    secrets.flatMap((name, place) => {
      // Twice in one list is reported as that.
      if (secrets.slice(0, place).some((other) => other.toLowerCase() === name.toLowerCase())) return [];
      const known = spelling.get(name.toLowerCase()) ?? name;
      spelling.set(name.toLowerCase(), known);
      if (known === name) return [];
      return [
        {
          path: [...applicationPath(index), 'secrets', place],
          value: JSON.stringify(name),
          what: `is "${known}" in another spelling, and Key Vault does not tell them apart`,
          remedy: `Write ${known}.`,
        },
      ];
    }),
  );
});

/**
 * An access policy covers every secret of its vault. An identity that names only some of them would read the
 * others as well; that has to be asked for in so many words.
 */
export const overreach = check(
  ['plan', 'vault', 'vaults', 'identity', 'shard', 'applications'],
  (settings) => {
    const { plan } = settings;
    if (settings.vault.overreach === 'accepted') return [];
    const reported = new Set<string>();
    return plan.vaults
      .filter(({ access }) => access === 'accessPolicy')
      .flatMap((vault) =>
        plan.clusters.flatMap(({ identities }) =>
          identities.flatMap(({ applications, grants }): Problem[] => {
            const granted = grants.find((grant) => grant.vault === vault.name)?.secrets ?? [];
            const beyond = vault.secrets.filter((secret) => !granted.includes(secret));
            const readers = applications.join(', ');
            if (granted.length === 0 || beyond.length === 0 || reported.has(`${vault.name}/${readers}`))
              return [];
            reported.add(`${vault.name}/${readers}`);
            return [
              {
                path: ['vault', 'access'],
                value: JSON.stringify(vault.access),
                what: `would let the identity of ${readers} read ${beyond.join(', ')} in ${vault.name} as well, since a policy covers every secret of its vault`,
                remedy:
                  'Set `access: rbac`, or `vaults: perApplication`, or, if that is meant, `overreach: accepted`.',
              },
            ];
          }),
        ),
      );
  },
);
