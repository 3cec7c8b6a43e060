import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { StackFileCheck } from '../../stacks/stackFile';
import { checkStackFile, formatPlaced } from '../../stacks/stackFile';
import { project } from '../../stacks/settings/problem';
import { projectFiles } from '../../stacks/settings/projectFiles';
import { withValue } from '../../stacks/settings/yamlEdit';
import type { WorkloadOutput } from '../../verification/checks';
import type { FileChange } from '../promote/files';
import { listStacks } from '../project';
import { settingsFile } from '../settingsFile';
import { UserError } from '../userError';
import type { Failure } from './failure';
import type { Revocation } from './targets';

/** A stack file with a revocation. */
export interface Marked {
  /** The change of the file. */
  change: FileChange;
  /** Tells whether the file revokes the application on the cluster. */
  isRevoked: (workload: WorkloadOutput) => boolean;
  /** The reason why the file is not written. */
  failure?: Failure;
  /** Earlier problems of the file. An update refuses the file because of them; it is written nevertheless. */
  notes: string[];
  /** Returns the failure to report if writing fails. */
  failed: (reason: unknown) => Failure;
}

/** Returns a function that tells whether the settings revoke the application on the cluster. */
function revokedBy(configuration: StackFileCheck['configuration']): Marked['isRevoked'] {
  const revoked = (configuration?.plan.clusters ?? []).flatMap(({ settings, workloads }) =>
    workloads
      .filter(({ revoked }) => revoked === true)
      .map(({ application }) => `${settings.name}/${application.name}`),
  );
  return ({ cluster, application }) => revoked.includes(`${cluster}/${application}`);
}

/**
 * Reads the revocations in the stack file, if it exists. The last update may be older.
 * @throws UserError if the file is not valid
 */
export function revokedInFile(folder: string, stack: string): Marked['isRevoked'] {
  const file = listStacks(folder).get(stack);
  if (file === undefined) return () => false;
  const text = readFileSync(path.join(folder, file), 'utf8');
  const { configuration, problems } = checkStackFile(
    { environment: stack, file, text },
    projectFiles(folder),
  );
  if (configuration === undefined)
    throw new UserError(
      `${file} is not valid, so its \`revoked\` cannot be read: ${problems.map(formatPlaced).join(' ')}`,
      'Correct it (`aks-wi validate` shows each problem), and run the command again.',
    );
  return revokedBy(configuration);
}

/**
 * Adds the revocation to the text of a stack file.
 * @param stackFile path of the file; that of a cell stands for its environment's. Default: that of the stack
 */
export function markRevoked(
  folder: string,
  { stack, stackFile, reason: mark }: { stack: string; stackFile: string | undefined; reason: string },
  { kind, name }: Revocation,
): Marked {
  const named = stackFile ?? path.join(folder, listStacks(folder).get(stack) ?? `Pulumi.${stack}.yaml`);
  const file = path.relative(folder, settingsFile(path.resolve(named)));
  const failed = (reason: unknown): Failure => ({
    what: `\`revoked\` in ${file}`,
    reason: reason instanceof Error ? reason.message : String(reason),
    command: `write \`${project}:revoked: { ${kind}: { ${name}: ${mark} } }\` into the stack file: without it, the next update restores the access`,
  });
  const check = (text: string) => checkStackFile({ environment: stack, file, text }, projectFiles(folder));
  const change = { file, text: '', newText: '' };
  let before: StackFileCheck;
  try {
    change.text = change.newText = readFileSync(path.join(folder, file), 'utf8');
    before = check(change.text);
    if (!Object.hasOwn(before.configuration?.settings.revoked?.[kind] ?? {}, name))
      change.newText = withValue(change.text, ['config', `${project}:revoked`, kind, name], mark);
  } catch (error) {
    // The file cannot be read, or no value can be written into it.
    return { change, isRevoked: () => false, failure: failed(error), notes: [], failed };
  }
  const { configuration, problems } = check(change.newText);
  const known = new Set(before.problems.map(({ message }) => message));
  const added = problems.filter(({ message }) => !known.has(message)).map(formatPlaced);
  const earlier = before.problems.map(formatPlaced).join(' ');
  return {
    change,
    isRevoked: revokedBy(configuration),
    notes: earlier === '' ? [] : [`An update refuses ${file} until it is corrected: ${earlier}`],
    failed,
    ...(added.length > 0 && { failure: failed(added.join(' ')) }),
  };
}

/** Writes the file. A failure is reported and does not stop the revocation. */
export function writeMarked(folder: string, { change, failure, failed }: Marked): Failure[] {
  if (failure !== undefined) return [failure];
  try {
    if (change.newText !== change.text) writeFileSync(path.join(folder, change.file), change.newText);
    return [];
  } catch (error) {
    return [failed(error)];
  }
}
