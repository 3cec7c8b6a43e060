import { dependencyObjectName } from '../../components/dependency/service';
import type { ApplicationSettings } from '../settings/schema';

/** Every secret that the application reads in its vault: those that it names, and those that its dependencies bring there. */
export function secretsReadBy(application: ApplicationSettings): string[] {
  return [...application.secrets, ...secretsBroughtTo(application)];
}

/** The secrets with connection strings that the application's dependencies bring to its vault. */
export function secretsBroughtTo(application: ApplicationSettings): string[] {
  return broughtSecrets(application).flatMap(({ vault, secret }) => (vault === undefined ? [secret] : []));
}

/** What the application's dependencies bring to other vaults, which they name. */
export function secretsElsewhere(application: Depending) {
  return broughtSecrets(application).flatMap(({ vault, secret }) =>
    vault === undefined ? [] : [{ vault, secret }],
  );
}

/** Names of the secrets that the application may read at times. */
export function windowedSecrets({ accessWindows }: Pick<ApplicationSettings, 'accessWindows'>): string[] {
  return [...new Set(accessWindows.flatMap(({ secrets }) => secrets))].sort();
}

type Depending = Pick<ApplicationSettings, 'name' | 'dependencies'>;

/** The secrets with connection strings; `vault` is undefined in the application's own vault. */
function broughtSecrets({ name, dependencies }: Depending) {
  return dependencies
    .filter(({ connection }) => connection === 'vault')
    .map(({ connectionVault: vault, name: dependency }) => ({
      vault,
      secret: dependencyObjectName(name, dependency),
    }));
}
