import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { access, constants, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { writeWhole } from '../writeWhole';
import type { VersionedRecipe, Tool } from './tools';

export interface InstalledProgram {
  /** Absolute path. A link is not resolved, because some programs depend on the name by which they are called. */
  path: string;
  /** Version without the leading `v`. */
  version: string;
}

/** Result of the search for an installed tool. */
export interface InstalledSearch {
  /** The first suitable program. */
  fitting?: InstalledProgram;
  /** Programs found before it that do not fit, each with the reason. */
  unfit: string[];
}

/** Whether an installed version can replace the pinned one. A pre-release cannot. */
export function fitsPin(version: string, pinned: string, rule: VersionedRecipe['fits']): boolean {
  const candidate = parse(version);
  const pin = parse(pinned);
  if (candidate === undefined || pin === undefined || candidate[0] !== pin[0]) return false;
  if (rule === 'minor') return candidate[1] === pin[1];
  return candidate[1] > pin[1] || (candidate[1] === pin[1] && candidate[2] >= pin[2]);
}

export interface InstalledOptions {
  env: NodeJS.ProcessEnv;
  /** The pinned version. */
  pinned: string;
  /** Folder whose programs are ignored: those built here, which may be on the PATH. */
  notBelow: string;
  versions: KnownVersions;
}

/**
 * Searches for a program in `KUBEBUILDER_ASSETS`, on PATH, and in the folders of Pulumi's installer
 * (`$PULUMI_HOME/bin`, `~/.pulumi/bin`) and automation library (`~/.pulumi/versions/VERSION/bin`).
 */
export async function findInstalled(
  name: Tool,
  recipe: VersionedRecipe,
  options: InstalledOptions,
): Promise<InstalledSearch> {
  const unfit: string[] = [];
  for (const candidate of await candidates(name, options.env)) {
    const real = await executable(candidate);
    if (real === undefined || real.startsWith(options.notBelow + path.sep)) continue;
    const version = await options.versions.of(candidate, recipe.versionArguments, options.env);
    if (version === undefined) {
      unfit.push(`${candidate} does not print its version`);
    } else if (!fitsPin(version, options.pinned, recipe.fits)) {
      unfit.push(`${candidate} is ${version}, but ${neededVersion(options.pinned, recipe.fits)} is needed`);
    } else if (
      recipe.beside !== undefined &&
      (await executable(path.join(path.dirname(real), recipe.beside))) === undefined
    ) {
      unfit.push(`${candidate} has no ${recipe.beside} in its folder`);
    } else {
      return { fitting: { path: candidate, version }, unfit };
    }
  }
  return { unfit };
}

/** Searches for a program that prints no version next to the one that it is installed with, and takes its version. */
export async function findBeside(
  name: Tool,
  program: InstalledProgram | undefined,
): Promise<InstalledSearch> {
  if (program === undefined) return { unfit: [] };
  const file = path.join(path.dirname(await realpath(program.path)), name);
  if ((await executable(file)) === undefined)
    return { unfit: [`${program.path} has no ${name} in its folder`] };
  return { fitting: { path: file, version: program.version }, unfit: [] };
}

function neededVersion(pinned: string, rule: VersionedRecipe['fits']): string {
  const [major = 0, minor = 0, patch = 0] = parse(pinned) ?? [];
  return rule === 'minor' ? `${major}.${minor}.x` : `${major}.x from ${major}.${minor}.${patch}`;
}

async function candidates(name: Tool, env: NodeJS.ProcessEnv): Promise<string[]> {
  const folders = (env['PATH'] ?? '').split(path.delimiter);
  folders.unshift(env['KUBEBUILDER_ASSETS'] ?? '');
  if (env['PULUMI_HOME']) folders.push(path.join(env['PULUMI_HOME'], 'bin'));
  if (env['HOME']) {
    const home = path.join(env['HOME'], '.pulumi');
    const versions = await readdir(path.join(home, 'versions')).catch(() => []);
    folders.push(
      path.join(home, 'bin'),
      ...versions.map((version) => path.join(home, 'versions', version, 'bin')),
    );
  }
  const absolute = folders.filter((folder) => path.isAbsolute(folder));
  return [...new Set(absolute)].map((folder) => path.join(folder, name));
}

async function executable(file: string): Promise<string | undefined> {
  try {
    const real = await realpath(file);
    await access(real, constants.X_OK);
    return (await stat(real)).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Versions of installed programs. Asking a program takes up to a third of a second, so its version is cached until the
 * program changes.
 */
export class KnownVersions {
  private known: Record<string, string> | undefined;

  /** @param file keeps the versions for later processes; undefined: they are not kept */
  constructor(private readonly file: string | undefined) {}

  /** Returns the program's version; undefined if it does not run on this machine. */
  async of(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
    const { mtimeMs, size } = await stat(program);
    const identity = `${program} ${mtimeMs} ${size}`;
    const known = (this.known ??= this.file === undefined ? {} : read(this.file));
    const knownVersion = known[identity];
    if (knownVersion !== undefined) return knownVersion;
    const version = await readVersion(program, args, env);
    if (version === undefined) return undefined;
    known[identity] = version;
    if (this.file !== undefined) write(this.file, known);
    return version;
  }
}

async function readVersion(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      env: { ...env, PULUMI_SKIP_UPDATE_CHECK: 'true' },
      timeout: 10_000,
      killSignal: 'SIGKILL',
    });
    // For example `Kubernetes v1.36.3`, `etcd Version: 3.6.8`, `v3.22.0+g2a73ee4`, `kwok version v0.8.0
    // go1.26.1 (linux/amd64)`.
    return /\bv?(\d+\.\d+\.\d+[^\s]*)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

function read(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}

/** Writes the known versions. If the file cannot be written, they are determined again next time. */
function write(file: string, known: Record<string, string>): void {
  try {
    writeWhole(file, JSON.stringify(known));
  } catch {
    return;
  }
}

function parse(version: string): [number, number, number] | undefined {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)(?:\+\S*)?$/.exec(version.trim());
  return parts === null ? undefined : [Number(parts[1]), Number(parts[2]), Number(parts[3])];
}
