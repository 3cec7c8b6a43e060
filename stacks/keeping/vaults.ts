import { isRecord } from '../configuration/record';
import type { VaultOutput } from '../outputs/outputs';
import type { EnvironmentPlan } from '../plan';
import { keptKinds } from './kinds';
import type { OwnState } from './ownState';
import type { KeptPlan } from './plan';

/** The secrets that the stack knows in a vault, with those that it keeps there. */
export function withKept(vault: string, secrets: readonly string[], { things }: KeptPlan): string[] {
  return [...new Set([...secrets, ...keptIn(vault, things)])].sort();
}

/** Vaults of which nothing is left in the configuration, as outputs: nobody may read them. */
export function keptVaults({ things }: KeptPlan, state: OwnState): [string, VaultOutput][] {
  return things
    .filter(({ kind, used, apart }) => kind === 'vault' && !used && !apart)
    .flatMap(({ name, id }) => {
      const uri = state.text(keptKinds.vault.component, name, 'uri');
      if (id === undefined || uri === undefined) return [];
      const access = usesRoles(state, name) ? 'rbac' : 'accessPolicy';
      return [[name, { id, uri, access, secrets: keptIn(name, things).sort() }]];
    });
}

function keptIn(vault: string, things: KeptPlan['things']): string[] {
  return things
    .filter(({ kind, component }) => kind === 'secret' && component === vault)
    .map(({ name }) => name.slice(vault.length + 1));
}

function usesRoles(state: OwnState, vault: string): boolean {
  const properties = state.find(keptKinds.vault.token, vault)?.outputs.properties;
  return isRecord(properties) && properties.enableRbacAuthorization === true;
}

/**
 * The plan without values that no application names and that are not in the central vault: those of an application that
 * had a vault of its own must not get into the vault of all when it is removed.
 */
export function withoutUnwritten(plan: EnvironmentPlan, state: OwnState): EnvironmentPlan {
  const central = plan.vaults.find(({ application }) => application === undefined)?.name ?? '';
  const unwritten = new Set(
    plan.kept.filter((secret) => state.find(keptKinds.secret.token, `${central}/${secret}`) === undefined),
  );
  return {
    ...plan,
    kept: plan.kept.filter((secret) => !unwritten.has(secret)),
    vaults: plan.vaults.map((vault) => ({
      ...vault,
      secrets: vault.name === central ? vault.secrets.filter((name) => !unwritten.has(name)) : vault.secrets,
    })),
  };
}
