import { execFile } from 'node:child_process';
import {
  access,
  constants,
  mkdir,
  readFile,
  readdir,
  realpath,
  rename,
  stat,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Tool } from './tools';

/** A program that somebody installed. */
export interface InstalledProgram {
  /** Absolute path, of a link where it is one: some programs go by the name that they are called by. */
  path: string;
  /** Without the leading `v`. */
  version: string;
}

/** What was found on this machine for one tool. */
export interface InstalledSearch {
  /** The first that fits. */
  fitting?: InstalledProgram;
  /** Those that were found before it and do not fit, with the reason. */
  unfit: string[];
}

/** How an installed program is recognised. */
export interface InstalledRecipe {
  /** Arguments that make it print its version. */
  readonly ask: readonly string[];
  /**
   * Which versions will do beside the pinned one: `minor`, any patch of the same minor version; `newer`, any of the
   * same major version that is not older.
   */
  readonly fits: 'minor' | 'newer';
  /** Name of a program that has to lie beside it. */
  readonly beside?: string;
}

/** Whether an installed version will do where `pinned` is what would be built. A pre-release never does. */
export function fitsPin(version: string, pinned: string, rule: InstalledRecipe['fits']): boolean {
  const found = parse(version);
  const wanted = parse(pinned);
  if (found === undefined || wanted === undefined || found[0] !== wanted[0]) return false;
  if (rule === 'minor') return found[1] === wanted[1];
  return found[1] > wanted[1] || (found[1] === wanted[1] && found[2] >= wanted[2]);
}

export interface InstalledOptions {
  env: NodeJS.ProcessEnv;
  /** The version that would be built. */
  pinned: string;
  /** Folder whose programs do not count: those that were built here, which a shell may have on its PATH. */
  notBelow: string;
  versions: KnownVersions;
}

/**
 * Looks for a program in `KUBEBUILDER_ASSETS`, on PATH, and where Pulumi's installer (`$PULUMI_HOME/bin`,
 * `~/.pulumi/bin`) and its automation library (`~/.pulumi/versions/VERSION/bin`) put theirs.
 */
export async function findInstalled(
  name: Tool,
  recipe: InstalledRecipe,
  options: InstalledOptions,
): Promise<InstalledSearch> {
  const unfit: string[] = [];
  for (const candidate of await candidates(name, options.env)) {
    const real = await executable(candidate);
    if (real === undefined || real.startsWith(options.notBelow + path.sep)) continue;
    const version = await options.versions.of(candidate, recipe.ask, options.env);
    if (version === undefined) {
      unfit.push(`${candidate} does not tell its version`);
    } else if (!fitsPin(version, options.pinned, recipe.fits)) {
      unfit.push(`${candidate} is ${version}, and ${wantedVersion(options.pinned, recipe.fits)} is needed`);
    } else if (
      recipe.beside !== undefined &&
      (await executable(path.join(path.dirname(real), recipe.beside))) === undefined
    ) {
      unfit.push(`${candidate} has no ${recipe.beside} beside it`);
    } else {
      return { fitting: { path: candidate, version }, unfit };
    }
  }
  return { unfit };
}

function wantedVersion(pinned: string, rule: InstalledRecipe['fits']): string {
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
 * Versions of installed programs. Asking one takes up to a third of a second, so the answer is kept for as long as the
 * program does not change.
 */
export class KnownVersions {
  private known: Record<string, string> | undefined;
  private last: Promise<unknown> = Promise.resolve();

  /** @param file that keeps the answers from one process to the next, if they are to be kept */
  constructor(private readonly file: string | undefined) {}

  /** The version that a program tells; undefined for one that does not run here. */
  of(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
    // One after the other: each answer is written down with those before it.
    const asked = this.last.then(() => this.ask(program, args, env));
    this.last = asked;
    return asked;
  }

  private async ask(
    program: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv,
  ): Promise<string | undefined> {
    const { mtimeMs, size } = await stat(program);
    const identity = `${program} ${mtimeMs} ${size}`;
    this.known ??= this.file === undefined ? {} : await read(this.file);
    const told = this.known[identity];
    if (told !== undefined) return told;
    const version = await ask(program, args, env);
    if (version === undefined) return undefined;
    this.known[identity] = version;
    if (this.file !== undefined) await write(this.file, this.known);
    return version;
  }
}

async function ask(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      env: { ...env, PULUMI_SKIP_UPDATE_CHECK: 'true' },
      timeout: 10_000,
      killSignal: 'SIGKILL',
    });
    // `Kubernetes v1.36.3`, `etcd Version: 3.6.8`, `v3.22.0+g2a73ee4`, `kwok version v0.8.0 go1.26.1 (linux/amd64)`.
    return /\bv?(\d+\.\d+\.\d+[^\s]*)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

async function read(file: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}

/** A file that cannot be written costs a third of a second each time, and nothing else. */
async function write(file: string, known: Record<string, string>): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(`${file}.${process.pid}`, JSON.stringify(known));
    await rename(`${file}.${process.pid}`, file);
  } catch {
    return;
  }
}

function parse(version: string): [number, number, number] | undefined {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)(?:\+\S*)?$/.exec(version.trim());
  return parts === null ? undefined : [Number(parts[1]), Number(parts[2]), Number(parts[3])];
}
