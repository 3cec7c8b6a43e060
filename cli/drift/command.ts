import { secretRecovery } from '../../verification/removal';
import path from 'node:path';
import { Command, Option } from 'commander';
import { stackFileOption } from '../stackFileOption';
import { findForeignAccess } from '../../verification/foreignAccess';
import { assignedIn } from '../../stacks/access/assigned';
import { clock } from '../../stacks/settings/clock';
import { holdersIn } from '../audit/changes';
import { ofEachCell } from '../cells';
import { readService } from '../azureReader';
import { stackCloud } from '../azureTarget';
import { deployedStack } from '../deployedAccess';
import { example } from '../example';
import { findProject } from '../project';
import type { PulumiStack } from '../pulumi';
import { readStackOutputs } from '../stackOutputs';
import { requireUnattended } from '../unattended';
import { listsIn } from '../azureLists';
import { restoreCommand } from '../verify/hint';
import { authorsOf } from './authors';
import { findDrifted, type Drifted } from './drifted';
import { driftInMarkdown } from './markdown';
import { renderDrift, type Drift, type DriftReport } from './report';
import { print } from '../print';
import { inJson } from '../json';
import { ownVariables } from '../../stacks/settings/ownVariables';
import { exitCodes } from '../exitCodes';

interface DriftFlags {
  stack: string;
  file?: string;
  json: boolean;
  markdown: boolean;
}

export function driftCommand(): Command {
  return new Command('drift')
    .requiredOption('--stack <name>', 'name of the stack')
    .addOption(stackFileOption().env(ownVariables.configFile))
    .option('--json', 'print JSON: {"stack","drift":[…],"notes":[…],"hint"}', false)
    .addOption(
      new Option('--markdown', 'print Markdown (a comment for an issue or a pull request)')
        .default(false)
        .conflicts('json'),
    )
    .addHelpText(
      'after',
      `\nExit code: 0 without drift, ${exitCodes.drift.found} with drift, 1 for an error.`,
    )
    .addHelpText('after', example('drift --stack prod'))
    .action(async ({ stack: name, file: configFile, json, markdown }: DriftFlags) => {
      const report = await driftOf({ name, configFile, cwd: findProject(process.cwd()) });
      const render = markdown ? driftInMarkdown : renderDrift;
      print(json ? inJson(report) : render(report));
      // It is 1 if a cell could not be read.
      if (report.drift.length > 0) process.exitCode ||= exitCodes.drift.found;
    });
}

async function driftOf(stack: PulumiStack): Promise<DriftReport> {
  const { env } = process;
  const now = clock(env);
  const outputs = await readStackOutputs(stack);
  requireUnattended(outputs.kubeconfigs);
  const cloud = await stackCloud(stack, env);
  const lists = listsIn(() => Promise.resolve(cloud), env);
  const [found, { foreign, notes }] = await Promise.all([
    findInAll(stack, outputs.cells ?? []),
    deployedStack(stack).then((deployed) => findForeignAccess(outputs, assignedIn(deployed), lists, now)),
  ]);
  const drifted = found.flatMap((stackDrift) => stackDrift.drifted);
  const unanswered = found.flatMap((stackDrift) => stackDrift.unanswered);
  const changes = [
    ...drifted.map((resource) => ({ ...resource, hint: recoveryOf(resource) })),
    // Changed role assignments of the stack are already among those above.
    ...foreign
      .filter(({ id }) => !drifted.some((resource) => resource.id.toLowerCase() === id?.toLowerCase()))
      .map((access) => ({ ...access, change: 'added' as const })),
  ];
  notes.unshift(...unanswered);
  const manager = readService(cloud, env, 'resourceManager');
  const authors = await authorsOf(manager, changes, now, (text) => notes.push(text));
  const holders = holdersIn(outputs);
  const drift = changes.map((change, index): Drift => {
    const { by = '', time } = authors[index] ?? {};
    return time === undefined
      ? change
      : { ...change, author: { by: holders.get(by.toLowerCase()) ?? by, time } };
  });
  const isOwn = drifted.length > 0;
  const hint = `${restoreCommand(stack.name, outputs.cells)} restores what was changed or deleted. To keep a change, add it to the stack file first.`;
  return { stack: stack.name, drift, notes, ...(isOwn && { hint }) };
}

/** Returns the drift of the stack and of its cells, whose configuration files are beside its own. */
async function findInAll(stack: PulumiStack, cells: readonly { readonly stack: string }[]) {
  const { configFile } = stack;
  const [own, { results }] = await Promise.all([
    findDrifted(stack),
    ofEachCell(stack, cells, (cell) =>
      findDrifted({
        ...cell,
        ...(configFile !== undefined && {
          configFile: path.join(path.dirname(configFile), `Pulumi.${cell.name}.yaml`),
        }),
      }),
    ),
  ]);
  return [own, ...results];
}

/**
 * Returns the step that must come first: a vault keeps the name of a deleted secret, and Azure keeps that of a deleted
 * vault.
 */
function recoveryOf({ change, type, id }: Drifted): string | undefined {
  if (change !== 'deleted') return undefined;
  const [vault = '', , secret = ''] = id.split('/').slice(-3);
  if (type === 'azure-native:keyvault:Secret')
    return `while it can be recovered: ${secretRecovery(vault, secret)}`;
  if (type === 'azure-native:keyvault:Vault')
    return `while it can be recovered: az keyvault recover --name ${secret}`;
  return undefined;
}
