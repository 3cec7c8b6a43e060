import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import pLimit from 'p-limit';
import { Command, Option } from 'commander';
import { findProject } from '../project';
import { VisibleError } from '../visibleError';
import { createAzureReader, type AzureReader } from '../azureReader';
import { preview, takeIn, type EngineStack } from './engine';
import { refuseDeleted } from './deleted';
import { find, type Finding } from './find';
import { needsSecretProvider, type ImportedResource } from './importFile';
import type { Difference } from './inputs';
import { candidatesOf, nameOf, type Candidate, type Preview } from './preview';
import { renderDifferences, renderFound, renderRest, type Found } from './report';
import { recordAliases, type Alias } from './stackFile';
import { ambientSubscription } from './subscription';

interface ImportFlags {
  stack: string;
  dryRun: boolean;
  yes: boolean;
  stackFile?: string;
  configFile?: string;
}

export function importCommand(): Command {
  return new Command('import')
    .description(
      'take what exists in Azure already into the stack, so that the next update makes none of it again and replaces nothing; Azure is only read',
    )
    .requiredOption('--stack <name>', 'stack that takes it in')
    .option('--dry-run', 'only show what would be taken in', false)
    .option('--yes', 'take it in without asking', false)
    .addOption(
      new Option(
        '--stack-file <file>',
        'file with the configuration, in which names are recorded (default: Pulumi.<stack>.yaml)',
      ).env('AKS_WI_STACK_FILE'),
    )
    .addOption(
      new Option('--config-file <file>', 'file that pulumi reads, if it is another').env(
        'AKS_WI_CONFIG_FILE',
      ),
    )
    .action((flags: ImportFlags) => importExisting(flags));
}

/** Requests to Azure at a time: reads are limited by the second. */
const parallel = 8;

async function importExisting(flags: ImportFlags): Promise<void> {
  const { dryRun, yes } = flags;
  const project = findProject(process.cwd());
  const stackFile = path.resolve(flags.stackFile ?? path.join(project, `Pulumi.${flags.stack}.yaml`));
  const configFile = flags.configFile ?? (flags.stackFile === undefined ? undefined : stackFile);
  const stack: EngineStack = { name: flags.stack, cwd: project, configFile };
  const files = [...new Set([stackFile, path.resolve(configFile ?? stackFile)])];
  const azure = createAzureReader(process.env);
  const recorded = new Set<string>();
  const differences = new Map<string, readonly Difference[]>();
  let subscription: string | undefined;
  let taken = 0;
  for (;;) {
    const planned = await preview(stack);
    subscription ??= await ambientSubscription(planned, process.env);
    const candidates = candidatesOf(planned, subscription);
    const found = await findAll(azure, candidates, planned);
    if (found.length === 0) {
      process.stdout.write(summary(taken, differences, planned));
      return;
    }
    process.stdout.write(renderFound(found));
    if (dryRun) {
      process.stdout.write(
        'Nothing was changed. What hangs on these (grants, trust) is found only when they are in the stack.\n',
      );
      return;
    }
    if (!yes) await confirm(found.length, flags.stack);
    const aliases = found.flatMap(({ create, finding }): Alias[] =>
      finding.kind === 'alias' ? [{ as: finding.as, inStack: create.name, inAzure: finding.name }] : [],
    );
    record(files, aliases, recorded);
    const imports = found.flatMap(({ create, finding }): ImportedResource[] =>
      finding.kind === 'exists' ? [{ create, id: finding.id }] : [],
    );
    if (imports.length === 0) continue;
    for (const [urn, list] of await takeIn(stack, imports, planned)) differences.set(urn, list);
    taken += imports.length;
  }
}

/** Everything that exists of what the next update would make. */
async function findAll(
  azure: AzureReader,
  candidates: readonly Candidate[],
  planned: Preview,
): Promise<Found[]> {
  const limited = pLimit(parallel);
  const findings = await Promise.all(
    candidates.map(async (candidate) => ({
      create: candidate.create,
      finding: await limited(() => find(azure, candidate)),
    })),
  );
  // In the order of the preview: a group before what is in it.
  const found = findings.filter(isFound);
  const blocked = found.filter(({ create }) => needsSecretProvider(create, planned));
  if (blocked.length > 0) {
    const providers = [...new Set(blocked.map(({ create }) => nameOf(create.provider ?? '')))];
    throw new VisibleError(
      `${blocked.length} resources are reached through ${providers.join(', ')}, whose sign-in is in the configuration as a secret.`,
      'Sign in by variables (ARM_CLIENT_SECRET and the like) instead of azure-native:… for this command.',
    );
  }
  refuseDeleted(found, planned);
  return found;
}

function isFound(one: { create: Found['create']; finding: Finding }): one is Found {
  return one.finding.kind === 'exists' || one.finding.kind === 'alias';
}

function record(files: readonly string[], aliases: readonly Alias[], recorded: Set<string>): void {
  const again = aliases.find(({ as, inStack }) => recorded.has(`${as}/${inStack}`));
  if (again !== undefined) {
    throw new VisibleError(
      `${again.inStack} was recorded under \`imported\` in ${files.join(' and ')}, and pulumi does not see it.`,
      'Name the file that pulumi reads with --config-file.',
    );
  }
  for (const file of aliases.length === 0 ? [] : files) recordAliases(file, aliases);
  for (const { as, inStack } of aliases) recorded.add(`${as}/${inStack}`);
}

function summary(
  taken: number,
  differences: ReadonlyMap<string, readonly Difference[]>,
  planned: Preview,
): string {
  return [
    taken === 0
      ? 'Nothing that the next update would make exists already.\n'
      : `${taken} resources are in the stack now.\n`,
    renderDifferences(differences),
    renderRest(planned),
    taken === 0 ? '' : 'Values of secrets are never read: the next update writes those of the stack file.\n',
  ].join('');
}

async function confirm(count: number, stack: string): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new VisibleError(
      `Whether these ${count} resources belong to another stack cannot be known, so somebody has to say that they do not.`,
      'Read the list, and run the command again with --yes.',
    );
  }
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await prompt.question(
      `Take these ${count} over into stack ${stack}? No other stack may have them. [y/N] `,
    );
    if (!/^y(es)?$/i.test(answer.trim())) throw new VisibleError('Nothing was taken in.');
  } finally {
    prompt.close();
  }
}
