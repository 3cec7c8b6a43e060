import { isDeepStrictEqual } from 'node:util';
import { Command } from 'commander';
import pLimit from 'p-limit';
import * as z from 'zod';
import type { CellPlan } from '../../stacks/plan';
import { dryRunOfParts } from '../access/dryRun';
import { confirmed, withChangeFlags, type ChangeFlags } from '../change';
import { example } from '../example';
import { inJson } from '../json';
import { print, printNote } from '../print';
import { findProject, readStack } from '../project';
import { runPulumi } from '../pulumi';
import { UserError } from '../userError';
import { stacksAtOnce } from '../cells';
import { stacksOfCells } from '../stacksOfCells';
import { configurationOf } from '../environments';
import { existingStacks } from '../existingStacks';
import { createStack, importState } from './stacks';
import { amount } from './words';
import { moveResources, type Moved, type StateResource } from './stateMoves';

interface MoveFlags extends ChangeFlags {
  stack: string;
  json: boolean;
}

const exported = z.looseObject({
  deployment: z.looseObject({
    resources: z.array(z.custom<StateResource>()).nullish(),
    pending_operations: z.array(z.unknown()).nullish(),
    secrets_providers: z.unknown().optional(),
  }),
});
type Exported = z.infer<typeof exported>;

export function moveCommand(): Command {
  const command = new Command('move')
    .description(
      'create the stacks of the cells, and move each resource to the state of the stack that deploys it; Azure and the clusters do not change',
    )
    .requiredOption('--stack <name>', 'name of the stack (of the environment)')
    .option('--json', 'print JSON: {"moves":[{"from":…,"to":…,"resource":…}]}', false)
    .addHelpText('after', example('fleet move --stack prod --dry-run'));
  return withChangeFlags(command).action(move);
}

async function move({ stack, json, ...change }: MoveFlags): Promise<void> {
  const project = findProject(process.cwd());
  const { cells } = configurationOf(project, stack);
  const parts = await dryRunOfParts({ project, environment: stack, ...readStack(project, stack) });
  const existing = await existingStacks(project, stack);
  const ofCells = stacksOfCells(project, stack);
  const all = [stack, ...cells.map((cell) => cell.stack), ...ofCells];
  const names = [...new Set(all)].filter((name) => existing.includes(name));
  const unknown = cells.find((cell) => existing.includes(cell.stack) && !ofCells.includes(cell.stack));
  if (unknown !== undefined)
    throw new UserError(
      `The backend has a stack ${unknown.stack}, and the project has no stack file that makes it a cell of ${stack}.`,
      `Rename the cell, or get Pulumi.${unknown.stack}.yaml back.`,
    );
  const states = await exportAll(project, names);
  const resources = new Map([...states].map(([name, { deployment }]) => [name, deployment.resources ?? []]));
  const moved = moveResources(resources, parts);
  const missing = cells.filter((cell) => !states.has(cell.stack));
  if (json) print(inJson({ moves: moved.moves }));
  else print(summary(moved, missing));
  if (moved.moves.length === 0 && missing.length === 0) return;
  const effect = `${amount(missing.length, 'stack')} would be created, and ${amount(moved.moves.length, 'resource')} moved between states`;
  if (!(await confirmed({ ...change, json }, 'moved', effect))) return;
  for (const cell of missing) await createStack(project, stack, cell);
  if (!isDeepStrictEqual(await exportAll(project, names), states))
    throw new UserError(
      'A stack was updated since its state was read, so nothing was moved.',
      'Run the command again when no update is running.',
    );
  const empty = { version: 3, deployment: {} };
  for (const [name, all] of moved.imports) {
    const { deployment, ...rest } = states.get(name) ?? empty;
    const encryption = { secrets_providers: states.get(stack)?.deployment.secrets_providers };
    await importState(project, name, {
      ...rest,
      deployment: { ...encryption, ...deployment, resources: all },
    });
  }
  printNote(
    `Deploy the environment next: \`npx aks-wi fleet up --stack ${stack}\`. It changes nothing that was moved.\n`,
  );
}

/** Returns the states of stacks, with their secrets, which stay in memory. */
async function exportAll(cwd: string, names: readonly string[]): Promise<Map<string, Exported>> {
  const limited = pLimit(stacksAtOnce);
  return new Map(
    await Promise.all(
      names.map((name) =>
        limited(async (): Promise<[string, Exported]> => {
          const text = await runPulumi({ name, cwd }, ['stack', 'export', '--show-secrets']);
          const state = exported.parse(JSON.parse(text));
          if ((state.deployment.pending_operations ?? []).length > 0)
            throw new UserError(
              `The last update of ${name} was interrupted, so its state has pending operations.`,
              `Settle them first: \`pulumi refresh --stack ${name}\`.`,
            );
          return [name, state];
        }),
      ),
    ),
  );
}

function summary({ moves }: Moved, missing: readonly CellPlan[]): string {
  const routes = new Map<string, number>();
  for (const { from, to } of moves) routes.set(`${from} → ${to}`, (routes.get(`${from} → ${to}`) ?? 0) + 1);
  return [
    ...missing.map(({ stack }) => `${stack}: the stack would be created`),
    ...[...routes].map(([route, count]) => `${route}: ${amount(count, 'resource')}`),
    ...(routes.size === 0 ? ['Every resource is in the state of its stack.'] : []),
    '',
  ].join('\n');
}
