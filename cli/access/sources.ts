import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { accessDocument, type Access } from '../../stacks/access/reach';
import type { DryRunRequest } from '../../stacks/dryRun/request';
import { comparableAccess } from '../deployedAccess';
import { parsedJson } from '../json';
import { chosenStackFile, findProject, readStackFile, type StackFile } from '../project';
import { UserError } from '../userError';
import { dryRun } from './dryRun';
import { isPreview, previewedAccess } from './previewed';

/**
 * Returns who can use what, for each of two sources.
 * @param sides two of: a file that `aks-wi access --json` or `pulumi preview --json --show-sames` wrote, a stack file, the
 * name of a deployed stack
 * @param stack name of the stack of the stack files. Default: the one in the name of each
 */
export async function accessBy(sides: readonly [string, string], stack?: string): Promise<[Access, Access]> {
  const accessBySide = new Map<string, Access>();
  for (const side of sides) if (!isStackFile(side)) accessBySide.set(side, await readAccess(side));
  // If a stack file names no subscription, the other side's is used.
  const subscriptionId = [...accessBySide.values()][0]?.subscriptionId;
  const files = sides.filter(isStackFile);
  const settled = await dryRun(files.map((file) => requestOf(stackFileAt(file, stack), subscriptionId)));
  for (const [index, access] of settled.entries()) accessBySide.set(files[index] ?? '', access);
  const [before, after] = sides.map((side) => accessBySide.get(side));
  if (before === undefined || after === undefined) throw new Error('a side is missing');
  return [before, after];
}

const isStackFile = (side: string): boolean => /\.ya?ml$/.test(side);

/** Returns the source of a side of a comparison. */
export function sourceOf(side: string): 'deployed' | 'planned' | 'recorded' {
  if (isStackFile(side)) return 'planned';
  return side.endsWith('.json') ? 'recorded' : 'deployed';
}

async function readAccess(side: string): Promise<Access> {
  if (side.endsWith('.json')) return recordedAccess(side);
  if (!statSync(side, { throwIfNoEntry: false })?.isFile())
    return comparableAccess({ name: side, cwd: process.cwd() });
  throw new UserError(
    `${side} does not contain access information.`,
    'Allowed: a file that `aks-wi access --json` or `pulumi preview --json --show-sames` wrote (.json), a stack file (.yaml), or the name of a deployed stack.',
  );
}

/**
 * Returns who could use what if the settings of a stack were deployed.
 * @param file the stack file. Default: that of the project
 * @param subscriptionId subscription to deploy to, if the settings do not name it
 */
export async function accessBySettings(
  stack: string,
  {
    file,
    subscriptionId,
  }: { readonly file?: string | undefined; readonly subscriptionId?: string | undefined } = {},
): Promise<Access> {
  const project = findProject(process.cwd());
  const chosen = chosenStackFile(project, stack, file);
  const [access] = await dryRun([requestOf({ project, ...chosen }, subscriptionId)]);
  if (access === undefined) throw new Error('there is no answer');
  return access;
}

/** Reads a stack file. Its release files are in the project of a named stack, or else in the nearest project above it. */
function stackFileAt(filePath: string, stack: string | undefined): StackFile & { project: string } {
  const project = findProject(stack === undefined ? path.dirname(path.resolve(filePath)) : process.cwd());
  return { project, ...readStackFile(project, { filePath, from: process.cwd(), stack }) };
}

function requestOf(
  { project, stack, file, text }: StackFile & { project: string },
  subscriptionId?: string,
): DryRunRequest {
  return { project, environment: stack, file, text, subscriptionId };
}

function recordedAccess(filePath: string): Access {
  const file = path.relative(process.cwd(), path.resolve(filePath));
  if (!existsSync(filePath)) {
    throw new UserError(
      `There is no file ${file}.`,
      `Write it with \`aks-wi access --stack NAME --json > ${file}\`.`,
    );
  }
  const text = readFileSync(filePath, 'utf8');
  if (isPreview(text)) return previewedAccess(text, file);
  const parsed = accessDocument.safeParse(parsedJson(text));
  if (parsed.success) return parsed.data;
  throw new UserError(
    `${file} does not say who can use what: ${z.prettifyError(parsed.error).split('\n')[0] ?? ''}.`,
    `Write it again with \`aks-wi access --stack NAME --json > ${file}\`.`,
  );
}
