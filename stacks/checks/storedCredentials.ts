import { everyIdentity, storedCredentialOf } from '../plan';
import { applicationPath } from '../settings/places';
import type { Path } from '../settings/problem';
import { formatPath } from '../settings/problem';
import type { Check, CheckInput, OwnedSecret } from './context';
import { validityProblems } from './validity';

export const storedCredentialChecks: readonly Check[] = [
  function* (input) {
    for (const { path, credential, storedPassword, signIn, ...validity } of storedCredentials(input)) {
      yield* validityProblems(path, validity, credential);
      if (credential === 'password' && storedPassword === undefined)
        yield {
          path: [...path, 'storedPassword'],
          what: 'is missing: anyone who reads a stored password can sign in as the application from anywhere',
          allowed: 'accepted',
          hint: `Write \`${String(path.at(-2))}: servicePrincipal\`${signIn === 'workloadIdentity' ? ', which needs no password, or \`credential: certificate\`' : ' with \`signIn: workloadIdentity\`, which needs no password'}. If a stored password is intended, add \`storedPassword: accepted\`.`,
        };
      if (credential === 'certificate' && storedPassword !== undefined)
        yield {
          path: [...path, 'storedPassword'],
          what: 'has no effect with `credential: certificate`, which stores no password',
          hint: 'Remove it, or set `credential: password`.',
        };
    }
  },

  /** Refuses settings that need tokens of service accounts: with a stored credential, no service account is trusted. */
  function* ({ applications }) {
    for (const { path, identity, serviceAccounts, audience, dependencies } of applications) {
      if (storedCredentialOf(identity) === undefined) continue;
      for (const [index, dependency] of dependencies.entries())
        if (dependency.service.kind === 'identity')
          yield {
            path: [...path, 'dependencies', index, 'identity'],
            what: "is not possible with a stored credential: it trusts the application's service accounts, whose pods get no token",
            hint: 'Remove it, or write `identity: servicePrincipal`, which signs in with federation.',
          };
      for (const [key, isSet] of Object.entries({
        serviceAccounts: serviceAccounts.length > 0,
        audience: audience !== undefined,
      }))
        if (isSet)
          yield {
            path: [...path, key],
            what: 'has no effect with a stored credential: no service account is trusted',
            hint: 'Remove it, or write `identity: servicePrincipal`, which signs in with federation.',
          };
    }
  },

  /** With an access policy, every application of the vault could sign in as this one. */
  function* ({ vault, ...input }) {
    const [stored] = storedCredentials(input);
    if (stored !== undefined && vault.access !== 'rbac')
      yield {
        path: ['vault', 'access'],
        what: `cannot hold the credential of ${formatPath(stored.path)}: every reader of the vault could read it`,
        allowed: 'rbac',
        hint: 'Set `access: rbac`, or let the identity sign in with federation.',
      };
  },
];

/** Returns the secrets with stored credentials; the identity's setting names them. */
export function credentialSecrets({ plan, applications, vault }: CheckInput): OwnedSecret[] {
  return plan.clusters.flatMap((cluster) =>
    everyIdentity(cluster).flatMap(({ credential, applications: [name] }) => {
      if (credential === undefined) return [];
      const path: Path =
        name === undefined
          ? [...cluster.path, 'operatorIdentity']
          : [...applicationPath({ applications }, name), 'identity'];
      return [{ vault: vault.name, secret: credential.secret, path }];
    }),
  );
}

/** Returns the settings of every stored credential. */
function storedCredentials({ clusters, applications }: Pick<CheckInput, 'clusters' | 'applications'>) {
  const all = [
    ...clusters.map(({ path, operatorIdentity }) => ({
      path: [...path, 'operatorIdentity'],
      ...{ identity: operatorIdentity, signIn: 'workloadIdentity' },
    })),
    ...applications.map(({ path, identity, signIn }) => ({ path: [...path, 'identity'], identity, signIn })),
  ];
  return all.flatMap(({ path, identity, signIn }) => {
    const stored = storedCredentialOf(identity);
    return stored === undefined ? [] : [{ path: [...path, 'servicePrincipal'], signIn, ...stored }];
  });
}
