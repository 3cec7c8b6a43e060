import type { Configuration } from '../../stacks/plan';
import { digestIn } from '../../stacks/settings/releases/digest';
import type { VerifiedOutputs } from '../../verification/checks';
import { deployCommand } from '../verify/hint';
import type { PromotedRelease, RefusedPromotion } from './promotion';

/**
 * Refuses releases in the stack file that are not deployed on every cluster: only running releases are verified.
 */
export function deployedRefusals(
  stack: string,
  changes: readonly Pick<PromotedRelease, 'list' | 'name' | 'version'>[],
  { plan, settings }: Configuration,
  { cells, workloads, hostedClusters }: Pick<VerifiedOutputs, 'cells' | 'workloads' | 'hostedClusters'>,
): RefusedPromotion[] {
  const releases = {
    applications: workloads.map(({ application: name, ...rest }) => ({ ...rest, name })),
    hostedClusters: hostedClusters.map(({ managementCluster: cluster, ...rest }) => ({ ...rest, cluster })),
  };
  return changes.flatMap(({ list, name, version }): RefusedPromotion[] => {
    const planned = plan.clusters.filter((cluster) =>
      list === 'applications'
        ? cluster.workloads.some((workload) => workload.application.name === name)
        : cluster.hostedClusters.some((hosted) => hosted.settings.name === name),
    );
    const deployed = releases[list].filter((release) => release.name === name);
    const clusters = new Set([
      ...planned.map((cluster) => cluster.settings.name),
      ...deployed.map(({ cluster }) => cluster),
    ]);
    if (clusters.size === 0) {
      return [
        {
          what: `${name} runs on no cluster of ${stack}, so ${version} was not verified.`,
          hint: 'Add a cluster to its `clusters`.',
        },
      ];
    }
    const hint = `Deploy it with ${deployCommand(stack, cells)}.`;
    const deviations = [...clusters].flatMap((cluster) => {
      const release = deployed.find((candidate) => candidate.cluster === cluster);
      if (release?.version === version) return [];
      return [`${release === undefined ? 'nothing' : (release.version ?? 'no release')} on ${cluster}`];
    });
    if (deviations.length > 0) {
      const what = `The stack file of ${stack} has ${name} ${version}, but the stack runs ${deviations.join(', ')}.`;
      return [{ what, hint }];
    }
    const digest = digestIn(settings, list, name);
    if (deployed.every((release) => release.digest === digest)) return [];
    return [
      {
        what: `Release ${version} of ${name}, or its settings in the stack file of ${stack}, were edited after the deployment: ${stack} runs different content under that version.`,
        hint: `If the release was edited, give it a new version. ${hint}`,
      },
    ];
  });
}
