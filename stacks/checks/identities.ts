import { maxCredentialsPerIdentity } from '../../components/identity/subjects';
import type { ClusterPlan, IdentityPlan } from '../plan';
import { selects } from '../plan';
import { applicationIndex } from '../settings/places';
import type { Problem } from '../settings/problem';
import { formatPath } from '../settings/problem';
import type { Given, Places } from './context';
import { check } from './context';
import { unknownCluster } from './selections';

/**
 * Azure refuses the 21st federated credential of an identity (entra-docs workload-identity-federation-considerations):
 * found here, and not after twenty of them.
 */
export const credentialLimit = check(['plan', 'identity', 'shard'], (given, places) => {
  const reported = new Set<string>();
  return given.plan.clusters.flatMap((cluster, index) =>
    cluster.identities.flatMap((identity): Problem[] => {
      if (identity.subjects.length <= maxCredentialsPerIdentity) return [];
      const problem = tooMany(given, places, cluster, index, identity);
      const key = `${formatPath(problem.path)} ${identity.applications.join()}`;
      // A dedicated identity has the same accounts on every cluster.
      if (reported.has(key)) return [];
      reported.add(key);
      return [problem];
    }),
  );
});

function tooMany(
  given: Given,
  { applicationPath, clusterPath }: Places,
  { settings: cluster }: ClusterPlan,
  index: number,
  { scope, key, subjects, applications }: IdentityPlan,
): Problem {
  const limit = `an identity trusts at most ${maxCredentialsPerIdentity}`;
  if (scope === 'cluster') {
    return {
      path: clusterPath(index),
      value: JSON.stringify(cluster.name),
      what: `has ${subjects.length} service accounts of applications that run as the cluster's identity, and ${limit}`,
      remedy: 'Set `shard: true`, or `identity: application` on some of them.',
    };
  }
  if (scope === 'shard') {
    const shard = key.slice(cluster.name.length + 1);
    return {
      path: clusterPath(index),
      value: JSON.stringify(cluster.name),
      what: `has ${subjects.length} service accounts of applications in the shard ${shard}, and ${limit}: ${applications.join(', ')}`,
      remedy: 'Set `identity: application` on some of them.',
    };
  }
  const place = applicationIndex(given, applications[0]);
  return {
    path: [...applicationPath(place), 'serviceAccounts'],
    value: `a list of ${subjects.length - 1}`,
    what: `makes ${subjects.length} service accounts with the application's own, and ${limit}`,
    remedy: 'Make two applications of it, with a namespace and secrets in common.',
  };
}

/** An existing identity for each cluster that the application runs on, and for no other. */
export const existingOnClusters = check(['clusters'], (settings, { applicationPath }) => {
  const known = settings.clusters.map(({ name }) => name);
  return settings.applications.flatMap(({ identity, clusters, name }, index): Problem[] => {
    if (typeof identity !== 'object') return [];
    const path = [...applicationPath(index), 'identity', 'existing'];
    const here = settings.clusters.filter((cluster) => selects(clusters, cluster)).map((one) => one.name);
    return [
      ...Object.keys(identity.existing).flatMap((cluster): Problem[] => {
        if (!known.includes(cluster)) return [unknownCluster([...path, cluster], cluster, known)];
        if (here.includes(cluster)) return [];
        return [
          {
            path: [...path, cluster],
            what: `is for a cluster that ${name} does not run on`,
            allowed: here.join(', ') || 'none: it runs on no cluster',
            remedy: 'Remove it, or add the cluster to `clusters`.',
          },
        ];
      }),
      ...here
        .filter((cluster) => identity.existing[cluster] === undefined)
        .map((cluster) => ({
          path: [...path, cluster],
          what: `is missing, and ${name} runs there`,
          allowed: 'an identity for each cluster of the application',
          remedy: 'Add its resource id, or take the cluster out of `clusters`.',
        })),
    ];
  });
});
