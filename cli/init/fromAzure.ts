import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { currentCloud } from '../../components/azure/clouds';
import { projectFiles } from '../../stacks/settings/projectFiles';
import { checkStackFile, formatPlaced } from '../../stacks/stackFile';
import { ask, isAtTerminal } from '../ask';
import { createAzureReader, readService } from '../azureReader';
import { selectedSubscription } from '../azureTarget';
import { inJson } from '../json';
import { print, printNote } from '../print';
import { findProject } from '../project';
import { stackFileOption } from '../stackFileOption';
import { UserError } from '../userError';
import { stackFileText } from './fromAzureFile';
import { planFromAzure } from './fromAzurePlan';
import { askClusters, askFor } from './fromAzureQuestions';
import { chooseClusters, listClusters, readFound } from './fromAzureRead';
import { nextSteps, renderReport, type Report } from './fromAzureReport';
import { stackSchemaFile } from './schemaFile';

export interface FromAzureFlags {
  stack?: string;
  subscription?: string;
  resourceGroup: string[];
  cluster: string[];
  file?: string;
  dryRun: boolean;
  json: boolean;
}

const several = (value: string, previous: string[]) => [...previous, value];

export function withFromAzureOptions(command: Command): Command {
  return command
    .option('--stack <name>', 'name of the stack (a new one, such as prod)')
    .option(
      '--subscription <id>',
      'subscription (to read; default: ARM_SUBSCRIPTION_ID, or the one of `az account show`)',
    )
    .option(
      '--resource-group <name>',
      'resource group (whose clusters, vaults and identities to read; can be repeated; default: all)',
      several,
      [],
    )
    .option('--cluster <name>', 'cluster (to put into the file; can be repeated; default: all)', several, [])
    .addOption(stackFileOption('to write, which must not exist; default: Pulumi.<stack>.yaml'))
    .option('--dry-run', 'only show what would be changed', false)
    .option(
      '--json',
      'print JSON: {"file","written","text","problems":[…],"findings":[…],"next":[…]}; for a folder: {"folder","files":[{"path","state"}]}',
      false,
    );
}

/** Writes a stack file from what exists in a subscription, and reports what it does not express. It never overwrites a file. */
export async function initFromAzure(flags: FromAzureFlags): Promise<void> {
  const { resourceGroup: resourceGroups, cluster: names, dryRun, json } = flags;
  const project = findProject(process.cwd());
  const asking = json || !isAtTerminal() ? undefined : ask;
  const stack = validStack(
    flags.stack ?? (await askFor(asking, 'Name of the new stack', '--stack', undefined)),
  );
  const file = path.resolve(flags.file ?? path.join(project, `Pulumi.${stack}.yaml`));
  const shownFile = path.relative(process.cwd(), file);
  if (!dryRun && existsSync(file)) throw exists(shownFile);
  const subscription =
    flags.subscription ??
    (await askFor(
      asking,
      'Id of the subscription to read',
      '--subscription',
      await selectedSubscription(process.env, project),
    ));
  const place = { subscription, resourceGroups };
  const cloud = currentCloud(undefined, process.env);
  const sources = {
    azure: createAzureReader(cloud, process.env),
    manager: readService(cloud, process.env, 'resourceManager'),
  };
  const all = await listClusters(sources, place);
  const chosen =
    names.length === 0 && asking !== undefined
      ? await askClusters(asking, chooseClusters(all, [], place))
      : chooseClusters(all, names, place);
  const { settings, findings } = planFromAzure(await readFound(sources, place, all, chosen), stack);
  const text = stackFileText(settings, { subscription, file, schema: stackSchemaFile(project) });
  const { problems } = checkStackFile({ environment: stack, file: shownFile, text }, projectFiles(project));
  if (!dryRun) writeNew(file, shownFile, text);
  const report: Report = {
    ...{ file: shownFile, written: !dryRun, text, findings },
    problems: problems.map(formatPlaced),
    next: nextSteps({ stack, ...(flags.file !== undefined && { file: shownFile }) }),
  };
  print(json ? inJson(report) : `${dryRun ? `${text}\n` : ''}${renderReport(report, settings)}`);
  if (dryRun) printNote('Nothing was written (--dry-run).\n');
}

/** The engine's rule (pulumi pkg/backend, ValidateStackName), without the organization. */
function validStack(name: string): string {
  if (/^[\w.-]{1,100}$/.test(name)) return name;
  throw new UserError(
    `"${name}" is not a valid stack name.`,
    'Allowed: up to 100 letters, digits, dots, hyphens and underscores.',
  );
}

const exists = (file: string) =>
  new UserError(
    `${file} exists, and is not overwritten.`,
    'Name another stack with --stack, or another file with --file.',
  );

function writeNew(file: string, shownFile: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw exists(shownFile);
    throw new UserError(
      `${shownFile} cannot be written: ${(error as Error).message}.`,
      'Name a file in an existing folder with --file.',
    );
  }
}
