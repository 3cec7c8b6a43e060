import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import pc from 'picocolors';
import { createAzureReader } from '../azureReader';
import { createGraphReader } from '../graphReader';
import { settingIn } from '../../stacks/settings/settingIn';
import { valueAt } from '../../stacks/settings/problem';
import { example } from '../example';
import { existingStacks } from '../existingStacks';
import { findProject } from '../project';
import { removeFormerCell, stacksOfCells, stacksOfOtherCells } from '../stacksOfCells';
import type { RegisteredStack } from '../../stacks/access/registered';
import { cellsOutput, deployedStack } from '../deployedAccess';
import { ambientSubscription, stackCloud } from '../azureTarget';
import { shownInLine } from '../shownOnTerminal';
import { UserError } from '../userError';
import { findOrphans, type Orphan } from './find';
import { print } from '../print';
import { inJson } from '../json';

interface OrphansFlags {
  stack: string;
  subscription?: string;
  json: boolean;
}

export function orphansCommand(): Command {
  return new Command('orphans')
    .requiredOption('--stack <name>', 'name of the stack')
    .option('--subscription <id>', 'subscription (to search in addition)')
    .option(
      '--json',
      'print JSON: {"orphans":[{"id","type","delete","takeBack"}]}; applications and groups in Entra also have "displayName"; "notes" lists what was not searched',
      false,
    )
    .addHelpText('after', example('orphans --stack prod'))
    .action((flags: OrphansFlags) => orphans(flags));
}

async function orphans({ stack: name, subscription, json }: OrphansFlags): Promise<void> {
  const stack = { name, cwd: findProject(process.cwd()) };
  // Pulumi also accepts a name with organization and project.
  const shortName = path.posix.basename(name);
  const deployed = await deployedStack(stack);
  if (deployed.outputs.cell !== undefined)
    throw new UserError(
      `Stack ${name} is a cell: what it created has the tag of its environment.`,
      `Name the environment: --stack ${String(deployed.outputs.environment)}.`,
    );
  if (deployed.outputs.environment === undefined && stacksOfCells(stack.cwd, shortName).length > 0)
    throw new UserError(
      `The resources of ${name} were moved to its cells, and it was not deployed since: all of them would be listed as orphans.`,
      `Deploy it first: \`npx aks-wi fleet up --stack ${name}\`.`,
    );
  if (deployed.isIncomplete)
    throw new UserError(
      'Some cells cannot be read, so their resources would look like orphans.',
      'Run the command again when all cells can be read.',
    );
  const { cells } = cellsOutput.parse(deployed.outputs);
  const named = stacksOfOtherCells(stack.cwd, shortName, cells);
  const existing = named.length === 0 ? [] : await existingStacks(stack.cwd, shortName);
  const others = named.filter((other) => existing.includes(other));
  if (others.length > 0)
    throw new UserError(
      `${shortName} was last deployed without the cells of ${others.join(', ')}, so their resources would look like orphans.`,
      `Deploy ${shortName} with its cells. If ${others[0]} is no longer a cell: ${removeFormerCell(shortName, others[0] ?? '')}`,
    );
  const inStack = idsIn(deployed);
  const subscriptions = [
    ...[...inStack].map((id) => /^\/subscriptions\/([^/]+)/.exec(id)?.[1]),
    subscription,
    await ambientSubscription(stack, process.env),
  ].flatMap((id) => id?.toLowerCase() ?? []);
  if (subscriptions.length === 0) {
    throw new UserError(
      'The subscription of the stack is unknown.',
      'Name it with --subscription, or set ARM_SUBSCRIPTION_ID.',
    );
  }
  const file = path.join(stack.cwd, `Pulumi.${shortName}.yaml`);
  const stackFile = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const cloud = await stackCloud(stack, process.env);
  const notes: string[] = [];
  const foundOrphans = await findOrphans(
    createAzureReader(cloud, process.env),
    createGraphReader(cloud, process.env),
    {
      stack: shortName,
      subscriptions: [...new Set(subscriptions)],
      inStack,
      group: groupIn(stackFile),
      vaults: vaultsIn(`${JSON.stringify(deployed.resources)}\n${stackFile}`),
      hasApplications:
        [...inStack].some((id) => id.startsWith('/applications/')) || hasApplications(stackFile),
      hasGroups:
        [...inStack].some((id) => id.startsWith('/groups/')) || settingIn(stackFile, 'groups') !== undefined,
    },
    (note) => notes.push(note),
  );
  const printed = { orphans: foundOrphans, ...(notes.length > 0 && { notes }) };
  print(json ? inJson(printed) : render(name, foundOrphans, notes));
}

