import path from 'node:path';
import pLimit from 'p-limit';
import { Command, Option } from 'commander';
import { createAzureReader, type AzureReader } from '../azureReader';
import { ambientSubscription, stackCloud } from '../azureTarget';
import { createGraphReader, type GraphReader } from '../graphReader';
import { example } from '../example';
import { findProject } from '../project';
import type { PulumiStack } from '../pulumi';
import { settingsFile } from '../settingsFile';
import { stackFileOption } from '../stackFileOption';
import { UserError } from '../userError';
import { confirmed, withChangeFlags, type ChangeFlags } from '../change';
import { importAll, preview, type Planned } from './engine';
import { findInAzure, refuseDeleted, type ExistingResource } from './find';
import { nameInUrn } from '../preview';
import { candidatesOf, type Candidate } from './candidates';
import { renderFound, renderNext } from './report';
import { recordAliases } from './stackFile';
import { print, printNote } from '../print';
import { inJson } from '../json';
import { ownVariables } from '../../stacks/settings/ownVariables';

interface ImportFlags extends ChangeFlags {
  stack: string;
  json: boolean;
  file?: string;
  configFile?: string;
}

export function importCommand(): Command {
  return withChangeFlags(new Command('import'))
    .requiredOption('--stack <name>', 'name of the stack')
    .option('--json', 'print JSON: {"imported":[{"urn","id"}]}; with --dry-run, {"wouldImport":[…]}', false)
    .addOption(
      stackFileOption('records names; default: Pulumi.<stack>.yaml; for a cell, that of its environment').env(
        ownVariables.stackFile,
      ),
    )
    .addOption(
      new Option(
        '--config-file <file>',
        'configuration file that pulumi reads (default: the stack file)',
      ).env(ownVariables.configFile),
    )
    .addHelpText('after', example('import --stack prod --dry-run'))
    .action((flags: ImportFlags) => importExisting(flags));
}

/** Concurrent requests to Azure, which limits reads per second. */
const readsAtOnce = 8;

async function importExisting(flags: ImportFlags): Promise<void> {
  const project = findProject(process.cwd());
  // Pulumi also accepts a name with organization and project.
  const shortName = path.posix.basename(flags.stack);
  const stackFile = path.resolve(flags.file ?? path.join(project, `Pulumi.${shortName}.yaml`));
  const configFile = flags.configFile ?? (flags.file === undefined ? undefined : stackFile);
  const stack: PulumiStack = { name: flags.stack, cwd: project, configFile };
  const files = new Set([stackFile, path.resolve(configFile ?? stackFile)].map(settingsFile));
  const cloud = await stackCloud(stack, process.env);
  const azure = createAzureReader(cloud, process.env);
  const graph = createGraphReader(cloud, process.env);
  const subscription = await ambientSubscription(stack, process.env);
  const recorded = new Set<string>();
  const imported: ExistingResource[] = [];
  for (;;) {
    const planned = await preview(stack);
    const existing = await findAll(azure, graph, candidatesOf(planned.steps, subscription));
    refuseDeleted(existing, planned.steps);
    if (existing.length === 0) {
      print(
        flags.json
          ? inJson(flags.dryRun ? { wouldImport: [] } : { imported: imported.map(plain) })
          : summary(stack.name, imported.length, planned),
      );
      return;
    }
    if (!flags.json) print(renderFound(existing));
    else if (!flags.yes || flags.dryRun) print(inJson({ wouldImport: existing.map(plain) }));
    if (flags.dryRun)
      printNote('Grants and federated credentials may be found only once these are in the stack.\n');
    const warning = `these ${existing.length} resources may belong to another stack, so a person must confirm that they do not`;
    if (!(await confirmed(flags, 'imported', warning))) return;
    const named = existing.filter(({ alias }) => alias === undefined);
    const renamed = existing.filter(({ alias }) => alias !== undefined);
    const unread = renamed.find(({ urn }) => recorded.has(urn));
    if (unread !== undefined) {
      throw new UserError(
        `${nameInUrn(unread.urn)} was recorded under \`imported\` in ${[...files].join(' and ')}, but pulumi does not read that file.`,
        'Name the file that pulumi reads with --config-file.',
      );
    }
    // The next round imports these, under the names that are recorded now.
    if (renamed.length > 0) for (const file of files) recordAliases(file, renamed);
    for (const { urn } of renamed) recorded.add(urn);
    if (named.length > 0) await importAll(stack, named, planned);
    imported.push(...named);
  }
}

const plain = ({ urn, id }: ExistingResource) => ({ urn, id });

/** Returns the existing resources among those that the next update would create, in the order of the preview. */
async function findAll(
  azure: AzureReader,
  graph: GraphReader,
  candidates: readonly Candidate[],
): Promise<ExistingResource[]> {
  const limited = pLimit(readsAtOnce);
  const existing = await Promise.all(
    candidates.map((candidate) => limited(() => findInAzure(azure, graph, candidate))),
  );
  return existing.filter((resource) => resource !== undefined);
}

function summary(stack: string, imported: number, { steps }: Planned): string {
  if (imported === 0) return 'None of the resources that the next update would create exists yet.\n';
  return `${imported} resources are now in the stack.\n${renderNext(stack, steps)}Values of secrets are never read: the next update writes those of the stack file.\n`;
}
