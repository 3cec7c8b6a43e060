import type { Command } from 'commander';
import type { Instance } from '../daemon/instance';
import { commandLine } from '../project';
import { stackNames } from './backendState';
import { withChangeFlags, type ChangeFlags, type Confirmed } from './change';
import { clean } from './down';
import { saveNames } from './saves/place';
import { hasState } from './status';

/** Adds `clean`, which asks where there is something to lose. */
export function addCleanCommand(program: Command, instance: Instance, confirmed: Confirmed): void {
  withChangeFlags(program.command('clean'))
    .description('stop everything and delete the state; saves stay')
    .option(
      '--json',
      'print {"stacks":[…],"saves":[…]}: the stacks that are deleted, and the saves that stay',
      false,
    )
    .action(async (flags: ChangeFlags & { json: boolean }) => {
      const [stacks, saves] = [stackNames(instance), saveNames(instance)];
      const inJson = `${JSON.stringify({ stacks, saves })}\n`;
      if (flags.json && flags.dryRun) process.stdout.write(inJson);
      const what = `this would stop the local cloud and delete its state in ${instance.folder} (stacks: ${stacks.join(', ') || 'none'})`;
      const asks = flags.dryRun || hasState(instance);
      if (asks && !(await confirmed(flags, 'deleted', what))) return;
      await clean(instance);
      const kept =
        saves.length === 0
          ? ''
          : ` These saves stay: ${saves.join(', ')}; ${commandLine('cloud forget NAME')} deletes one.`;
      process.stdout.write(flags.json ? inJson : `Everything is stopped and the state is deleted.${kept}\n`);
    });
}
