import { Command, InvalidArgumentError } from 'commander';
import type { Instance } from '../daemon/instance';
import { commandLine } from '../project';
import { ArmClient } from './armClient';
import { withChangeFlags, type ChangeFlags, type Confirmed } from './change';
import { requireServing, startCloud, stopCloud } from './cloud';
import { readCredentials } from './credentials';
import { clientEnvironment, renderExports } from './environment';
import { findDeletedVault, purgeVault } from './purge';
import { example } from './example';
import { checkRequirements } from './requirements';
import { addSaveCommands } from './saves/commands';
import { renderTokenRequests } from './tokenRequests';
import { provideToolchain } from './toolchainBuild';
import { cloudStatus, renderStatus, writeKubeconfig } from './status';
import { exclusively } from './workLock';
import { exitCodes } from './exitCodes';

const print = (text: string): void => void process.stdout.write(text);
const json = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** `cloud …`: commands for the local cloud alone. */
export function cloudCommand(instance: Instance, confirmed: Confirmed): Command {
  const cloud = new Command('cloud').addHelpText('after', example('cloud start'));

  cloud
    .command('start')
    .description('start it if it is not running')
    .addHelpText('after', example('cloud start'))
    .action(async () => {
      checkRequirements();
      await provideToolchain(instance);
      const run = await startCloud(instance);
      print(
        `The local cloud ${run.started ? 'started' : 'is already running'} (process ${run.pid}): https://127.0.0.1:${run.azurePort}, proxy http://127.0.0.1:${run.proxyPort}\n`,
      );
    });

  cloud
    .command('stop')
    .description('stop it and its clusters; the state stays')
    .addHelpText('after', example('cloud stop'))
    .action(async () => {
      print(
        (await exclusively(instance, 'cloud stop', () => stopCloud(instance)))
          ? 'The local cloud is stopped.\n'
          : 'The local cloud was not running.\n',
      );
    });

  cloud
    .command('status')
    .description('show whether it runs, its ports and its clusters; the exit code is 3 if it does not run')
    .option('--json', 'print JSON', false)
    .addHelpText('after', example('cloud status'))
    .action(async (flags: { json: boolean }) => {
      const status = await cloudStatus(instance);
      print(flags.json ? json(status) : renderStatus(status));
      if (!status.running) process.exitCode = exitCodes['cloud status'].notRunning;
    });

  cloud
    .command('env')
    .description('print shell exports that point any Azure client at it, as its administrator')
    .option('--json', 'print JSON (an object of variables)', false)
    .addHelpText('after', example('cloud env'))
    .action((flags: { json: boolean }) => {
      const variables = clientEnvironment(instance, requireServing(instance), readCredentials(instance));
      print(flags.json ? json(variables) : renderExports(variables));
    });

  cloud
    .command('kubeconfig')
    .description("write a cluster's kubeconfig and print its path")
    .argument('<cluster>', 'name of the managed cluster')
    .addHelpText('after', example('cloud kubeconfig aks-1'))
    .option('--resource-group <name>', 'resource group (if several have a cluster of that name)')
    .action(async (cluster: string, { resourceGroup }: { resourceGroup?: string }) => {
      print(`${await writeKubeconfig(instance, cluster, resourceGroup)}\n`);
    });

  addSaveCommands(cloud, instance, confirmed);

  withChangeFlags(cloud.command('purge'))
    .description('purge a deleted vault and its secrets, which frees its name')
    .argument('<vault>', 'name of the deleted vault')
    .addHelpText('after', example('cloud purge kv-wi-local'))
    .action(async (name: string, flags: ChangeFlags) => {
      const client = new ArmClient(instance, requireServing(instance));
      const vault = await findDeletedVault(client, name);
      const effect = `this would permanently delete the vault ${vault.name} and its secrets`;
      if (!(await confirmed(flags, 'purged', effect))) return;
      await purgeVault(client, vault);
      print(`The vault ${vault.name} is purged, and its name is free.\n`);
    });

  cloud
    .command('audit')
    .description('list token requests: who, with which service account, and the result')
    .option('--json', 'print JSON (with the ids of the tokens)', false)
    .addHelpText('after', example('cloud audit'))
    .action(async (flags: { json: boolean }) => {
      const requests = await new ArmClient(instance, requireServing(instance)).tokenRequests();
      print(flags.json ? json(requests) : renderTokenRequests(requests));
    });

  cloud
    .command('fault')
    .description('make provisioning fail, for example for lack of quota or capacity')
    .argument('<name>', 'name of a fault, or clear to remove all faults; an unknown name lists them')
    .addHelpText('after', example('cloud fault storageQuota --times 1'))
    .option('--resource <text>', 'only for resources whose id contains this text')
    .option('--times <count>', 'number of failures after which the fault ends', count)
    .action(async (name: string, options: { resource?: string; times?: number }) => {
      const client = new ArmClient(instance, requireServing(instance));
      if (name === 'clear') await client.clearFaults();
      else await client.addFault({ name, ...options });
      print(
        name === 'clear'
          ? 'All faults are removed.\n'
          : `The fault ${name} is active. End it with ${commandLine('cloud fault clear')}.\n`,
      );
    });

  return cloud;
}

function count(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('Allowed: a positive integer.');
  return Number(text);
}
