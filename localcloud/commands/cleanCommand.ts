import type { Instance } from '../daemon/instance';
import { commandLine } from '../project';
import { stackNames } from './backendFiles';
import type { ChangeFlags, Confirmed } from './change';
import { clean } from './down';
import { saveNames } from './saves/place';
import { hasState } from './status';

/** Runs `clean`, which asks where there is something to lose. */
export async function runClean(
  instance: Instance,
  flags: ChangeFlags & { json: boolean },
  confirmed: Confirmed,
): Promise<void> {
  const [stacks, saves] = [stackNames(instance), saveNames(instance)];
  const inJson = `${JSON.stringify({ stacks, saves })}\n`;
  if (flags.json && flags.dryRun) process.stdout.write(inJson);
  const effect = `this would stop the local cloud and delete its state in ${instance.folder} (stacks: ${stacks.join(', ') || 'none'})`;
  const needsConfirmation = flags.dryRun || hasState(instance);
  if (needsConfirmation && !(await confirmed(flags, 'deleted', effect))) return;
  await clean(instance);
  const kept =
    saves.length === 0
      ? ''
      : ` These saves stay: ${saves.join(', ')}; ${commandLine('cloud forget NAME')} deletes one.`;
  process.stdout.write(flags.json ? inJson : `Everything is stopped and the state is deleted.${kept}\n`);
}
