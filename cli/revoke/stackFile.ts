import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { StackFileCheck } from '../../stacks/offline';
import { checkStackFile, formatPlaced, project, projectFiles, withValue } from '../../stacks/offline';
import type { WorkloadOutput } from '../../verification/checks';
import type { FileChange } from '../promote/files';
import { listStacks } from '../project';
import { VisibleError } from '../visibleError';
import type { Failure } from './access';
import type { Revocation } from './targets';

/** A stack file that revokes. */
export interface Marked {
  /** What changes in it. */
  change: FileChange;
  /** Whether it revokes the application on the cluster. */
  isRevoked: (workload: WorkloadOutput) => boolean;
  /** Why it is not written. */
  failure?: Failure;
  /** What was wrong in it before, so that an update refuses it: it is written all the same. */
  notes: string[];
  /** What to say where writing fails. */
  failed: (why: unknown) => Failure;
}

/** Whether the settings revoke the application on the cluster. */
function revokedBy(configuration: StackFileCheck['configuration']): Marked['isRevoked'] {
  const revoked = (configuration?.plan.clusters ?? []).flatMap(({ settings, workloads }) =>
    workloads
      .filter((one) => one.revoked === true)
      .map(({ application }) => `${settings.name}/${application.name}`),
  );
  return ({ cluster, application }) => revoked.includes(`${cluster}/${application}`);
}

/**
 * What the file of the stack revokes, if there is one: an update may not have come since.
 * @throws VisibleError if it is not valid, so that what it revokes is not known
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
    throw new VisibleError(
      `${file} is not valid, so that what it revokes is not known: ${problems.map(formatPlaced).join(' ')}`,
      'Correct it (`aks-wi validate` shows each problem), and run the command again.',
    );
  return revokedBy(configuration);
}

/** The stack file with the revocation, as an update is to find it. @param given the file; undefined for that of the stack */
export function markRevoked(
  folder: string,
  { stack, given, reason }: { stack: string; given: string | undefined; reason: string },
  { kind, name }: Revocation,
): Marked {
  const file = path.relative(
    folder,
    path.resolve(given ?? path.join(folder, listStacks(folder).get(stack) ?? `Pulumi.${stack}.yaml`)),
  );
  const failed = (why: unknown): Failure => ({
    what: `\`revoked\` in ${file}`,
    reason: why instanceof Error ? why.message : String(why),
    command: `write \`${project}:revoked: { ${kind}: { ${name}: ${reason} } }\` into the stack file: without it, the next update gives the access back`,
  });
  const check = (text: string) => checkStackFile({ environment: stack, file, text }, projectFiles(folder));
  const change = { file, text: '', newText: '' };
  let before: StackFileCheck;
  try {
    change.text = change.newText = readFileSync(path.join(folder, file), 'utf8');
    before = check(change.text);
    if (!Object.hasOwn(before.configuration?.settings.revoked?.[kind] ?? {}, name))
      change.newText = withValue(change.text, ['config', `${project}:revoked`, kind, name], reason);
  } catch (error) {
    // It cannot be read, or is not what a value could be written into.
    return { change, isRevoked: () => false, failure: failed(error), notes: [], failed };
  }
  const { configuration, problems } = check(change.newText);
  const known = new Set(before.problems.map(({ message }) => message));
  const added = problems.filter(({ message }) => !known.has(message)).map(formatPlaced);
  const wrong = before.problems.map(formatPlaced).join(' ');
  return {
    change,
    isRevoked: revokedBy(configuration),
    notes: wrong === '' ? [] : [`An update refuses ${file} until it is corrected: ${wrong}`],
    failed,
    ...(added.length > 0 && { failure: failed(added.join(' ')) }),
  };
}

/** Writes it; a failure is one more thing to report, and stops nothing. */
export function writeMarked(folder: string, { change, failure, failed }: Marked): Failure[] {
  if (failure !== undefined) return [failure];
  try {
    if (change.newText !== change.text) writeFileSync(path.join(folder, change.file), change.newText);
    return [];
  } catch (error) {
    return [failed(error)];
  }
}
