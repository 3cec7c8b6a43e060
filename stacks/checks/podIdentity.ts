import type { IdentitySettings } from '../plan';
import { isServicePrincipal, planTokenEvents, selects, storedCredentialOf } from '../plan';
import type { Path } from '../settings/problem';
import { formatPath } from '../settings/problem';
import { lastSupportedMinor } from '../settings/schema/podIdentity';
import type { Check } from './context';
import { repeated } from './context';

/** Returns the problem with aad-pod-identity on a version of Kubernetes, or undefined if it is supported there. */
export function unsupportedKubernetes(version: string | undefined) {
  if (version !== undefined && Number(version.split('.')[1]) <= lastSupportedMinor) return undefined;
  return {
    what: `installs aad-pod-identity on Kubernetes ${version ?? 'of the default version of AKS'}, where it is unsupported`,
    allowed: `up to 1.${lastSupportedMinor}, or with \`unsupportedKubernetes: true\` at your own risk`,
    hint: 'Migrate the applications: `aks-wi migrate` reads the current state and shows the steps to workload identity (docs/pod-identity.md).',
  };
}

/** The properties of a cluster, as Azure returns them, with which aad-pod-identity may not work. */
interface NetworkedCluster {
  readonly networkProfile?:
    { readonly networkDataplane?: string; readonly networkPlugin?: string } | undefined;
  readonly podIdentityProfile?: { readonly enabled?: boolean } | undefined;
}

/**
 * Yields reasons why aad-pod-identity does not work on an existing cluster. It redirects the requests of pods with the nodes'
 * iptables.
 */
export function* unfitForPodIdentity(
  { networkProfile, podIdentityProfile }: NetworkedCluster,
  { install }: { install: boolean },
) {
  const hint =
    'Remove `podIdentity` and let the applications sign in with workload identity, or use a cluster that is created with `podIdentity`.';
  if (networkProfile?.networkDataplane === 'cilium')
    yield {
      ...{ what: 'does not work with the network data plane cilium, which bypasses iptables' },
      ...{ allowed: 'the data plane azure', hint },
    };
  // An existing installation may be configured for kubenet, or may be the add-on itself.
  if (!install) return;
  if (networkProfile?.networkPlugin === 'kubenet')
    yield {
      ...{ what: 'does not work with kubenet, on which its node component exits' },
      ...{ allowed: 'the network plugin azure', hint },
    };
  if (podIdentityProfile?.enabled === true)
    yield {
      what: "is already on the cluster as an AKS add-on, and two installations intercept each other's requests",
      hint: 'Run `az aks update --disable-pod-identity`.',
    };
}

/** As a service principal, aad-pod-identity signs in with a password, which is then in the cluster. */
function* servicePrincipalProblems(path: Path, signIn: 'podIdentity' | 'both', identity: IdentitySettings) {
  if (storedCredentialOf(identity)?.credential !== 'password')
    yield {
      path,
      what: 'needs a managed identity, or a service principal with a password: aad-pod-identity gets tokens for no other',
      hint: 'Set another `identity`, or `signIn: workloadIdentity`, with which a service principal needs no password. If a password in the cluster is intended, set `credential: password` with `storedPassword: accepted`.',
    };
  else if (signIn === 'both')
    yield {
      path,
      what: 'is not possible with a stored password: no service account is trusted, so pods cannot sign in with workload identity',
      allowed: 'podIdentity, workloadIdentity',
      hint: 'To migrate, set `identity: servicePrincipal` and `signIn: workloadIdentity` in one update. The service principal and its grants stay the same (docs/pod-identity.md).',
    };
}

export const podIdentityChecks: readonly Check[] = [
  function* ({ clusters }) {
    for (const { path: at, podIdentity, ...cluster } of clusters) {
      if (podIdentity === undefined) continue;
      const path = [...at, 'podIdentity'];
      if (cluster.mode === 'external')
        yield {
          path,
          what: 'is only for AKS clusters: it assigns identities to their nodes in Azure',
          hint: 'Remove it, and let the applications sign in with workload identity.',
        };
      const exceptions = podIdentity.install ? podIdentity.exceptions : [];
      for (const { index } of repeated(exceptions, ({ namespace, name }) => `${namespace}/${name}`))
        yield {
          path: [...path, 'exceptions', index, 'name'],
          what: 'is already the name of another exception in the namespace',
          hint: 'Give each exception its own name.',
        };
      // The version of an existing cluster is read from Azure.
      if (!podIdentity.install || podIdentity.unsupportedKubernetes === true || cluster.mode !== 'create')
        continue;
      const problem = unsupportedKubernetes(cluster.kubernetesVersion);
      if (problem !== undefined) yield { path, ...problem };
    }
  },

  function* ({ clusters, tokenEvents }) {
    if (tokenEvents !== undefined && clusters.every((cluster) => planTokenEvents(cluster) === undefined))
      yield {
        path: ['tokenEvents'],
        what: 'has no effect: no cluster has aad-pod-identity, whose tokens it reports',
        hint: 'Remove it, or set `podIdentity` on a cluster.',
      };
  },

  function* ({ clusters, applications }) {
    for (const { path: at, signIn, identity, ...application } of applications) {
      if (signIn === 'workloadIdentity') continue;
      const path = [...at, 'signIn'];
      for (const cluster of clusters)
        if (selects(application.clusters, cluster) && cluster.podIdentity === undefined)
          yield {
            path,
            what: `needs aad-pod-identity on ${formatPath(cluster.path)}`,
            hint: `Set \`podIdentity\` on the cluster ${cluster.name}, or \`signIn: workloadIdentity\`.`,
          };
      if (isServicePrincipal(identity)) yield* servicePrincipalProblems(path, signIn, identity);
    }
  },
];
