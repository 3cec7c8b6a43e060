import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { Access } from '../../stacks/access/reach';
import type { DryRunRequest } from '../../stacks/dryRun/request';
import { strictTimes } from '../../stacks/outputs/accessWindows';
import { deployedAccess } from '../deployedAccess';
import { parsedJson } from '../json';
import { findProject, readStack, readStackFile, type StackFile } from '../project';
import { UserError } from '../userError';
import { dryRun } from './dryRun';
import { isPreview, previewedAccess } from './previewed';

const subject = z.strictObject({
  key: z.string(),
  text: z.string(),
  cluster: z.string().optional(),
  trusted: z.string().optional(),
  notJudged: z.string().optional(),
});

const target = z.strictObject({
  key: z.string(),
  text: z.string(),
  notJudged: z.string().optional(),
  because: z.string(),
  condition: z.string().optional(),
  times: strictTimes.optional(),
});

const unread = z.strictObject({
  ...{ resource: z.string(), path: z.string(), value: z.string() },
  silent: z.enum(['gone', 'both']).optional(),
});

const recorded = z.strictObject({
  environment: z.string(),
  subscriptionId: z.string().optional(),
  identities: z.array(
    z.strictObject({
      ...{ key: z.string(), name: z.string() },
      ...{ subjects: z.array(subject), targets: z.array(target) },
    }),
  ),
  readers: z.array(
    z.strictObject({
      ...{ cluster: z.string(), application: z.string() },
      ...{ accounts: z.array(z.string()), named: z.array(z.string()) },
    }),
  ),
  unread: z.array(unread),
  given: z.array(unread).optional(),
  counts: z.strictObject({
    ...{ trusts: z.number(), grants: z.number(), groups: z.number(), readers: z.number() },
  }),
});

/**
 * Returns who can use what, for each of two sources.
 * @param given each a file that `aks-wi access --json` or `pulumi preview --json --show-sames` wrote, a stack file, or the name
 * of a deployed stack
 */
export async function accessBy(given: readonly [string, string]): Promise<[Access, Access]> {
  const told = new Map<string, Access>();
  for (const one of given) if (!isStackFile(one)) told.set(one, await toldAccess(one));
  // A stack file seldom names its subscription; then the other side's is used.
  const subscriptionId = [...told.values()][0]?.subscriptionId;
  const files = given.filter(isStackFile);
  const settled = await dryRun(files.map((one) => requestOf(stackFileAt(one), subscriptionId)));
  for (const [index, one] of settled.entries()) told.set(files[index] ?? '', one);
  const [before, after] = given.map((one) => told.get(one));
  if (before === undefined || after === undefined) throw new Error('a side is missing');
  return [before, after];
}

const isStackFile = (given: string): boolean => /\.ya?ml$/.test(given);

/** Returns the source of a side of a comparison. */
export function sourceOf(given: string): 'deployed' | 'planned' | 'recorded' {
  if (isStackFile(given)) return 'planned';
  return given.endsWith('.json') ? 'recorded' : 'deployed';
}

async function toldAccess(given: string): Promise<Access> {
  if (given.endsWith('.json')) return recordedAccess(given);
  if (!statSync(given, { throwIfNoEntry: false })?.isFile())
    return deployedAccess({ name: given, cwd: process.cwd() });
  throw new UserError(
    `${given} does not contain access information.`,
    'Allowed: a file that `aks-wi access --json` or `pulumi preview --json --show-sames` wrote (.json), a stack file (.yaml), or the name of a deployed stack.',
  );
}

/**
 * Returns who could use what if the settings of a stack were deployed.
 * @param subscriptionId subscription to deploy to, if the settings do not name it
 */
export async function accessBySettings(stack: string, subscriptionId?: string): Promise<Access> {
  const project = findProject(process.cwd());
  const [access] = await dryRun([requestOf({ project, ...readStack(project, stack) }, subscriptionId)]);
  if (access === undefined) throw new Error('there is no answer');
  return access;
}

/** Reads a stack file; its release files are in the nearest project above it. */
function stackFileAt(given: string): StackFile & { project: string } {
  const project = findProject(path.dirname(path.resolve(given)));
  return { project, ...readStackFile(project, { given, from: process.cwd() }) };
}

function requestOf(
  { project, stack, file, text }: StackFile & { project: string },
  subscriptionId?: string,
): DryRunRequest {
  return { project, environment: stack, file, text, subscriptionId };
}

function recordedAccess(given: string): Access {
  const file = path.relative(process.cwd(), path.resolve(given));
  if (!existsSync(given)) {
    throw new UserError(
      `There is no file ${file}.`,
      `Write it with \`aks-wi access --stack NAME --json > ${file}\`.`,
    );
  }
  const text = readFileSync(given, 'utf8');
  if (isPreview(text)) return previewedAccess(text, file);
  const parsed = recorded.safeParse(parsedJson(text));
  if (parsed.success) return parsed.data;
  throw new UserError(
    `${file} does not say who can use what: ${z.prettifyError(parsed.error).split('\n')[0] ?? ''}.`,
    `Write it again with \`aks-wi access --stack NAME --json > ${file}\`.`,
  );
}
