import { Command, InvalidArgumentError } from 'commander';
import type { Instance } from '../daemon/instance';
import { ArmClient } from './armClient';
import { requireServing, startCloud, stopCloud } from './cloud';
import { readCredentials } from './credentials';
import { clientEnvironment, renderExports } from './environment';
import { purgeVault } from './purge';
import { checkRequirements } from './requirements';
import { renderTokenRequests } from './tokenRequests';
import { provideToolchain } from './toolchainBuild';
import { cloudStatus, renderStatus, writeKubeconfig } from './status';

const print = (text: string): void => void process.stdout.write(text);
const json = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** `cloud …`: the local cloud by itself, for other clients. */
export function cloudCommand(instance: Instance): Command {
  const cloud = new Command('cloud').description('the local Azure and its clusters, by themselves');

  cloud
    .command('start')
    .description('start it, or say that it runs')
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
    .action(async () => {
      print(
        (await stopCloud(instance)) ? 'The local cloud is stopped.\n' : 'The local cloud was not running.\n',
      );
    });

  cloud
    .command('status')
    .description('whether it runs, where it listens, its clusters; exit code 3 if it does not run')
    .option('--json', 'as JSON', false)
    .action(async (flags: { json: boolean }) => {
      const status = await cloudStatus(instance);
      print(flags.json ? json(status) : renderStatus(status));
      if (!status.running) process.exitCode = 3;
    });

  cloud
    .command('env')
    .description("exports that point any vendor's client at it, with an administrator's credential for tests")
    .option('--json', 'as a JSON object', false)
    .action((flags: { json: boolean }) => {
      const variables = clientEnvironment(instance, requireServing(instance), readCredentials(instance));
      print(flags.json ? json(variables) : renderExports(variables));
    });

  cloud
    .command('kubeconfig')
    .description("write a cluster's kubeconfig and print its path")
    .argument('<cluster>', 'name of the managed cluster')
    .option('--resource-group <name>', 'where clusters of that name are in several')
    .action(async (cluster: string, { resourceGroup }: { resourceGroup?: string }) => {
      print(`${await writeKubeconfig(instance, cluster, resourceGroup)}\n`);
    });

  cloud
    .command('purge')
    .description('purge a deleted vault and its secrets for good, so that its name is free again')
    .argument('<vault>', 'name of the deleted vault')
    .action(async (vault: string) => {
      const client = new ArmClient(instance, requireServing(instance));
      print(`The vault ${await purgeVault(client, vault)} is purged: its name is free.\n`);
    });

  cloud
    .command('audit')
    .description('who asked Entra for a token, as which service account, and what came of it')
    .option('--json', 'as JSON, with the ids of the tokens', false)
    .action(async (flags: { json: boolean }) => {
      const requests = await new ArmClient(instance, requireServing(instance)).tokenRequests();
      print(flags.json ? json(requests) : renderTokenRequests(requests));
    });

  cloud
    .command('fault')
    .description('make Azure refuse or fail what is provisioned from now on: no quota, no capacity, a policy')
    .argument(
      '<name>',
      "one of Azure's faults, or clear; an unknown name is answered with those that there are",
    )
    .option('--resource <text>', 'only where the id of the resource has this in it')
    .option('--times <count>', 'only so often', count)
    .action(async (name: string, options: { resource?: string; times?: number }) => {
      const client = new ArmClient(instance, requireServing(instance));
      if (name === 'clear') await client.clearFaults();
      else await client.addFault({ name, ...options });
      print(
        name === 'clear'
          ? 'No fault is left.\n'
          : `From now on: ${name}. It ends with \`cloud fault clear\`.\n`,
      );
    });

  return cloud;
}

function count(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('Allowed: a whole number from 1.');
  return Number(text);
}
