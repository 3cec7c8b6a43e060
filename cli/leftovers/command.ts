import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import pc from 'picocolors';
import { createAzureReader } from '../azureReader';
import { createGraphReader } from '../graphReader';
import { settingIn, valueAt } from '../../stacks/offline';
import { findProject } from '../project';
import { exportedState, runPulumi } from '../pulumi';
import { ambientSubscription, stackCloud } from '../azureTarget';
import { shownInLine } from '../shownOnTerminal';
import { VisibleError } from '../visibleError';
import { findLeftovers, type Leftover } from './find';
import { print } from '../print';
import { inJson } from '../json';

interface LeftoversFlags {
  stack: string;
  subscription?: string;
  json: boolean;
}

export function leftoversCommand(): Command {
  return new Command('leftovers')
    .description(
      'list the resources that a stack made in Azure and Entra and no longer has, with the command that deletes each',
    )
    .requiredOption('--stack <name>', 'stack that made them')
    .option('--subscription <id>', 'further subscription to look in')
    .option(
      '--json',
      'print {"leftovers":[{"id","type","delete","takeBack"}]}; applications and groups in Entra have "displayName" as well, and "notes" says what was not looked for',
      false,
    )
    .action((flags: LeftoversFlags) => leftovers(flags));
}

async function leftovers({ stack: name, subscription, json }: LeftoversFlags): Promise<void> {
  const stack = { name, cwd: findProject(process.cwd()) };
  // Pulumi takes a name with its organization and project as well.
  const shortName = path.posix.basename(name);
  const state = await runPulumi(stack, ['stack', 'export']);
  const inStack = idsInState(state);
  const subscriptions = [
    ...[...inStack].map((id) => /^\/subscriptions\/([^/]+)/.exec(id)?.[1]),
    subscription,
    await ambientSubscription(stack, process.env),
  ].flatMap((id) => id?.toLowerCase() ?? []);
  if (subscriptions.length === 0) {
    throw new VisibleError(
      'The subscription that the stack was deployed to is not known.',
      'Name it with --subscription, or set ARM_SUBSCRIPTION_ID.',
    );
  }
  const file = path.join(stack.cwd, `Pulumi.${shortName}.yaml`);
  const stackFile = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const cloud = await stackCloud(stack, process.env);
  const notes: string[] = [];
  const found = await findLeftovers(
    createAzureReader(cloud, process.env),
    createGraphReader(cloud, process.env),
    {
      stack: shortName,
      subscriptions: [...new Set(subscriptions)],
      inStack,
      group: groupIn(stackFile),
      vaults: vaultsIn(`${state}\n${stackFile}`),
      hasApplications:
        [...inStack].some((id) => id.startsWith('/applications/')) || hasApplications(stackFile),
      hasGroups:
        [...inStack].some((id) => id.startsWith('/groups/')) || settingIn(stackFile, 'groups') !== undefined,
    },
    (note) => notes.push(note),
  );
  const printed = { leftovers: found, ...(notes.length > 0 && { notes }) };
  print(json ? inJson(printed) : render(name, found, notes));
}

/** Name of the resource group in a stack file. */
function groupIn(stackFile: string): string | undefined {
  const group = settingIn(stackFile, 'resourceGroup');
  const name = typeof group === 'string' ? group : valueAt(group, ['existing']);
  return typeof name === 'string' ? name.split('/').at(-1) : undefined;
}

/** Ids of all vaults that a text names: secrets that the stack wrote into an existing vault are found only by these. */
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

/** Whether a stack file has identities that are applications in Entra. */
function hasApplications(stackFile: string): boolean {
  const some = (list: string, field: string, holds: (value: unknown) => boolean) => {
    const entries = settingIn(stackFile, list);
    return Array.isArray(entries) && entries.some((one) => holds(valueAt(one, [field])));
  };
  return (
    some('hostedClusters', 'authentication', (mode) => mode !== 'WorkloadIdentities') ||
    some('applications', 'identity', isServicePrincipal) ||
    some('clusters', 'operatorIdentity', isServicePrincipal)
  );
}

/** Ids of all resources that a stack has in Azure and Entra, including those that the operator provisioned for it. */
function idsInState(text: string): ReadonlySet<string> {
  const { resources } = exportedState.parse(JSON.parse(text)).deployment;
  const ids = (resources ?? []).flatMap(({ id, outputs }) => [id, outputs?.['resourceId']]);
  return new Set(
    ids
      .filter((id) => typeof id === 'string')
      .filter((id) => /^\/(subscriptions|applications|groups)\//.test(id)),
  );
}

function render(stack: string, found: readonly Leftover[], notes: readonly string[]): string {
  const below = notes.map((note) => `${shownInLine(note)}\n`).join('');
  if (found.length === 0)
    return notes.length === 0
      ? `Everything that stack ${stack} made in Azure is in the stack.\n`
      : `Nothing was found that stack ${stack} made in Azure and does not have.\n${below}`;
  const rows = found.map(
    ({ id, displayName = '', delete: command, takeBack }) =>
      `${pc.bold(shownInLine(id))}${displayName && `  ${shownInLine(displayName)}`}\n  delete     ${shownInLine(command)}\n  take back  put it into Pulumi.${stack}.yaml again, then ${takeBack}`,
  );
  const count = found.length === 1 ? '1 resource is' : `${found.length} resources are`;
  return `${rows.join('\n')}\n\n${count} in Azure with the tag of stack ${stack}, and not in the stack. A resource group goes with everything in it, an application with its service principal.${found.some(({ delete: command }) => command.startsWith('az keyvault secret ')) ? ' Whoever deletes a secret needs Key Vault Secrets Officer on its vault.' : ''}\n${below}`;
}
