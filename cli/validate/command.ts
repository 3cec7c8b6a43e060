import { Command } from 'commander';
import type { StackFileCheck } from '../../stacks/stackFile';
import { checkStackFile, formatPlaced } from '../../stacks/stackFile';
import { projectFiles } from '../../stacks/settings/projectFiles';
import { summarizeConfiguration } from '../../stacks/plan/summary';
import type { ConfigurationSummary } from '../../stacks/plan/summary';
import { example } from '../example';
import { findProject, listStacks, readStack, readStackFile, type StackFile } from '../project';
import { shownInLine } from '../shownOnTerminal';
import { stackFileOption } from '../stackFileOption';
import { UserError } from '../userError';
import { renderSummary } from './summary';
import { print, printNote, printProblem } from '../print';
import { inJson } from '../json';
import { exitCodes } from '../exitCodes';

interface ValidateFlags {
  stack?: string;
  file?: string;
  json: boolean;
}

/** Result for a stack file, as `validate --json` prints it. */
interface Result extends Pick<StackFileCheck, 'problems' | 'notes'> {
  stack: string;
  file: string;
  valid: boolean;
  /** Summary of what a valid file deploys. */
  plan?: ConfigurationSummary;
}

export function validateCommand(): Command {
  return new Command('validate')
    .option('--stack <name>', 'name of the stack (default: every stack of the project)')
    .addOption(stackFileOption('named Pulumi.<stack>.yaml, or used with --stack'))
    .option('--json', 'print JSON: {"valid":…,"stacks":[…]}', false)
    .addHelpText('after', example('validate --stack dev'))
    .action((flags: ValidateFlags) => {
      process.exitCode = validateFiles(flags);
    });
}

function validateFiles({ stack, file, json }: ValidateFlags): number {
  const project = findProject(process.cwd());
  const readFile = projectFiles(project);
  const results = chooseFiles({ stack, file }, project).map((chosen): Result => {
    const { configuration, problems, notes } = checkStackFile(
      { environment: chosen.stack, file: chosen.file, text: chosen.text },
      readFile,
    );
    return {
      stack: chosen.stack,
      file: chosen.file,
      valid: problems.length === 0,
      problems,
      notes,
      ...(configuration !== undefined && { plan: summarizeConfiguration(configuration) }),
    };
  });
  const valid = results.every((result) => result.valid);
  const code = exitCodes.validate[valid ? 'done' : 'failed'];
  if (json) {
    print(inJson({ valid, stacks: results }));
    return code;
  }
  for (const { file: name, problems, notes, plan } of results) {
    for (const problem of problems) printProblem(`${shownInLine(formatPlaced(problem))}\n`);
    for (const note of notes) printNote(`note: ${shownInLine(note)}\n`);
    if (plan !== undefined) print(`${name} is valid.\n${renderSummary(plan)}`);
  }
  return code;
}

function chooseFiles(
  { stack, file }: { stack?: string | undefined; file?: string | undefined },
  project: string,
): StackFile[] {
  if (file !== undefined) return [readStackFile(project, { filePath: file, from: process.cwd(), stack })];
  const names = stack === undefined ? [...listStacks(project).keys()].sort() : [stack];
  if (names.length === 0) {
    throw new UserError(
      'There is no Pulumi.<stack>.yaml in this project.',
      'Write one, or name a file with --file.',
    );
  }
  return names.map((name) => readStack(project, name));
}
