import { dependencyObjectName } from '../../components/dependency/service';
import type { ApplicationSettings } from '../settings/schema';

/**
 * Returns every secret that the application reads in its vault: those that it names, and those that its dependencies
 * contribute.
 */
export function secretsReadBy(application: ApplicationSettings): string[] {
  return [...application.secrets, ...secretsBroughtTo(application)];
}

/** Returns the secrets with connection strings that the application's dependencies contribute to its vault. */
export function secretsBroughtTo(application: ApplicationSettings): string[] {
  return broughtSecrets(application).flatMap(({ vault, secret }) => (vault === undefined ? [secret] : []));
}

/** Returns the secrets that the application's dependencies contribute to other vaults, which they name. */
export function secretsElsewhere(application: Depending) {
  return broughtSecrets(application).flatMap(({ vault, secret }) =>
    vault === undefined ? [] : [{ vault, secret }],
  );
}

type Depending = Pick<ApplicationSettings, 'name' | 'dependencies'>;

/** Returns the secrets that the application's dependencies contribute; `vault` is undefined for its own vault. */
export function broughtSecrets({ name, dependencies }: Depending) {
  return dependencies
    .filter(({ connection }) => connection === 'vault')
    .map(({ connectionVault: vault, name: dependency }) => ({
      vault,
      secret: dependencyObjectName(name, dependency),
    }));
}
