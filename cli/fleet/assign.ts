import { Command } from 'commander';
import * as z from 'zod';
import { fieldsOf } from '../../components/resource/fields';
import { project as namespace } from '../../stacks/settings/problem';
import { projectFiles } from '../../stacks/settings/projectFiles';
import { readYaml } from '../../stacks/settings/yamlPlaces';
import { checkStackFile, formatPlaced } from '../../stacks/stackFile';
import { asProgram } from '../../stacks/stackFileInput';
import { example } from '../example';
import { inJson } from '../json';
import { print, printNote } from '../print';
import { chosenStackFile, findProject, type StackFile } from '../project';
import { renderDiff, writeAll, type FileChange } from '../promote/files';
import { removeFormerCell } from '../stacksOfCells';
import { stackFileOption } from '../stackFileOption';
import { UserError } from '../userError';
import { assignClusters, type CellEntry, type CellSizes, type ClusterEntry } from './assignment';
import { withCells } from './cellsInFile';
import { integer } from './integer';
import { amount } from './words';

interface AssignFlags extends CellSizes {
  stack: string;
  file?: string;
  dryRun: boolean;
  json: boolean;
}

export function assignCommand(): Command {
  return new Command('assign')
    .description(
      'write `cells` into the stack file of an environment: clusters without a cell get one, and a cluster never moves to another',
    )
    .requiredOption('--stack <name>', 'name of the stack (of the environment)')
    .addOption(stackFileOption())
    .requiredOption('--size <n>', 'most clusters of a cell', integer)
    .option('--canary <n>', 'most clusters of the first cell, `canary`, which is the first wave', integer, 1)
    .option('--dry-run', 'only show what would be changed', false)
    .option('--json', 'print JSON: {"cells":[{"name","wave","clusters"}],"changed"}', false)
    .addHelpText('after', example('fleet assign --stack prod --size 10 --dry-run'))
    .action(assign);
}

function assign({ stack, file: chosen, dryRun, json, ...sizes }: AssignFlags): void {
  const project = findProject(process.cwd());
  const stackFile = chosenStackFile(project, stack, chosen);
  const { clusters, cells: before, key } = entriesIn(stackFile, project);
  const cells = assignClusters(clusters, before, sizes);
  const { file, text } = stackFile;
  const change: FileChange = { file, text, newText: withCells(text, ['config', key], cells) };
  const changed = change.newText !== text;
  assertValid({ ...stackFile, text: change.newText }, project);
  if (changed && !dryRun) writeAll(project, [change]);
  if (json) print(inJson({ cells, changed }));
  else
    print(
      changed ? (dryRun ? renderDiff([change]) : summary(file, before, cells)) : `${file} is unchanged.\n`,
    );
  if (changed && dryRun) printNote('Nothing was written (--dry-run).\n');
  const gone = before.filter(({ name }) => !cells.some((cell) => cell.name === name));
  const first = before.filter(({ wave }) => wave === 1);
  if (first.length > 0 && first.every((cell) => gone.includes(cell)))
    printNote(
      `No cell of wave 1 is left, so the other waves moved up. Wave 1 is now ${cells
        .filter(({ wave }) => wave === 1)
        .map(({ name }) => name)
        .join(', ')}. Give a small cell \`wave: 1\`.\n`,
    );
  for (const { name } of gone)
    printNote(
      `The cell ${name} has no cluster any more. If it is deployed: ${removeFormerCell(stack, `${stack}-${name}`)}\n`,
    );
}

const labels = z.record(z.string(), z.string());
const clusterEntries = z.array(z.looseObject({ name: z.string(), labels: labels.optional() })).min(1);
const cellEntries = z.array(
  z.looseObject({
    name: z.string(),
    wave: z.number().int().default(1),
    clusters: z.union([z.array(z.string()), z.looseObject({ labels })]),
  }),
);

/**
 * Returns the clusters and the cells in the file, and the key of the cells. The file need not be valid: it is not while a
 * cluster has no cell.
 */
function entriesIn(
  stackFile: StackFile,
  project: string,
): { clusters: readonly ClusterEntry[]; cells: readonly CellEntry[]; key: string } {
  const { stack, text, file } = stackFile;
  const config = fieldsOf(fieldsOf(readYaml(text).content).config);
  const { input } = asProgram(config);
  if (typeof input.cellOf === 'string')
    throw new UserError(
      `Stack ${stack} is a cell of ${input.cellOf}.`,
      `Name its environment: --stack ${input.cellOf}.`,
    );
  const clusters = clusterEntries.safeParse(input.clusters);
  const cells = cellEntries.safeParse(input.cells ?? []);
  if (!clusters.success || !cells.success) {
    assertValid(stackFile, project);
    throw new UserError(`${file} has no list of clusters that can be read.`, 'Write `clusters` as a list.');
  }
  const key = Object.hasOwn(config, 'cells') ? 'cells' : `${namespace}:cells`;
  return { clusters: clusters.data, cells: cells.data, key };
}

/** @throws UserError if the file, as it is or would be, is not valid */
function assertValid({ stack, file, text }: StackFile, project: string): void {
  const { problems } = checkStackFile({ environment: stack, file, text }, projectFiles(project));
  if (problems.length > 0)
    throw new UserError(
      `${file} is not valid, so no cells were written.\n${problems.map(formatPlaced).join('\n')}`,
      'Correct it, and run the command again.',
    );
}

function summary(file: string, before: readonly CellEntry[], cells: readonly CellEntry[]): string {
  const lines = cells.map(({ name, wave, clusters }) => {
    const old = before.find((cell) => cell.name === name);
    const count = Array.isArray(clusters) ? amount(clusters.length, 'cluster') : 'clusters by labels';
    const earlier = Array.isArray(old?.clusters) ? old.clusters : [];
    const added = Array.isArray(clusters)
      ? clusters.filter((cluster) => !earlier.includes(cluster as string))
      : [];
    const change = old === undefined ? ', new' : added.length > 0 ? `, new: ${added.join(', ')}` : '';
    return `  wave ${wave}  ${name}  ${count}${change}\n`;
  });
  return `${file} has ${amount(cells.length, 'cell')}:\n${lines.join('')}`;
}
