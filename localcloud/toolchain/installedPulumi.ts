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

/** A Pulumi that somebody installed, with the Node language host that came with it. */
export interface InstalledPulumi {
  pulumi: string;
  languageHost: string;
  version: string;
}

/**
 * Whether an installed Pulumi can run programs of the pinned SDK: same major version, and not older. The engine
 * understands older SDKs of its major version; an SDK may ask an older engine for what it does not have.
 */
export function fitsSdk(version: string, sdkVersion: string): boolean {
  const found = parse(version);
  const wanted = parse(sdkVersion);
  if (found === undefined || wanted === undefined || found[0] !== wanted[0]) return false;
  return found[1] > wanted[1] || (found[1] === wanted[1] && found[2] >= wanted[2]);
}

/**
 * Looks for a fitting Pulumi on PATH, then where Pulumi's installer (`$PULUMI_HOME/bin`, `~/.pulumi/bin`) and its
 * automation library (`~/.pulumi/versions/VERSION/bin`) put it. One without its Node language host beside it does not count. Asking a binary for its version
 * takes a third of a second, so the answer is kept in `memoryFile` for as long as the binary does not change.
 */
export async function findInstalledPulumi(options: {
  env: NodeJS.ProcessEnv;
  sdkVersion: string;
  memoryFile: string;
}): Promise<InstalledPulumi | undefined> {
  for (const candidate of await candidates(options.env)) {
    const pulumi = await resolveExecutable(candidate);
    if (pulumi === undefined) continue;
    const languageHost = await resolveExecutable(path.join(path.dirname(pulumi), 'pulumi-language-nodejs'));
    if (languageHost === undefined) continue;
    const version = await versionOf(pulumi, options.memoryFile, options.env);
    if (version !== undefined && fitsSdk(version, options.sdkVersion))
      return { pulumi, languageHost, version };
  }
  return undefined;
}

async function candidates(env: NodeJS.ProcessEnv): Promise<string[]> {
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  if (env['PULUMI_HOME']) folders.push(path.join(env['PULUMI_HOME'], 'bin'));
  if (env['HOME']) {
    const home = path.join(env['HOME'], '.pulumi');
    const versions = await readdir(path.join(home, 'versions')).catch(() => []);
    folders.push(
      path.join(home, 'bin'),
      ...versions.map((version) => path.join(home, 'versions', version, 'bin')),
    );
  }
  return [...new Set(folders)].map((folder) => path.join(folder, 'pulumi'));
}

async function resolveExecutable(file: string): Promise<string | undefined> {
  try {
    const real = await realpath(file);
    await access(real, constants.X_OK);
    return real;
  } catch {
    return undefined;
  }
}

async function versionOf(
  pulumi: string,
  memoryFile: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const { mtimeMs, size } = await stat(pulumi);
  const identity = `${pulumi} ${mtimeMs} ${size}`;
  const memory = await recall(memoryFile);
  const known = memory[identity];
  if (known !== undefined) return known;
  try {
    const { stdout } = await promisify(execFile)(pulumi, ['version'], {
      env: { ...env, PULUMI_SKIP_UPDATE_CHECK: 'true' },
      timeout: 20_000,
    });
    const version = stdout.trim();
    await mkdir(path.dirname(memoryFile), { recursive: true });
    const fresh = `${memoryFile}.${process.pid}`;
    await writeFile(fresh, JSON.stringify({ ...memory, [identity]: version }));
    await rename(fresh, memoryFile);
    return version;
  } catch {
    // Not a Pulumi that runs here: as good as none.
    return undefined;
  }
}

async function recall(memoryFile: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(memoryFile, 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}

function parse(version: string): [number, number, number] | undefined {
  // A pre-release is older than its release: it does not fit.
  const parts = /^v?(\d+)\.(\d+)\.(\d+)(?:\+\S*)?$/.exec(version.trim());
  return parts === null ? undefined : [Number(parts[1]), Number(parts[2]), Number(parts[3])];
}
