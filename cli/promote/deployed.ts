import type { Configuration } from '../../stacks/plan';
import { applicationDigest } from '../../stacks/offline';
import type { VerifiedOutputs } from '../../verification/checks';
import type { PromotedRelease, RefusedPromotion } from '../../stacks/promotion/promotion';

/**
 * Refuses releases that the stack file names and the stack has not deployed, or not on every cluster: only what runs was
 * verified.
 */
export function deployedRefusals(
  stack: string,
  changes: readonly Pick<PromotedRelease, 'application' | 'version'>[],
  { plan, settings }: Configuration,
  { workloads }: Pick<VerifiedOutputs, 'workloads'>,
): RefusedPromotion[] {
  return changes.flatMap(({ application, version }): RefusedPromotion[] => {
    const planned = plan.clusters.filter((cluster) =>
      cluster.workloads.some((workload) => workload.application.name === application),
    );
    const deployed = workloads.filter((workload) => workload.application === application);
    const clusters = new Set([
      ...planned.map((cluster) => cluster.settings.name),
      ...deployed.map(({ cluster }) => cluster),
    ]);
    if (clusters.size === 0) {
      return [
        {
          what: `Application ${application} runs on no cluster of ${stack}, so ${version} was not verified.`,
          remedy: 'Add a cluster to its `clusters`.',
        },
      ];
    }
    const remedy = `Deploy it with \`pulumi up --stack ${stack}\`.`;
    const others = [...clusters].flatMap((cluster) => {
      const found = deployed.find((workload) => workload.cluster === cluster);
      if (found?.version === version) return [];
      return [`${found === undefined ? 'nothing' : (found.version ?? 'no release')} on ${cluster}`];
    });
    if (others.length > 0) {
      const what = `${stack} is to have ${application} ${version}, and has deployed ${others.join(', ')}.`;
      return [{ what, remedy }];
    }
    const digest = applicationDigest(settings, application);
    if (deployed.every((one) => one.digest === digest)) return [];
    return [
      {
        what: `Release ${version} of ${application} was edited after ${stack} got it: its image, chart, port, variables or secrets are not those that ${stack} has deployed.`,
        remedy: `Make it another version. ${remedy}`,
      },
    ];
  });
}
