import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { currentCloud } from '../../components/azure/clouds';
import { readService } from '../azureReader';
import { selectedSubscription } from '../azureTarget';
import { capture } from '../capture';
import { confirmed, withChangeFlags, type ChangeFlags } from '../change';
import { newClusters } from '../doctor/quotas';
import { plannedBy } from '../doctor/stackFile';
import { resourceManagerToken } from '../doctor/workstation';
import { example } from '../example';
import { print, printNote, printProblem } from '../print';
import { findProject } from '../project';
import { UserError } from '../userError';
import { writeOut } from '../writeOut';
import { remove, runOnAzure, type Places } from './azureSide';
import { compareRecords } from './compare';
import { runLocally } from './localSide';
import { requireReady, validLocation } from './preflight';
import { Processes } from './processes';
import { refuseValues, renderReport } from './report';
import { forgetRun, keepRun, leftRuns, type KeptRun } from './runs';
import { stepRows, succeeded, type Side } from './side';
import { effectOf } from './effect';
import { groupOf, stackFileText } from './stackFile';
import { exitCodes } from '../exitCodes';

interface Flags extends ChangeFlags {
  location: string;
  folder: string;
  remove: boolean;
  local?: boolean;
}

export function azureRunCommand(): Command {
  return withChangeFlags(new Command('azure-run'))
    .option('--location <name>', 'region of Azure', 'westeurope')
    .option('--folder <folder>', 'where the state of the run and the report are kept', ownFolder)
    .option('--remove', 'only remove what killed runs left', false)
    .addHelpText('after', example('azure-run --location northeurope'))
    .action(azureRun);
}

async function subscriptionOf(cwd: string): Promise<string> {
  const subscription = await selectedSubscription(process.env, cwd);
  if (subscription !== undefined) return subscription;
  throw new UserError(
    'The subscription is unknown.',
    'Set ARM_SUBSCRIPTION_ID, or select one: `az login`, then `az account set --subscription ID`.',
  );
}

async function requirePulumi(cwd: string): Promise<void> {
  const { code } = await capture('pulumi', ['version'], { cwd });
  if (code !== 0)
    throw new UserError(
      'pulumi was not found on PATH.',
      'Install it (https://www.pulumi.com/docs/install/), and run the command again.',
    );
}

const codes = exitCodes['azure-run'];
const ownFolder = '.azure-run';

async function azureRun(flags: Flags): Promise<void> {
  const project = findProject(process.cwd());
  const places = { project, folder: path.resolve(flags.folder) };
  if (!flags.dryRun && !flags.remove) await requirePulumi(project);
  const left = leftRuns(places.folder);
  const id = randomBytes(4).toString('hex');
  const run: KeptRun = {
    ...{ id, pid: process.pid, location: validLocation(flags.location) },
    subscription: flags.remove ? '' : await subscriptionOf(project),
    passphrase: randomBytes(24).toString('base64url'),
  };
  if (flags.remove && left.length === 0) {
    print('No run left anything.\n');
    return;
  }
  if (flags.dryRun || !flags.yes)
    print(`${effectOf(flags.remove ? undefined : run, left, project).join('\n')}\n`);
  const [done, effect] = flags.remove
    ? ['removed', 'this would remove all of the above']
    : ['deployed', "this would do all of the above, at the subscription's cost"];
  if (!(await confirmed(flags, done, effect))) return;
  const processes = new Processes(() => {
    printProblem('Interrupted. What was created is removed first; do not stop this.\n');
  });
  try {
    for (const leftRun of left) {
      await removeAll(places, leftRun, processes, { left: true });
      print(`Removed: ${groupOf(leftRun)}.\n`);
    }
    if (!flags.remove && !processes.wasInterrupted())
      await compareClouds(places, run, { processes, rehearsal: flags.local === true });
    if (processes.wasInterrupted()) process.exitCode = codes.interrupted;
  } finally {
    processes.dispose();
  }
}

/** Removes everything of a run, and forgets it. A run that is not removed completely is kept. */
async function removeAll(
  places: Places,
  run: KeptRun,
  processes: Processes,
  options: { readonly left?: boolean } = {},
): Promise<void> {
  try {
    await remove(places, run, processes, options);
  } catch (error) {
    const folder = path.relative(process.cwd(), places.folder);
    const where = folder === ownFolder ? '' : ` --folder ${folder}`;
    printProblem(
      `Not everything of ${groupOf(run)} was removed. Remove the rest with \`npx aks-wi azure-run --remove${where}\`.\n`,
    );
    throw error;
  }
  forgetRun(places.folder, run);
  printNote(`Nothing of ${groupOf(run)} is left in Azure.\n`);
}

/** Deploys to Azure and writes what it answered. If that fails, everything is removed. */
async function azureSide(places: Places, run: KeptRun, processes: Processes): Promise<Side> {
  keepRun(places.folder, run);
  try {
    const side = await runOnAzure(places, run, processes);
    writeReport(places.folder, side, undefined);
    printNote(`What Azure answered is in ${path.join(places.folder, 'report.json')}.\n`);
    return side;
  } catch (error) {
    await removeAll(places, run, processes);
    throw error;
  }
}

/** Writes the report, and returns its Markdown and the number of differences. */
function writeReport(folder: string, azure: Side, local: Side | undefined) {
  const differences = local === undefined ? [] : compareRecords(azure.records, local.records);
  const report = {
    steps: [...stepRows('Azure', azure), ...(local === undefined ? [] : stepRows('local cloud', local))],
    ...{ differences, azure: azure.records, local: local?.records },
  };
  const texts = { md: renderReport(report), json: `${JSON.stringify(report, undefined, 2)}\n` };
  for (const [extension, text] of Object.entries(texts)) {
    refuseValues(text, [...azure.secrets, ...(local?.secrets ?? [])]);
    writeOut(path.join(folder, `report.${extension}`), text);
  }
  return { text: texts.md, differences: differences.length };
}

async function compareClouds(
  places: Places,
  run: KeptRun,
  options: { readonly processes: Processes; readonly rehearsal: boolean },
): Promise<void> {
  const { folder, project } = places;
  const cloud = currentCloud(undefined, process.env);
  const { environment: stack, ...stackFile } = stackFileText(run);
  const { configuration, types } = await plannedBy(project, { stack, ...stackFile });
  await requireReady(
    { ...run, types, clusters: newClusters(configuration, undefined) },
    () => resourceManagerToken(cloud, process.env),
    readService(cloud, process.env, 'resourceManager'),
  );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const azure = await azureSide(places, run, options.processes);
  // The record of Azure is what costs: it is compared even if the removal fails.
  const removal = await removeAll(places, run, options.processes).catch((error: unknown) => ({ error }));
  if (!options.processes.wasInterrupted()) await compare(places, run, azure, options);
  if (removal !== undefined) throw removal.error;
}

/** Repeats the run on the local cloud, and reports the differences. */
async function compare(
  places: Places,
  run: KeptRun,
  azure: Side,
  options: { readonly processes: Processes; readonly rehearsal: boolean },
): Promise<void> {
  const { folder } = places;
  const local = await runLocally(places, run, options);
  if (options.processes.wasInterrupted()) return;
  const { text, differences } = writeReport(folder, azure, local);
  print(text);
  printNote(`The report is in ${path.join(folder, 'report.md')} and report.json.\n`);
  if (!succeeded(azure) || !succeeded(local)) process.exitCode = codes.failed;
  else if (differences > 0) process.exitCode = codes.differences;
}
