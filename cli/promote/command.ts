import { Command } from 'commander';
import type { Promoted, Refusal } from '../../stacks/promotion/promotion';
import type { PlacedProblem, ReadFile, StackFileCheck } from '../../stacks/offline';
import { checkStackFile, formatPlaced, planPromotion, projectFiles } from '../../stacks/offline';
import { summarize } from '../../verification/report';
import type { StackFile } from '../project';
import { findProject, readStack } from '../project';
import { renderDiff, writeAll } from './files';
import { deployedRefusals } from './deployed';
import { readStackOutputs } from '../stackOutputs';
import { timeoutOption } from '../verify/command';
import { remedyFor } from '../verify/remedy';
import type { Verified } from '../verify/run';
import { verifyDeployed } from '../verify/run';
import { VisibleError } from '../visibleError';

export interface PromoteFlags {
  from: string;
  to: string;
  application?: string[];
  dryRun: boolean;
  timeout: number;
}

export function promoteCommand(): Command {
  return new Command('promote')
    .description('give one environment the releases that another runs and that its verification proves')
    .requiredOption('--from <stack>', 'stack that has the releases, deployed and verified')
    .requiredOption('--to <stack>', 'stack that gets them')
    .option('--application <names...>', 'applications to promote (default: all with a release file)')
    .option('--dry-run', 'check everything and print the change, write nothing', false)
    .addOption(timeoutOption())
    .addHelpText(
      'after',
      '\nThe change is printed as a diff and written to the release files; `pulumi up` of the other stack deploys it.',
    )
    .action(async (flags: PromoteFlags) => {
      process.exitCode = await promote(flags, {
        cwd: process.cwd(),
        readOutputs: readStackOutputs,
        verify: verifyDeployed,
        stdout: (text) => void process.stdout.write(text),
        stderr: (text) => void process.stderr.write(text),
      });
    });
}

/** What a promotion asks and tells beside the files of the project. */
export interface PromoteSurroundings {
  /** The caller's folder. */
  cwd: string;
  readOutputs: typeof readStackOutputs;
  verify: typeof verifyDeployed;
  stdout: (text: string) => void;
  stderr: (text: string) => void;
}

/** Promotes, or throws why not. Everything is read and checked before anything is written. */
export async function promote(
  { from, to, application, dryRun, timeout }: PromoteFlags,
  { cwd, readOutputs, verify, stdout, stderr }: PromoteSurroundings,
): Promise<number> {
  if (from === to) {
    throw new VisibleError(`--from and --to are both ${from}.`, 'Name two stacks.');
  }
  const project = findProject(cwd);
  const source = readStack(project, from);
  const target = readStack(project, to);
  const readFile = projectFiles(project);
  const check = ({ stack, file, text }: StackFile, read: ReadFile): StackFileCheck =>
    checkStackFile({ environment: stack, file, text }, read);

  const { configuration, problems } = check(source, readFile);
  if (configuration === undefined) throw invalid(source, problems, 'is');
  const { promoted, refusals } = planPromotion(
    { name: from, ...source },
    { name: to, ...target },
    application ?? [],
    readFile,
  );
  refuse(refusals);
  const changes = promoted.filter(({ text, newText }) => text !== newText);
  if (changes.length === 0) {
    const versions = promoted.map((one) => `${one.application} ${one.version}`).join(', ');
    stderr(`${to} has what ${from} has already: ${versions}.\n`);
    return 0;
  }
  const texts = new Map(changes.map(({ file, newText }) => [file, newText]));
  const promotedTo = check(target, (file) => texts.get(file) ?? readFile(file));
  if (promotedTo.configuration === undefined) {
    throw invalid(target, promotedTo.problems, 'with the new releases is');
  }

  const outputs = await readOutputs(from, { cwd: project });
  refuse(deployedRefusals(from, changes, configuration, outputs));
  refuseUnverified(from, await verify(from, outputs, { timeoutSeconds: timeout, quiet: false }));

  stdout(renderDiff(changes));
  if (dryRun) {
    stderr('Nothing was written (--dry-run).\n');
    return 0;
  }
  writeAll(project, changes);
  stderr(`${changes.map((change) => told(change, to)).join('\n')}\n`);
  stderr(`Review and commit it, then deploy it with \`pulumi up --stack ${to}\`.\n`);
  return 0;
}

function invalid({ file }: StackFile, problems: readonly PlacedProblem[], when: string): VisibleError {
  const lines = problems.map((problem) => `  ${formatPlaced(problem)}`);
  return new VisibleError(
    `${file} ${when} not valid; nothing was written.\n${lines.join('\n')}`,
    'Correct that first.',
  );
}

function refuseUnverified(stack: string, { report, workloads }: Verified): void {
  if (report.failed === 0) return;
  const summaries = workloads.map(summarize);
  const failures = summaries.flatMap(({ failed }) =>
    failed.map((one) => `  ${one.cluster}/${one.application}: ${one.check}: ${one.detail}`),
  );
  throw new VisibleError(
    `The verification of ${stack} does not pass: ${report.failed} of ${report.failed + report.passed} checks failed; nothing was written.\n${failures.join('\n')}`,
    remedyFor(stack, summaries) ?? `Correct it; \`aks-wi verify --stack ${stack}\` tells more.`,
  );
}

function refuse(refusals: readonly Refusal[]): void {
  const [first, ...others] = refusals;
  if (first === undefined) return;
  if (others.length === 0) throw new VisibleError(`${first.what} Nothing was written.`, first.remedy);
  const lines = refusals.map(({ what, remedy }) => `  ${what} ${remedy}`);
  throw new VisibleError(
    `There are ${refusals.length} reasons against it; nothing was written.\n${lines.join('\n')}`,
  );
}

function told({ application, before, version }: Promoted, to: string): string {
  return `${to}: ${application} ${before === undefined ? version : `${before} → ${version}`}`;
}
