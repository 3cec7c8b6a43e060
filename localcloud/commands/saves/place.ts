import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Instance } from '../../daemon/instance';
import { UserError } from '../../userError';
import { commandLine } from '../../project';
import { hasManifest, readManifest, type SaveManifest } from './manifest';

/** The place of a saved state of a local cloud. */
export interface Save {
  /** Name or path, as the user gives it. */
  name: string;
  folder: string;
}

const saveName = /^\w[\w.-]{0,99}$/;

const savesFolder = ({ stateRoot }: Pick<Instance, 'stateRoot'>): string => path.join(stateRoot, 'saves');

/** Returns the folder of the saved state itself. */
export const savedState = ({ folder }: Save): string => path.join(folder, 'local');

/** Returns the save of a name, which is in the state folder; or of a path, which several state folders can share. */
export function locateSave(instance: Pick<Instance, 'stateRoot' | 'folder'>, name: string): Save {
  if (!name.includes('/')) {
    if (saveName.test(name)) return { name, folder: path.join(savesFolder(instance), name) };
    throw new UserError(
      `'${name}' is not a valid name of a save.`,
      'Allowed: up to 100 letters, digits, dots, hyphens and underscores, no dot or hyphen first; or a path, with a slash.',
    );
  }
  const folder = path.resolve(name);
  const below = path.relative(instance.folder, folder);
  if (below === '' || !below.startsWith('..')) {
    throw new UserError(
      `${folder} is inside the state of the local cloud, which cannot contain its own save.`,
      'Name another folder.',
    );
  }
  return { name, folder };
}

/** Returns the names of all saves in the state folder, including damaged ones, sorted. */
export function saveNames(instance: Pick<Instance, 'stateRoot'>): string[] {
  const folder = savesFolder(instance);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => saveName.test(name))
    .sort();
}

/** Returns the manifest of a save; refuses an unknown or damaged save. */
export function requireSave(instance: Pick<Instance, 'stateRoot'>, save: Save): SaveManifest {
  if (!existsSync(save.folder)) throw unknownSave(instance, save);
  const manifest = readManifest(save.folder);
  if (!('problem' in manifest)) return manifest;
  throw damagedSave(save, manifest.problem);
}

/** Returns the error for a save that cannot be restored. */
export function damagedSave({ name }: Save, problem: string): UserError {
  return new UserError(
    `The save ${name} cannot be restored: ${problem}.`,
    `Deploy again, for example with ${commandLine('up')}, and replace the save: ${commandLine(`cloud save ${name} --yes`)}.`,
  );
}

/**
 * Tells whether a new save would replace an existing one.
 *
 * @throws UserError if the folder exists and is not a save
 */
export function wouldReplace(save: Save): boolean {
  if (!existsSync(save.folder)) return false;
  refuseOther(save);
  return true;
}

/** Refuses to delete anything but a save. */
export function requireForgettable(instance: Pick<Instance, 'stateRoot'>, save: Save): void {
  if (!existsSync(save.folder)) throw unknownSave(instance, save);
  refuseOther(save);
}

export function forgetSave(save: Save): void {
  rmSync(save.folder, { recursive: true });
}

/** Refuses a folder that is not a save. A path may name any folder; the folder of saves holds only saves. */
function refuseOther({ name, folder }: Save): void {
  if (!name.includes('/') || hasManifest(folder)) return;
  throw new UserError(`${folder} is not a save.`, 'Name another folder.');
}

function unknownSave(instance: Pick<Instance, 'stateRoot'>, { name }: Save): UserError {
  const names = saveNames(instance);
  return new UserError(
    `There is no save ${name}.`,
    names.length === 0
      ? `There are no saves yet: ${commandLine('cloud save NAME')} makes one.`
      : `The saves are: ${names.join(', ')}.`,
  );
}
