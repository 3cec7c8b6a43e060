import { Command } from 'commander';
import type { RefusedPromotion } from './promotion';
import type { PlacedProblem, StackFileCheck } from '../../stacks/stackFile';
import type { ReadFile } from '../../stacks/settings/projectFiles';
import { checkStackFile, formatPlaced } from '../../stacks/stackFile';
import { missingRoles } from './missingRoles';
import { planPromotion } from './promotion';
import { projectFiles } from '../../stacks/settings/projectFiles';
import type { Report } from '../../verification/report';
import { example } from '../example';
import { findProject, readStack, type StackFile } from '../project';
import { renderDiff, writeAll } from './files';
import { deployCommand } from '../verify/hint';
import { deployedRefusals } from './deployed';
import { readStackOutputs } from '../stackOutputs';
import { timeoutOption } from '../verify/command';
import { verifyDeployed } from '../verify/run';
import { UserError } from '../userError';
import { confirmed, withChangeFlags, type ChangeFlags } from '../change';
import { shownInLine } from '../shownOnTerminal';
import { print, printNote, printProblem } from '../print';
import { inJson } from '../json';

export interface PromoteFlags extends ChangeFlags {
  from: string;
  to: string;
  application?: string[];
  hostedCluster?: string[];
  timeout: number;
}

export function promoteCommand(): Command {
  return withChangeFlags(new Command('promote'))
    .requiredOption('--from <stack>', 'stack that runs the releases')
    .requiredOption('--to <stack>', 'stack to promote them to')
    .option('--application <names...>', 'application (several are allowed; default: all with a release file)')
    .option(
      '--hosted-cluster <names...>',
      'hosted cluster (several are allowed; default: all with a release file)',
    )
    .option(
      '--json',
      'print JSON: {"promoted":[{"name","file","before","version"}],"diff","notes":[…]}',
      false,
    )
    .addOption(timeoutOption())
    .addHelpText(
      'after',
      '\nWithout --application and --hosted-cluster, all that have a release file are promoted. The change is printed as a diff\nand written to the release files; `pulumi up` of the other stack deploys it.',
    )
    .addHelpText('after', example('promote --from dev --to prod --dry-run'))
    .action((flags: PromoteFlags) => promote(flags));
}

/** Promotes releases. Everything is read and checked before anything is written. */
export async function promote({ from, to, timeout, ...only }: PromoteFlags): Promise<void> {
  const { json = false } = only;
  if (from === to) {
    throw new UserError(`--from and --to are both ${from}.`, 'Name two different stacks.');
  }
  const project = findProject(process.cwd());
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
    { applications: only.application, hostedClusters: only.hostedCluster },
    readFile,
  );
  refuse(refusals);
  const changes = promoted.filter(({ text, newText }) => text !== newText);
  if (changes.length === 0) {
    const versions = promoted.map(({ name, version }) => `${name} ${version}`).join(', ');
    printNote(`${to} already has the releases of ${from}: ${versions}.\n`);
    if (json) print(inJson({ promoted: [], diff: '', notes: [] }));
    return;
  }
  const texts = new Map(changes.map(({ file, newText }) => [file, newText]));
  const promotedTo = check(target, (file) => texts.get(file) ?? readFile(file));
  if (promotedTo.configuration === undefined) {
    throw invalid(target, promotedTo.problems, 'with the new releases is');
  }

  const deployed = { name: from, cwd: project };
  const outputs = await readStackOutputs(deployed);
  refuse(deployedRefusals(from, changes, configuration, outputs));
  const { report } = await verifyDeployed(deployed, outputs, { timeoutSeconds: timeout, quiet: json });
  refuseUnverified(from, report);

  const diff = renderDiff(changes);
  const names = changes.filter(({ list }) => list === 'applications').map(({ name }) => name);
  const notes = missingRoles(configuration, promotedTo.configuration, names);
  const promotions = changes.map(({ name, file, before, version }) => ({ name, file, before, version }));
  print(json ? inJson({ promoted: promotions, diff, notes }) : diff);
  if (!json) for (const note of notes) printProblem(`! ${shownInLine(note)}\n`);
  const edited = [...new Set(changes.map(({ file }) => file))].join(', ');
  if (!(await confirmed(only, 'written', `${edited} would be changed`))) return;
  writeAll(project, changes);
  const written = changes.map(({ name, before, version }) =>
    before === undefined ? `${to}: ${name} ${version}` : `${to}: ${name} ${before} → ${version}`,
  );
  printNote(
    `${written.join('\n')}\nReview and commit it, then deploy it with ${deployCommand(to, promotedTo.configuration.cells)}.\n`,
  );
}

function invalid({ file }: StackFile, problems: readonly PlacedProblem[], when: string): UserError {
  const lines = problems.map((problem) => `  ${formatPlaced(problem)}`);
  return new UserError(
    `${file} ${when} not valid; nothing was written.\n${lines.join('\n')}`,
    'Correct these problems first.',
  );
}

function refuseUnverified(stack: string, { checks, passed, failed }: Report): void {
  if (failed === 0) return;
  const failures = checks
    .filter(({ ok }) => !ok)
    .map(({ cluster, application, check, detail }) => `  ${cluster}/${application}: ${check}: ${detail}`);
  throw new UserError(
    `The verification of ${stack} failed: ${failed} of ${failed + passed} checks failed; nothing was written.\n${failures.join('\n')}`,
    `Fix the failed checks; \`aks-wi verify --stack ${stack}\` shows the details.`,
  );
}

function refuse(refusals: readonly RefusedPromotion[]): void {
  const [first, ...others] = refusals;
  if (first === undefined) return;
  if (others.length === 0) throw new UserError(`${first.what} Nothing was written.`, first.hint);
  const lines = refusals.map(({ what, hint }) => `  ${what} ${hint}`);
  throw new UserError(
    `The promotion is refused for ${refusals.length} reasons; nothing was written.\n${lines.join('\n')}`,
  );
}
