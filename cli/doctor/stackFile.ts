import { typeOfKey } from '../../stacks/access/registered';
import type { Configuration } from '../../stacks/plan';
import { projectFiles } from '../../stacks/settings/projectFiles';
import { checkStackFile, formatPlaced } from '../../stacks/stackFile';
import { dryRunOfParts } from '../access/dryRun';
import { readStack } from '../project';
import { UserError } from '../userError';

/** Deployment that a stack file describes. */
export interface Planned {
  readonly configuration: Configuration;
  /** Types of its resources. */
  readonly types: readonly string[];
}

/** Reads the file of a stack. @throws UserError if it is not valid */
export async function plannedBy(project: string, stack: string): Promise<Planned> {
  const { file, text } = readStack(project, stack);
  const { configuration, problems } = checkStackFile(
    { environment: stack, file, text },
    projectFiles(project),
  );
  if (configuration === undefined)
    throw new UserError(
      problems.map(formatPlaced)[0] ?? `${file} is not valid`,
      `\`aks-wi validate --stack ${stack}\` shows all problems.`,
    );
  const { environment, cell } = configuration;
  const parts = await dryRunOfParts({ project, ...readStack(project, environment), environment });
  const keys = cell === undefined ? Object.values(parts).flat() : (parts[cell.stack] ?? []);
  return { configuration, types: keys.map(typeOfKey) };
}
