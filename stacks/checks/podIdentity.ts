import type { NetworkedCluster } from '../../components/cluster/existingCluster';
import type { GivenIdentity } from '../plan';
import { isServicePrincipal, planTokenEvents, selects, storedCredentialOf } from '../plan';
import type { Path } from '../settings/problem';
import { formatPath } from '../settings/problem';
import type { Check } from './context';
import { repeated } from './context';

/**
 * Last minor version of Kubernetes on which aad-pod-identity was supported. The project ended in September 2023
 * (Azure/aad-pod-identity website/content/en/docs/_index.md), when 1.27 was the newest generally available version in AKS
 * (MicrosoftDocs/azure-docs articles/aks/supported-kubernetes-versions.md).
 */
const lastSupported = 27;

/** Returns the problem with aad-pod-identity on a version of Kubernetes, or undefined if it is supported there. */
export function unsupportedKubernetes(version: string | undefined) {
  if (version !== undefined && Number(version.split('.')[1]) <= lastSupported) return undefined;
  return {
    what: `installs aad-pod-identity on Kubernetes ${version ?? 'of the default version of AKS'}, on which nobody supports it`,
    allowed: `up to 1.${lastSupported}, or with \`unsupportedKubernetes: true\` at your own risk`,
    hint: 'Migrate the applications: `aks-wi migrate` reads what there is and leads to workload identity (docs/pod-identity.md).',
  };
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
    'Remove `podIdentity` and let the applications sign in by workload identity, or use a cluster that is made with `podIdentity`.';
  if (networkProfile?.networkDataplane === 'cilium')
    yield {
      ...{ what: 'does not work on a cluster with the network data plane cilium, which passes by iptables' },
      ...{ allowed: 'the data plane azure', hint },
    };
  // An existing installation may be configured for kubenet, or may be the add-on itself.
  if (!install) return;
  if (networkProfile?.networkPlugin === 'kubenet')
    yield {
      ...{ what: 'does not work on a cluster with kubenet, on which its node component ends' },
      ...{ allowed: 'the network plugin azure', hint },
    };
  if (podIdentityProfile?.enabled === true)
    yield {
      what: 'is on the cluster as an add-on of AKS already, and two of them take the requests of pods from each other',
      hint: 'Run `az aks update --disable-pod-identity`.',
    };
}

/** As a service principal, aad-pod-identity signs in with a password, which is then in the cluster. */
function* servicePrincipalProblems(path: Path, signIn: 'podIdentity' | 'both', identity: GivenIdentity) {
  const value = JSON.stringify(signIn);
  if (storedCredentialOf(identity)?.credential !== 'password')
    yield {
      ...{ path, value },
      what: 'needs a managed identity, or a service principal with a password: by another, aad-pod-identity gets no tokens',
      hint: 'Set another `identity`; or `signIn: workloadIdentity`, by which a service principal needs no password; or, if a password in the cluster is meant, `credential: password` with `storedPassword: accepted`.',
    };
  else if (signIn === 'both')
    yield {
      ...{ path, value },
      what: 'does not go with a stored password: no service account is trusted, so pods cannot sign in by workload identity',
      allowed: 'podIdentity, workloadIdentity',
      hint: 'To migrate, set `identity: servicePrincipal` and `signIn: workloadIdentity` in one update: it is the same service principal, with its grants (docs/pod-identity.md).',
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
          what: 'is for AKS clusters only: it assigns identities to their nodes in Azure',
          hint: 'Remove it, and let the applications sign in by workload identity.',
        };
      const exceptions = podIdentity.install ? podIdentity.exceptions : [];
      for (const { index } of repeated(exceptions, ({ namespace, name }) => `${namespace}/${name}`))
        yield {
          path: [...path, 'exceptions', index, 'name'],
          what: 'is that of another exception in the namespace already',
          hint: 'Give each a name of its own.',
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
        what: 'is for what writes events of the tokens of aad-pod-identity, and no cluster has it',
        hint: 'Remove it, or set `podIdentity` of a cluster.',
      };
  },

  function* ({ clusters, applications }) {
    for (const { path: at, signIn, identity, delivery, ...one } of applications) {
      if (signIn === 'workloadIdentity') continue;
      const path = [...at, 'signIn'];
      const value = JSON.stringify(signIn);
      for (const cluster of clusters)
        if (selects(one.clusters, cluster) && cluster.podIdentity === undefined)
          yield {
            ...{ path, value },
            what: `needs aad-pod-identity on ${formatPath(cluster.path)}`,
            hint: `Set \`podIdentity\` of the cluster ${cluster.name}, or \`signIn: workloadIdentity\`.`,
          };
      if (isServicePrincipal(identity)) yield* servicePrincipalProblems(path, signIn, identity);
      if (signIn === 'podIdentity' && delivery !== 'application')
        yield {
          ...{ path, value },
          what: `does not go with \`delivery: ${delivery}\`: the driver signs in by workload identity`,
          allowed: 'workloadIdentity, both',
          hint: 'Set `signIn: both`, or `delivery: application`.',
        };
    }
  },
];
