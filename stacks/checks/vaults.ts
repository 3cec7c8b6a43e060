import { hasOwnVault, secretsAlwaysReadBy, secretsIn } from '../plan';
import { grantLists } from '../settings/grantLists';
import { nearest } from '../settings/nearest';
import { vaultPath } from '../settings/places';
import type { Path, Problem } from '../settings/problem';
import { vault as vaultSchema } from '../settings/schema/vaults';
import type { Check } from './context';
import { inCase, refusedName, repeated } from './context';
import { nameConditionChecks } from './nameConditions';
import { overreachProblems } from './overreach';

const ofEveryVault = ['network', 'privateEndpoints', 'lock', 'tags'] as const;

/** Settings that apply only to vaults that the stack creates: the central vault and those of applications. */
const ofCreatedVaults = [
  ...ofEveryVault,
  'publicAccess',
  'softDeleteRetentionInDays',
  'purgeProtection',
] as const;

/** Settings of an application that apply only to a vault of its own. */
const ofOwnVaults = [...ofEveryVault, 'access', 'grants', 'name', 'existing', 'retainOnDelete'] as const;

export const vaultChecks: readonly Check[] = [
  /**
   * An existing vault is never changed, but vaults that are created for applications inherit the settings of the central vault.
   */
  function* (settings) {
    const { existing, ...vault } = settings.vault;
    const createsOthers = settings.applications.some(
      (application) => hasOwnVault(settings, application) && application.vault?.existing === undefined,
    );
    if (existing === undefined || createsOthers) return;
    const defaults = vaultSchema.parse({ existing: existing.id });
    for (const key of ofCreatedVaults)
      if (vault[key] !== defaults[key])
        yield {
          path: ['vault', key],
          what: 'has no effect on an existing vault, which is never changed',
          hint: 'Remove it.',
        };
  },

  /** A firewall restricts access from the internet; without public access there is none to restrict. */
  function* ({ vault, applications }) {
    if (vault.publicAccess) return;
    if (vault.existing === undefined) yield* closed(['vault'], vault);
    for (const { path, vault: own } of applications) yield* closed([...path, 'vault'], own);
  },

  function* ({ plan, applications }) {
    for (const { name, application, existing } of plan.vaults)
      if (existing === undefined)
        yield* refusedName(
          'keyVault',
          name,
          [...vaultPath({ applications }, application), 'name'],
          'It consists of the names of the central vault and the application: set another.',
        );
  },

  /** Vault names are compared case-insensitively and across all of Azure. */
  function* ({ plan, applications }) {
    for (const { item, first } of repeated(plan.vaults, ({ name }) => name.toLowerCase())) {
      // Two applications of the same name are reported elsewhere.
      if (first.application === item.application) continue;
      const field = item.existing === undefined ? 'name' : 'existing';
      const whose =
        first.application === undefined ? 'the central vault' : `the vault of ${first.application}`;
      yield {
        path: [...vaultPath({ applications }, item.application), field],
        value: JSON.stringify(item.existing?.id ?? item.name),
        what: `is already ${item.existing === undefined ? 'the name of ' : ''}${whose}${inCase(item.name, first.name)}`,
        hint: 'Set another.',
      };
    }
  },

  function* (settings) {
    for (const application of settings.applications) {
      const { path, vault } = application;
      if (vault === undefined || hasOwnVault(settings, application)) continue;
      for (const key of ofOwnVaults) {
        const isSet = vault[key] !== undefined && !(key === 'name' && vault.existing !== undefined);
        const isSame = (key === 'access' || key === 'grants') && vault[key] === settings.vault[key];
        if (isSet && !isSame)
          yield {
            path: [...path, 'vault', key],
            what: 'needs a vault for this application, but its secrets are in the central vault',
            hint: 'Remove it, set it on the central `vault`, or add `placement: perApplication`.',
          };
      }
    }
  },

  /**
   * A value that nobody reads probably has a misspelt name if a secret with a similar name has no value. The value is not read.
   */
  function* ({ secretValues, ...input }) {
    const named = [...new Set(alwaysFirst(input).flatMap(({ secrets }) => secrets))];
    const without = named.filter((name) => !Object.hasOwn(secretValues, name));
    for (const name of Object.keys(secretValues)) {
      const near = named.includes(name) ? undefined : nearest(name, without);
      // A value with an unlike name may belong to a removed application; the update reports it.
      if (near !== undefined)
        yield {
          path: ['secretValues', name],
          what: 'is a secret that no application names',
          hint: `Did you mean ${near}?`,
        };
    }
  },

  /** Names that differ only in case are the same secret: Key Vault compares them case-insensitively. */
  function* ({ secretValues, ...input }) {
    const spelling = new Map<string, string>();
    for (const { item, first } of repeated(Object.keys(secretValues), (name) => name.toLowerCase()))
      yield {
        path: ['secretValues', item],
        what: `differs from "${first}" only in case, which Key Vault ignores`,
        hint: 'Remove one of them.',
      };
    for (const name of Object.keys(secretValues).reverse()) spelling.set(name.toLowerCase(), name);
    for (const { path, secrets, application, atTimes } of alwaysFirst(input))
      for (const [place, name] of secrets.entries()) {
        const known = spelling.get(name.toLowerCase()) ?? name;
        spelling.set(name.toLowerCase(), known);
        const always = application && atTimes ? secretsAlwaysReadBy(input.groups, application) : [];
        const others = [...secrets.slice(0, place), ...always.map(({ secret }) => secret)];
        // A secret that an application has twice is reported elsewhere.
        if (known !== name && !others.some((other) => other.toLowerCase() === name.toLowerCase()))
          yield {
            path: [...path, 'secrets', place],
            what: `differs from "${known}" only in case, which Key Vault ignores`,
            hint: `Write ${known}.`,
          };
      }
  },

  function* ({ plan, vault: { overreach } }) {
    if (overreach === 'accepted') return;
    // Access windows in a vault with access policies are reported elsewhere.
    const windows = plan.clusters.flatMap(({ workloads }) =>
      workloads.flatMap((workload) => secretsIn(workload.windows)),
    );
    for (const vault of plan.vaults)
      if (vault.access === 'accessPolicy' && windows.every((window) => window.vault !== vault.name))
        yield* overreachProblems(vault, vault.secrets, ['vault', 'access']);
  },

  ...nameConditionChecks,
];

/** Returns the lists of what is granted at all times, then those of what is granted only at times. */
const alwaysFirst = (input: Parameters<typeof grantLists>[0]) =>
  grantLists(input).sort((one, other) => Number(one.atTimes) - Number(other.atTimes));

function* closed(path: Path, vault: { readonly network?: object | undefined } = {}): Generator<Problem> {
  if (vault.network !== undefined)
    yield {
      path: [...path, 'network'],
      what: 'has no effect on a vault without public access',
      allowed: 'a firewall with `vault.publicAccess: true`',
      hint: 'Set `publicAccess: true` on `vault`, or remove it and reach the vault through `privateEndpoints`.',
    };
}
