import { projectFiles } from '../../stacks/settings/projectFiles';
import { checkStackFile } from '../../stacks/stackFile';
import { summarizeConfiguration } from '../../stacks/plan/summary';
import { renderSummary } from '../validate/summary';
import { groupOf, stackFileText, vaultOf, vmSize, type Run } from './stackFile';

/** Returns what the stack of a run deploys, as `aks-wi validate` says it. */
function deployed(run: Run, project: string): string[] {
  const file = stackFileText(run);
  const { configuration } = checkStackFile(file, projectFiles(project));
  if (configuration === undefined) throw new Error(`The stack file of the run is invalid: ${file.text}`);
  return renderSummary(summarizeConfiguration(configuration)).trimEnd().split('\n');
}

/**
 * Returns the effect of the command, in lines.
 *
 * @param run the run; undefined if only earlier ones are removed
 * @param left earlier runs, which are removed first
 */
export function effectOf(run: Run | undefined, left: readonly Run[], project: string): string[] {
  return [
    ...left.flatMap((earlier) => [
      `To remove, left by an earlier run in subscription ${earlier.subscription}:`,
      `  resource group ${groupOf(earlier)} with everything in it`,
      `  vault ${vaultOf(earlier)}, which is also purged`,
    ]),
    ...(run === undefined
      ? []
      : [
          `To create in subscription ${run.subscription}, and to remove again, also after a failure (the random suffix differs in each run):`,
          `  resource group ${groupOf(run)} in ${run.location}`,
          ...deployed(run, project),
          `The cluster has the tier Free and one node ${vmSize}. AKS creates a group for the node, with its disk and load balancer.`,
          'Cost: about half an hour of these, below 1 USD at list prices; about 3 USD a day if the removal fails.',
          'Rights, on the subscription: Contributor and Role Based Access Control Administrator, or Owner.',
        ]),
  ];
}
