import { typeOfKey } from '../../stacks/access/registered';
import type { Configuration } from '../../stacks/plan';
import { projectFiles } from '../../stacks/settings/projectFiles';
import { checkStackFile, formatPlaced } from '../../stacks/stackFile';
import { dryRunOfParts } from '../access/dryRun';
import { readStack, type StackFile } from '../project';
import { UserError } from '../userError';

/** Deployment that a stack file describes. */
export interface Planned {
  readonly configuration: Configuration;
  /** Types of its resources. */
  readonly types: readonly string[];
}

/** Returns what a stack file describes. @throws UserError if it is not valid */
export async function plannedBy(project: string, stackFile: StackFile): Promise<Planned> {
  const { stack, file, text } = stackFile;
  const { configuration, problems } = checkStackFile(
    { environment: stack, file, text },
    projectFiles(project),
  );
  if (configuration === undefined)
    throw new UserError(
      problems.map(formatPlaced)[0] ?? `${file} is not valid`,
      'Run `aks-wi validate` with the same options; it shows all problems.',
    );
  const { environment, cell } = configuration;
  const ofEnvironment = environment === stack ? stackFile : readStack(project, environment);
  const parts = await dryRunOfParts({ project, ...ofEnvironment, environment });
  const keys = cell === undefined ? Object.values(parts).flat() : (parts[cell.stack] ?? []);
  return { configuration, types: keys.map(typeOfKey) };
}
