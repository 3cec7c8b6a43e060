import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import pc from 'picocolors';
import { z } from 'zod';
import { createAzureReader } from '../azureReader';
import { ambientSubscription } from '../import/subscription';
import { findProject } from '../project';
import { runPulumi } from '../pulumi';
import { VisibleError } from '../visibleError';
import { findLeftovers, type Leftover } from './find';

interface LeftoversFlags {
  stack: string;
  subscription?: string;
  json: boolean;
}

export function leftoversCommand(): Command {
  return new Command('leftovers')
    .description('list what a stack made in Azure and no longer has, with the command that deletes each')
    .requiredOption('--stack <name>', 'stack that made it')
    .option('--subscription <id>', 'further subscription to look in', parseSubscription)
    .option('--json', 'print {"leftovers":[{"id","type","delete","takeBack"}]}', false)
    .action((flags: LeftoversFlags) => leftovers(flags));
}

async function leftovers({ stack, subscription, json }: LeftoversFlags): Promise<void> {
  const cwd = findProject(process.cwd());
  const state = await runPulumi(stack, ['stack', 'export'], { cwd });
  const inStack = idsOf(state);
  const subscriptions = new Set(
    [...inStack].flatMap((id) => /^\/subscriptions\/([^/]+)/i.exec(id)?.[1]?.toLowerCase() ?? []),
  );
  for (const further of [subscription, await ambientOf(stack, cwd)]) {
    if (further !== undefined) subscriptions.add(further.toLowerCase());
  }
  if (subscriptions.size === 0) {
    throw new VisibleError(
      'Which subscription the stack was deployed to is not known.',
      'Name it with --subscription, or set ARM_SUBSCRIPTION_ID.',
    );
  }
  const found = await findLeftovers(createAzureReader(process.env), {
    // Pulumi takes a name with its organization and project as well.
    stack: stack.split('/').at(-1) ?? stack,
    subscriptions: [...subscriptions],
    inStack,
    vaults: vaultsIn(`${state}\n${stackFile(cwd, stack)}`),
  });
  process.stdout.write(json ? `${JSON.stringify({ leftovers: found })}\n` : render(stack, found));
}

function parseSubscription(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text;
  throw new InvalidArgumentError('Expected the id of a subscription, a GUID.');
}

/** Ids of all vaults that a text names: what the stack wrote into a vault that it only uses is found by these alone. */
function vaultsIn(text: string): string[] {
  return (
    text.match(
      /\/subscriptions\/[^/\s"]+\/resourceGroups\/[^/\s"]+\/providers\/Microsoft\.KeyVault\/vaults\/[\w-]+/gi,
    ) ?? []
  );
}

/** Text of the stack's file; empty if the project has none. */
function stackFile(project: string, stack: string): string {
  const file = path.join(project, `Pulumi.${stack.split('/').at(-1) ?? stack}.yaml`);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

async function ambientOf(stack: string, cwd: string): Promise<string | undefined> {
  const text = await runPulumi(stack, ['config', '--json'], { cwd });
  const config = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  return ambientSubscription({ config, outputs: {} }, process.env);
}

const exported = z.looseObject({
  deployment: z.looseObject({
    resources: z
      .array(
        z.looseObject({
          id: z.string().optional(),
          outputs: z.looseObject({ resourceId: z.unknown() }).partial().optional(),
        }),
      )
      .nullish(),
  }),
});

/** Ids of everything that a stack has in Azure, what the operator provisioned for it included. */
function idsOf(text: string): ReadonlySet<string> {
  const { resources } = exported.parse(JSON.parse(text)).deployment;
  const ids = (resources ?? []).flatMap(({ id, outputs }) => [id, outputs?.resourceId]);
  return new Set(ids.filter((id) => typeof id === 'string').filter((id) => id.startsWith('/subscriptions/')));
}

function render(stack: string, found: readonly Leftover[]): string {
  if (found.length === 0) return `Nothing that stack ${stack} made in Azure is left beside it.\n`;
  const rows = found.map(
    ({ id, delete: command, takeBack }) =>
      `${pc.bold(id)}\n  delete     ${command}\n  take back  put it into Pulumi.${stack}.yaml again, then ${takeBack}`,
  );
  const count = found.length === 1 ? '1 resource is' : `${found.length} resources are`;
  return `${rows.join('\n')}\n\n${count} in Azure with the tag of stack ${stack}, and not in the stack. A resource group goes with everything in it.\n`;
}
