import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { accessDifference } from '../../../stacks/access/difference';
import type { Access } from '../../../stacks/access/reach';
import { ids } from '../../../stacks/dryRun/azure';
import type { DryRunAnswer, DryRunRequest } from '../../../stacks/dryRun/request';
import { project } from '../../../stacks/settings/problem';
import { projectRoot } from '../../support/command';
import type { Settings } from './change';

/** What the comparison tells of a change, in the words that a reviewer reads. */
export interface Row {
  readonly kind: string;
  readonly who: string;
  readonly what: string;
  readonly why: string;
}

/** Two stack files of an environment. */
export interface Pair {
  readonly environment: string;
  readonly before: Settings;
  readonly after: Settings;
}

/** Compares pairs of stack files as the command does. Each file is run once, all in one process, at that time. */
export function compareAll(pairs: readonly Pair[], now: string): Row[][] {
  const requests = new Map<string, DryRunRequest>();
  const keyOf = (environment: string, settings: Settings) => JSON.stringify([environment, settings]);
  for (const { environment, before, after } of pairs)
    for (const settings of [before, after])
      requests.set(keyOf(environment, settings), {
        ...{ project: projectRoot, environment, file: `Pulumi.${environment}.yaml` },
        text: textOf(settings),
      });
  const answers = answersTo([...requests.values()], now);
  const known = new Map([...requests.keys()].map((key, index) => [key, accessIn(answers[index])]));
  return pairs.map(({ environment, before, after }) => {
    const [was, is] = [before, after].map((access) => known.get(keyOf(environment, access)));
    if (was === undefined || is === undefined) throw new Error('a side was not run');
    return rowsOf(was, is);
  });
}

function accessIn(answer: DryRunAnswer | undefined): Access {
  if (answer !== undefined && 'access' in answer) return answer.access;
  const problems = answer !== undefined && 'problems' in answer ? answer.problems : [];
  throw new Error(problems.map(({ message }) => message).join('\n') || 'there is no answer');
}

function rowsOf(before: Access, after: Access): Row[] {
  const shown = (text: string) => text.replaceAll('{subscription}', ids.subscription);
  return accessDifference(before, after).changes.flatMap(({ kind, who, what, why }) =>
    what.map((thing) => ({ kind, who: shown(who.join(', ')), what: shown(thing), why: shown(why) })),
  );
}

/** The settings as a stack file, with its values encrypted. In JSON, no value is ambiguous. */
function textOf(settings: Settings): string {
  const encrypted = (values: unknown) =>
    Object.fromEntries(
      Object.entries(values ?? {}).map(([name, value]) => [name, { secure: `v1:${name}:${String(value)}` }]),
    );
  const all = Object.entries(settings).map(([key, value]) => [
    `${project}:${key}`,
    ['secretValues', 'kubeconfigs'].includes(key) ? encrypted(value) : value,
  ]);
  return JSON.stringify({ config: Object.fromEntries(all) as object });
}

function answersTo(requests: readonly DryRunRequest[], now: string): DryRunAnswer[] {
  const program = path.join(projectRoot, 'dist', 'dry-run.cjs');
  const reported = execFileSync(process.execPath, ['--max-semi-space-size=64', program], {
    ...{ input: JSON.stringify(requests), encoding: 'utf8', maxBuffer: Infinity },
    // The program says of some settings that they are not recommended.
    ...{ stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, AKS_WI_NOW: now } },
  });
  return JSON.parse(reported) as DryRunAnswer[];
}
