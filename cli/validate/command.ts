import { Command } from 'commander';
import type { StackFileCheck } from '../../stacks/offline';
import { checkStackFile, formatPlaced, projectFiles, summarizeConfiguration } from '../../stacks/offline';
import type { ConfigurationSummary } from '../../stacks/plan/summary';
import type { StackFile } from '../project';
import { findProject, listStacks, readStack, readStackFile } from '../project';
import { VisibleError } from '../visibleError';
import { renderSummary } from './summary';

interface ValidateFlags {
  stack?: string;
  file?: string;
  json: boolean;
}

/** A checked file, and what it comes to if it is valid. */
interface Result {
  stack: string;
  file: string;
  check: StackFileCheck;
  plan?: ConfigurationSummary;
}

export function validateCommand(): Command {
  return new Command('validate')
    .description(
      'check stack files and the release files that they name, without Azure and without an engine',
    )
    .option(
      '--stack <name>',
      'stack whose Pulumi.<name>.yaml is checked (default: every stack of the project)',
    )
    .option('--file <file>', 'stack file that is checked, named Pulumi.<stack>.yaml, or with --stack')
    .option('--json', 'print {"valid":…,"stacks":[…]}', false)
    .action((flags: ValidateFlags) => {
      process.exitCode = validate(flags);
    });
}

function validate({ stack, file, json }: ValidateFlags): number {
  const project = findProject(process.cwd());
  const readFile = projectFiles(project);
  const files = chooseFiles({ stack, file }, project);
  const results = files.map(({ stack: environment, file: name, text }): Result => {
    const check = checkStackFile({ environment, file: name, text }, readFile);
    const { configuration } = check;
    return {
      stack: environment,
      file: name,
      check,
      ...(configuration !== undefined && { plan: summarizeConfiguration(configuration) }),
    };
  });
  const valid = results.every(({ check }) => check.problems.length === 0);
  if (json) {
    process.stdout.write(`${JSON.stringify({ valid, stacks: results.map(toJson) })}\n`);
    return valid ? 0 : 1;
  }
  for (const { file: name, check, plan } of results) {
    for (const problem of check.problems) process.stderr.write(`${formatPlaced(problem)}\n`);
    for (const note of check.notes) process.stderr.write(`note: ${note}\n`);
    if (plan !== undefined) process.stdout.write(`${name} is valid.\n${renderSummary(plan)}`);
  }
  return valid ? 0 : 1;
}

function chooseFiles({ stack, file }: Pick<ValidateFlags, 'stack' | 'file'>, project: string): StackFile[] {
  if (file !== undefined) return [readStackFile(project, { given: file, from: process.cwd(), stack })];
  const names = stack === undefined ? [...listStacks(project).keys()].sort() : [stack];
  if (names.length === 0) {
    throw new VisibleError(
      'There is no Pulumi.<stack>.yaml in this project.',
      'Write one, or name a file with --file.',
    );
  }
  return names.map((name) => readStack(project, name));
}

function toJson({ stack, file, check, plan }: Result): object {
  const { problems, notes } = check;
  return { stack, file, valid: problems.length === 0, problems, notes, ...(plan !== undefined && { plan }) };
}
