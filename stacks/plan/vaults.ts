import type { ApplicationSettings, StackSettings } from '../settings/schema';
import { secretsReadBy } from './dependencies';
import type { GrantPlan, VaultPlan, VaultSurroundings } from './types';

/** Whether the application has its secrets in a vault of its own. */
export function hasOwnVault(
  { vaults }: Pick<StackSettings, 'vaults'>,
  { vault }: Pick<ApplicationSettings, 'vault'>,
): boolean {
  return (vault?.placement ?? vaults) === 'perApplication';
}

/** Name of the vault that the application's secrets are in. */
export function vaultOf(
  { vault, vaults }: Pick<StackSettings, 'vault' | 'vaults'>,
  application: Pick<ApplicationSettings, 'vault' | 'name'>,
): string {
  if (!hasOwnVault({ vaults }, application)) return vault.name;
  return application.vault?.name ?? `${vault.name}-${application.name}`;
}

/** Whether the environment has a central vault: it is not made for nobody, where every application has its own. */
function hasCentralVault(settings: StackSettings): boolean {
  return (
    settings.vaults === 'central' ||
    settings.applications.some((application) => !hasOwnVault(settings, application))
  );
}

/** Secrets with a value that no application names. */
export function unnamedSecrets(settings: StackSettings): string[] {
  const named = new Set(settings.applications.flatMap(secretsReadBy));
  return Object.keys(settings.secretValues)
    .filter((name) => !named.has(name))
    .sort();
}

export function planVaults(settings: StackSettings): VaultPlan[] {
  const own = settings.applications.filter((application) => hasOwnVault(settings, application));
  const central = settings.applications.filter((application) => !hasOwnVault(settings, application));
  const { vault, retainOnDelete } = settings;
  return [
    ...(hasCentralVault(settings)
      ? [
          {
            name: vault.name,
            ...(vault.existing === undefined ? surroundings(vault) : { existing: vault.existing }),
            access: vault.access,
            secrets: secretsReadByAll(central),
            retainOnDelete: vault.retainOnDelete ?? retainOnDelete,
          },
        ]
      : []),
    ...own.map((application) => ({
      name: vaultOf(settings, application),
      ...(application.vault?.existing === undefined
        ? surroundings({ ...vault, ...given(application.vault ?? {}) })
        : { existing: application.vault.existing }),
      access: application.vault?.access ?? vault.access,
      application: application.name,
      secrets: secretsReadByAll([application]),
      retainOnDelete: application.vault?.retainOnDelete ?? application.retainOnDelete ?? retainOnDelete,
    })),
  ];
}

type VaultSettings = Pick<StackSettings['vault'], 'network' | 'privateEndpoints' | 'lock' | 'tags'>;

function surroundings({ network, privateEndpoints, lock, tags }: VaultSettings): VaultSurroundings {
  return {
    ...(network !== undefined && { firewall: network }),
    ...(privateEndpoints !== undefined && {
      privateEndpoints: privateEndpoints.map(({ subnet, privateDnsZone }) => ({
        subnet,
        ...(privateDnsZone !== undefined && { privateDnsZone: privateDnsZone.id }),
      })),
    }),
    ...(lock === true && { lock }),
    ...(tags !== undefined && { tags }),
  };
}

/** Without what is not said. */
function given({ network, privateEndpoints, lock, tags }: VaultSettings): VaultSettings {
  return {
    ...(network !== undefined && { network }),
    ...(privateEndpoints !== undefined && { privateEndpoints }),
    ...(lock !== undefined && { lock }),
    ...(tags !== undefined && { tags }),
  };
}

/** One grant a vault, whatever number of applications share the identity: a role can be assigned only once. */
export function grantsOf(settings: StackSettings, applications: readonly ApplicationSettings[]): GrantPlan[] {
  const vaults = [...new Set(applications.map((application) => vaultOf(settings, application)))];
  return vaults
    .map((vault) => {
      const here = applications.filter((application) => vaultOf(settings, application) === vault);
      return { vault, secrets: secretsReadByAll(here) };
    })
    .filter(({ secrets }) => secrets.length > 0);
}

function secretsReadByAll(applications: readonly ApplicationSettings[]): string[] {
  return [...new Set(applications.flatMap(secretsReadBy))].sort();
}
