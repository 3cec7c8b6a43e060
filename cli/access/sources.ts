import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Access } from '../../stacks/access/model';
import { accessOf, checkStackFile, formatPlaced, plannedAccess, projectFiles } from '../../stacks/offline';
import { parsedJson } from '../json';
import { findProject, readStack, readStackFile, type StackFile } from '../project';
import { readStackOutputs } from '../stackOutputs';
import { VisibleError } from '../visibleError';

const entry = z.strictObject({
  cluster: z.string(),
  reader: z.string(),
  serviceAccounts: z.array(z.string()),
  identities: z.array(z.string()),
  because: z.string(),
  atTimes: z.string().optional(),
  overreach: z.boolean(),
});

const recorded = z.strictObject({
  environment: z.string(),
  entries: z.array(
    z.union([
      entry.extend({ vault: z.string(), secret: z.string() }),
      entry.extend({ role: z.string(), scope: z.string() }),
    ]),
  ),
});

/**
 * Who can read what, by the name of where it is told.
 * @param given a file that `aks-wi access --json` wrote, a stack file, or the name of a deployed stack
 */
export async function accessBy(given: string): Promise<Access> {
  if (given.endsWith('.json')) return recordedAccess(given);
  if (/\.ya?ml$/.test(given)) {
    const project = findProject(process.cwd());
    return settledAccess(project, readStackFile(project, { given, from: process.cwd() }));
  }
  if (!statSync(given, { throwIfNoEntry: false })?.isFile()) return deployedAccess(given);
  throw new VisibleError(
    `${given} does not say who can read what.`,
    'Allowed: a file that `aks-wi access --json` wrote (.json), a stack file (.yaml), or the name of a deployed stack.',
  );
}

/** Who can read what in a deployed stack. */
export async function deployedAccess(stack: string): Promise<Access> {
  return accessOf(await readStackOutputs({ name: stack, cwd: process.cwd() }));
}

/** Who could read what if the settings of a stack were deployed. */
export function accessBySettings(stack: string): Access {
  const project = findProject(process.cwd());
  return settledAccess(project, readStack(project, stack));
}

function settledAccess(project: string, { stack, file, text }: StackFile): Access {
  const { configuration, problems } = checkStackFile(
    { environment: stack, file, text },
    projectFiles(project),
  );
  if (configuration !== undefined) return accessOf(plannedAccess(configuration));
  throw new VisibleError(
    `${file} is not valid.\n${problems.map(formatPlaced).join('\n')}`,
    'Correct it first.',
  );
}

function recordedAccess(given: string): Access {
  const file = path.relative(process.cwd(), path.resolve(given));
  if (!existsSync(given)) {
    throw new VisibleError(
      `There is no file ${file}.`,
      `Write it with \`aks-wi access --stack NAME --json > ${file}\`.`,
    );
  }
  const parsed = recorded.safeParse(parsedJson(readFileSync(given, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new VisibleError(
    `${file} does not say who can read what: ${z.prettifyError(parsed.error).split('\n')[0] ?? ''}.`,
    `Write it again with \`aks-wi access --stack NAME --json > ${file}\`.`,
  );
}
