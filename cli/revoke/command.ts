import path from 'node:path';
import { Command } from 'commander';
import { createAzureReader } from '../azureReader';
import { createAzureRemover } from '../azureRemover';
import { stackCloud } from '../azureTarget';
import { example } from '../example';
import { findProject } from '../project';
import { renderDiff } from '../promote/files';
import { visibleLine, visibleText } from '../../components/resource/visibleText';
import type { PulumiStack } from '../pulumi';
import { readStackOutputs, type DeployedOutputs } from '../stackOutputs';
import { listsIn } from '../azureLists';
import { shownInLine } from '../shownOnTerminal';
import { stackFileOption } from '../stackFileOption';
import { UserError } from '../userError';
import { confirmed, withChangeFlags, type ChangeFlags } from '../change';
import { accessOf, removeAccess } from './access';
import type { Access } from './assignments';
import { notesOf, renderAccess, renderFailures } from './report';
import { markRevoked, writeMarked } from './stackFile';
import { targetsOf, type Revocation } from './targets';
import { print, printProblem } from '../print';
import { deployCommand, restoreCommand } from '../verify/hint';
import { inJson } from '../json';
import { ownVariables } from '../../stacks/settings/ownVariables';
import { exitCodes } from '../exitCodes';

interface RevokeFlags extends ChangeFlags {
  stack: string;
  application?: string;
  cluster?: string;
  identity?: string;
  reason?: string;
  file?: string;
  json: boolean;
}

export function revokeCommand(): Command {
  return withChangeFlags(new Command('revoke'))
    .requiredOption('--stack <name>', 'name of the stack')
    .option('--application <name>', 'application (on all its clusters)')
    .option('--cluster <name>', 'cluster (all identities of its applications and of its service operator)')
    .option('--identity <name>', 'identity (of applications, by its name in Azure)')
    .option('--reason <text>', 'reason (recorded in the stack file; default: the time)')
    .option(
      '--json',
      'print JSON: {"removed":[…],"failed":[…],"stackFile","notes":[…]}; with --dry-run, {"wouldRemove":[…],"failed":[…],"notes":[…]}',
      false,
    )
    .addOption(
      stackFileOption('records the revocation; default: Pulumi.<stack>.yaml').env(ownVariables.stackFile),
    )
    .addHelpText('after', example('revoke --stack prod --application orders --dry-run'))
    .action(revoke);
}

async function revoke(flags: RevokeFlags): Promise<void> {
  const revocation = revocationOf(flags);
  const { env } = process;
  const folder = findProject(process.cwd());
  const { stack, outputs } = await environmentOf({ name: flags.stack, cwd: folder });
  const marked = markRevoked(
    folder,
    {
      // Pulumi also accepts a name with organization and project.
      stack: path.posix.basename(stack.name),
      stackFile: flags.file,
      reason: flags.reason ?? `revoked on ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    },
    revocation,
  );
  const targets = targetsOf(outputs, revocation, marked.isRevoked);
  const cloud = await stackCloud(stack, env);
  const azure = createAzureReader(cloud, env);
  const lists = listsIn(() => Promise.resolve(cloud), env, azure);
  const { access, failures: unlisted, notes: incomplete } = await accessOf(outputs, targets, azure, lists);
  const { change, failure } = marked;
  const diff = change.text === change.newText || failure !== undefined ? '' : renderDiff([change]);
  const unread =
    outputs.isIncomplete === true
      ? ['The access in the unread cells stays. Run the command again when they can be read.']
      : [];
  const notes = [...unread, ...incomplete, ...marked.notes, ...notesOf(outputs, targets, revocation)];
  if (!flags.yes || flags.dryRun) {
    const failed = [...(failure === undefined ? [] : [failure]), ...unlisted];
    print(
      flags.json
        ? inJson({ wouldRemove: access.map(plain), failed, notes })
        : `${diff}${renderAccess(access, 'would be removed')}${renderFailures(failed)}${[...unread, ...marked.notes].map((note) => `! ${shownInLine(note)}\n`).join('')}`,
    );
    const effect =
      access.length === 0 ? 'there is no access to remove' : `the ${access.length} above would be removed`;
    const agreed = await confirmed(
      flags,
      'revoked',
      `${effect}${diff === '' ? '' : `, and ${change.file} changed`}`,
    );
    if (!agreed) return;
  }
  // The file comes first: otherwise, an update could restore the removed access.
  const unwritten = writeMarked(folder, marked);
  const { removed, failures: refused } = await removeAccess(access, createAzureRemover(cloud, env));
  const failed = [...unwritten, ...unlisted, ...refused];
  const stackFile = unwritten.length === 0 ? change.file : undefined;
  if (flags.json) {
    print(inJson({ removed: removed.map(plain), failed, stackFile, notes }));
  } else {
    const next = `Review and commit ${change.file}. ${nextSteps(stack.name, outputs)}`;
    print(
      [
        ...(stackFile === undefined ? [] : [diff || `${change.file} already has the entry.\n`]),
        renderAccess(removed, 'removed'),
        renderFailures(failed),
        `${removed.length} removed, ${failed.length} failed\n`,
        ...[...notes, ...(stackFile === undefined ? [] : [next])].map((note) => `! ${shownInLine(note)}\n`),
      ].join(''),
    );
  }
  if (failed.length > 0) process.exitCode = exitCodes.revoke.failed;
}

/** Returns the stack with its outputs; for a cell, its environment: a revocation applies to all cells. */
async function environmentOf(stack: PulumiStack): Promise<{ stack: PulumiStack; outputs: DeployedOutputs }> {
  const outputs = await readStackOutputs(stack);
  if (outputs.cell === undefined) return { stack, outputs };
  const name = path.posix.join(path.posix.dirname(stack.name), outputs.environment);
  printProblem(`${stack.name} is a cell: the revocation is of its environment ${name}, with all cells.\n`);
  const environment = { ...stack, name };
  return { stack: environment, outputs: await readStackOutputs(environment) };
}

/** Returns what to run after a revocation. */
function nextSteps(stack: string, { cells }: DeployedOutputs): string {
  const restore =
    cells === undefined ? restoreCommand(stack, cells) : '`pulumi up --refresh --stack <cell>` for each cell';
  return `${deployCommand(stack, cells)} updates the stack accordingly; to restore the access, remove the entry and run ${restore}.`;
}

function plain({ kind, identity, id, what }: Access) {
  return { kind, identity, id, what };
}

/** @throws UserError unless exactly one of the three options is set and the reason is valid */
function revocationOf({ application, cluster, identity, reason = 'any' }: RevokeFlags): Revocation {
  if (reason.length === 0 || reason.length > 500)
    throw new UserError(`--reason has ${reason.length} characters.`, 'Use 1 to 500 characters.');
  if (reason.trim() === '' || visibleLine(reason) !== reason)
    throw new UserError(
      `--reason is ${visibleText(JSON.stringify(reason))}.`,
      'Write it on one line, without hidden characters.',
    );
  const options = Object.entries({
    applications: application,
    clusters: cluster,
    identities: identity,
  }).flatMap(([kind, name]) => (name === undefined ? [] : [{ kind: kind as Revocation['kind'], name }]));
  const [only] = options;
  if (only !== undefined && options.length === 1) return only;
  throw new UserError(
    `${options.length === 0 ? 'None' : options.length} of --application, --cluster and --identity ${options.length === 0 ? 'is' : 'are'} set.`,
    'Set exactly one of them.',
  );
}
