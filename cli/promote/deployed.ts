import type { Configuration } from '../../stacks/plan';
import { digestIn } from '../../stacks/offline';
import type { VerifiedOutputs } from '../../verification/checks';
import type { PromotedRelease, RefusedPromotion } from '../../stacks/promotion/promotion';

/**
 * Refuses releases that the stack file names and the stack has not deployed, or not on every cluster: only what runs was
 * verified.
 */
export function deployedRefusals(
  stack: string,
  changes: readonly Pick<PromotedRelease, 'list' | 'name' | 'version'>[],
  { plan, settings }: Configuration,
  { workloads, hostedClusters }: Pick<VerifiedOutputs, 'workloads' | 'hostedClusters'>,
): RefusedPromotion[] {
  const all = {
    applications: workloads.map(({ application: name, ...rest }) => ({ ...rest, name })),
    hostedClusters: hostedClusters.map(({ managementCluster: cluster, ...rest }) => ({ ...rest, cluster })),
  };
  return changes.flatMap(({ list, name, version }): RefusedPromotion[] => {
    const planned = plan.clusters.filter((cluster) =>
      list === 'applications'
        ? cluster.workloads.some((workload) => workload.application.name === name)
        : cluster.hostedClusters.some((hosted) => hosted.settings.name === name),
    );
    const deployed = all[list].filter((one) => one.name === name);
    const clusters = new Set([
      ...planned.map((cluster) => cluster.settings.name),
      ...deployed.map(({ cluster }) => cluster),
    ]);
    if (clusters.size === 0) {
      return [
        {
          what: `${name} runs on no cluster of ${stack}, so ${version} was not verified.`,
          remedy: 'Add a cluster to its `clusters`.',
        },
      ];
    }
    const remedy = `Deploy it with \`pulumi up --stack ${stack}\`.`;
    const others = [...clusters].flatMap((cluster) => {
      const found = deployed.find((one) => one.cluster === cluster);
      if (found?.version === version) return [];
      return [`${found === undefined ? 'nothing' : (found.version ?? 'no release')} on ${cluster}`];
    });
    if (others.length > 0) {
      const what = `${stack} is to have ${name} ${version}, and has deployed ${others.join(', ')}.`;
      return [{ what, remedy }];
    }
    const digest = digestIn(settings, list, name);
    if (deployed.every((one) => one.digest === digest)) return [];
    return [
      {
        what: `Release ${version} of ${name}, or what the stack file of ${stack} adds to it, was edited after ${stack} got it: ${stack} has deployed something else under that version.`,
        remedy: `If the release was edited, make it another version. ${remedy}`,
      },
    ];
  });
}
