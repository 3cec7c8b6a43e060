import { Command } from 'commander';
import type { Instance } from '../daemon/instance';
import { plainProgress } from '../toolchain';
import { openInstanceToolchain } from './context';
import { checkRequirements } from './requirements';

/** `toolchain`: builds everything that the local cloud runs, and nothing else. */
export function toolchainCommand(instance: Instance): Command {
  return new Command('toolchain')
    .description('build what the local cloud runs, into the cache')
    .action(async () => {
      checkRequirements();
      const toolchain = openInstanceToolchain(
        instance,
        plainProgress((line) => process.stdout.write(`${line}\n`)),
      );
      await toolchain.buildAll();
      await toolchain.charts(instance.chartsDir);
      process.stdout.write(`The toolchain is complete in ${instance.cacheDir}\n`);
    });
}
