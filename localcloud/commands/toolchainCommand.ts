import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import Table from 'cli-table3';
import { Argument, Command } from 'commander';
import type { Instance } from '../daemon/instance';
import { programsForTests, type Tool, type Toolchain } from '../toolchain';
import { openInstanceToolchain } from './context';
import { example } from './example';
import { checkRequirements } from './requirements';
import { buildToolchain } from './toolchainBuild';

/**
 * `toolchain` shows the programs of the local cloud, `toolchain build` builds missing ones, and `toolchain definitions`
 * writes the custom resource definition that HyperShift's own program would write.
 */
export function toolchainCommand(instance: Instance): Command {
  const command = new Command('toolchain')
    .option('--json', 'print JSON', false)
    .addHelpText('after', example('toolchain'))
    .allowExcessArguments()
    .action(async ({ json }: { json: boolean }, toolchain: Command) => {
      const [unknown] = toolchain.args;
      if (unknown !== undefined)
        toolchain.error(
          `error: unknown command '${unknown}'. Allowed: ${toolchain.commands.map((subcommand) => subcommand.name()).join(', ')}.`,
        );
      const status = await openInstanceToolchain(instance).status();
      process.stdout.write(
        json ? `${JSON.stringify({ cache: instance.cacheDir, ...status })}\n` : renderTools(status, instance),
      );
    });
  command
    .command('build')
    .description('build the missing programs')
    .addArgument(
      new Argument('[programs...]', 'further programs to build, without which a local cloud starts').choices(
        programsForTests,
      ),
    )
    .option('--tests', 'build all of these', false)
    .addHelpText('after', example('toolchain build'))
    .action(async (also: Tool[], { tests }: { tests: boolean }) => {
      checkRequirements();
      await buildToolchain(openInstanceToolchain(instance), { tests, also });
      process.stdout.write(`The toolchain is complete in ${instance.cacheDir}\n`);
    });
  command
    .command('definitions')
    .description("write HyperShift's custom resource definition of HostedCluster to a file")
    .argument('<file>', 'file to write')
    .addHelpText('after', example('toolchain definitions hostedclusters.yaml'))
    .action(async (file: string) => {
      checkRequirements();
      const toolchain = openInstanceToolchain(instance);
      await buildToolchain(toolchain, { tests: true });
      const folder = await toolchain.definitions('hosted-cluster-pod');
      // `copyFile` would copy the mode too: from a read-only cache, the file could not be overwritten later.
      await writeFile(file, await readFile(path.join(folder, 'hostedclusters-Hypershift-Default.crd.yaml')));
    });
  return command;
}

/** Returns a table of programs, and the reasons why programs are missing or do not fit. Exported for tests. */
export function renderTools(
  { tools, charts }: Awaited<ReturnType<Toolchain['status']>>,
  { cacheDir }: Pick<Instance, 'cacheDir'>,
): string {
  const table = new Table({ head: ['program', 'version', 'from', 'MB'], style: { head: [], border: [] } });
  for (const { tool, version, source, path, bytes } of tools) {
    const from = source === 'installed' ? path : source === 'built' ? 'the cache' : 'to be built';
    table.push([tool, version, from, bytes === undefined ? '' : (bytes / 1e6).toFixed(0)]);
  }
  const reasons = tools.flatMap(({ tool, why }) => why.map((reason) => `  ${tool}: ${reason}`));
  return [
    table.toString(),
    `Charts: ${charts ? 'in the cache' : 'to be packaged'}`,
    `Cache: ${cacheDir}`,
    ...(reasons.length > 0 ? ['', ...reasons] : []),
    '',
  ].join('\n');
}
