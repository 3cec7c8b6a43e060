import Table from 'cli-table3';
import type { Command } from 'commander';
import type { Instance } from '../../daemon/instance';
import { withChangeFlags, type ChangeFlags, type Confirmed } from '../change';
import { example } from '../example';
import { quoted } from '../quoted';
import { commandLine } from '../../project';
import { readManifest, type SaveManifest } from './manifest';
import { forgetSave, locateSave, requireForgettable, saveNames } from './place';
import { restoreCloud } from './restore';
import { saveCloud } from './save';

const print = (text: string): void => void process.stdout.write(text);

/** Adds the commands that put the state of the local cloud aside and bring it back. */
export function addSaveCommands(cloud: Command, instance: Instance, confirmed: Confirmed): void {
  withChangeFlags(cloud.command('save'))
    .description('save the whole state: clusters, Azure and stacks')
    .argument('<name>', 'name of the save, or the path of its folder (with a slash)')
    .addHelpText('after', example('cloud save base'))
    .action(async (name: string, flags: ChangeFlags) => {
      const start = performance.now();
      const agreed = (effect: string) => confirmed(flags, 'saved', effect);
      const manifest = await saveCloud(instance, locateSave(instance, name), agreed);
      if (manifest === undefined) return;
      print(
        `Saved ${describe(manifest)} in ${secondsSince(start)} s. Get it back with ${commandLine(`cloud restore ${/^[\w./-]+$/.test(name) ? name : quoted(name)}`)}.\n`,
      );
    });

  withChangeFlags(cloud.command('restore'))
    .description('replace the state with a save, and start the local cloud')
    .argument('<name>', 'name or path of the save')
    .addHelpText('after', example('cloud restore base'))
    .action(async (name: string, flags: ChangeFlags) => {
      const start = performance.now();
      const agreed = (effect: string) => confirmed(flags, 'restored', effect);
      const manifest = await restoreCloud(instance, locateSave(instance, name), agreed);
      if (manifest === undefined) return;
      print(
        `Restored ${describe(manifest)}, saved at ${manifest.savedAt}. Ready in ${secondsSince(start)} s.\n`,
      );
    });

  cloud
    .command('saved')
    .description('list the saves with time, size, stacks and version')
    .option('--json', 'print JSON', false)
    .addHelpText('after', example('cloud saved'))
    .action(({ json }: { json: boolean }) => {
      const saves = saveNames(instance).map((name) => ({
        name,
        ...readManifest(locateSave(instance, name).folder),
      }));
      print(json ? `${JSON.stringify(saves)}\n` : renderSaves(saves));
    });

  withChangeFlags(cloud.command('forget'))
    .description('delete a save')
    .argument('<name>', 'name or path of the save')
    .addHelpText('after', example('cloud forget base'))
    .action(async (name: string, flags: ChangeFlags) => {
      const save = locateSave(instance, name);
      requireForgettable(instance, save);
      if (!(await confirmed(flags, 'deleted', `this would delete the save ${name}`))) return;
      forgetSave(save);
      print(`The save ${name} is deleted.\n`);
    });
}

/** Returns a table of saves; exported for tests. */
export function renderSaves(saves: ({ name: string } & (SaveManifest | { problem: string }))[]): string {
  if (saves.length === 0) return `There are no saves yet: ${commandLine('cloud save NAME')} makes one.\n`;
  const table = new Table({
    head: ['save', 'saved at', 'MB', 'stacks', 'Kubernetes'],
    style: { head: [], border: [] },
  });
  for (const save of saves) {
    if ('problem' in save)
      table.push([save.name, { colSpan: 4, content: `cannot be restored: ${save.problem}` }]);
    else {
      const kubernetes = save.versions['kube-apiserver'] ?? '';
      table.push([save.name, save.savedAt, megabytes(save), save.stacks.join(', '), kubernetes]);
    }
  }
  return `${table.toString()}\n`;
}

function describe(manifest: SaveManifest): string {
  const { stacks } = manifest;
  const contents =
    stacks.length === 0
      ? 'no stack'
      : `${stacks.length === 1 ? 'the stack' : 'the stacks'} ${stacks.join(', ')}`;
  return `${contents} (${megabytes(manifest)} MB)`;
}

const megabytes = ({ bytes }: SaveManifest): string => (bytes / 1e6).toFixed(0);

const secondsSince = (start: number): string => ((performance.now() - start) / 1000).toFixed(1);