/** Returns the name of the resource group in a stack file. */
function groupIn(stackFile: string): string | undefined {
  const group = settingIn(stackFile, 'resourceGroup');
  const name = typeof group === 'string' ? group : valueAt(group, ['existing']);
  return typeof name === 'string' ? name.split('/').at(-1) : undefined;
}

/** Finds the ids of all vaults in a text. Only these lead to secrets in existing vaults. */
function vaultsIn(text: string): string[] {
  return (
    text.match(
      /\/subscriptions\/[^/\s"]+\/resourceGroups\/[^/\s"]+\/providers\/Microsoft\.KeyVault\/vaults\/[\w-]+/gi,
    ) ?? []
  );
}

function isServicePrincipal(identity: unknown): boolean {
  return identity === 'servicePrincipal' || valueAt(identity, ['servicePrincipal']) !== undefined;
}

/** Tells whether a stack file has identities that are applications in Entra. */
function hasApplications(stackFile: string): boolean {
  const some = (list: string, field: string, isMatch: (value: unknown) => boolean) => {
    const entries = settingIn(stackFile, list);
    return Array.isArray(entries) && entries.some((entry) => isMatch(valueAt(entry, [field])));
  };
  return (
    some('hostedClusters', 'authentication', (mode) => mode !== 'WorkloadIdentities') ||
    some('applications', 'identity', isServicePrincipal) ||
    some('clusters', 'operatorIdentity', isServicePrincipal)
  );
}

/** Returns the ids of all resources of a stack in Azure and Entra, including those that the operator provisioned. */
function idsIn({ resources }: RegisteredStack): ReadonlySet<string> {
  const ids = resources.flatMap(({ id, outputs }) => [id, outputs.resourceId]);
  return new Set(
    ids
      .filter((id) => typeof id === 'string')
      .filter((id) => /^\/(subscriptions|applications|groups)\//.test(id)),
  );
}

function render(stack: string, resources: readonly Orphan[], notes: readonly string[]): string {
  const noteLines = notes.map((note) => `${shownInLine(note)}\n`).join('');
  if (resources.length === 0)
    return notes.length === 0
      ? `Everything that stack ${stack} created in Azure is in the stack.\n`
      : `No orphans of stack ${stack} were found in Azure.\n${noteLines}`;
  const rows = resources.map(
    ({ id, displayName = '', delete: command, takeBack }) =>
      `${pc.bold(shownInLine(id))}${displayName && `  ${shownInLine(displayName)}`}\n  delete     ${shownInLine(command)}\n  take back  add it to Pulumi.${stack}.yaml again, then ${takeBack}`,
  );
  const count = resources.length === 1 ? '1 resource has' : `${resources.length} resources have`;
  const hasSecrets = resources.some(({ delete: command }) => command.startsWith('az keyvault secret '));
  const secretNote = hasSecrets ? ' Deleting a secret needs Key Vault Secrets Officer on its vault.' : '';
  return `${rows.join('\n')}\n\n${count} the tag of stack ${stack} in Azure, but not in the stack. Deleting a resource group deletes everything in it, and deleting an application deletes its service principal.${secretNote}\n${noteLines}`;
}
