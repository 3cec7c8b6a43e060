import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../components/resource/errors';
import { UserError } from '../userError';

const schema = z.object({
  id: z.string(),
  pid: z.number(),
  subscription: z.string(),
  location: z.string(),
  passphrase: z.string(),
});

/** A run, kept until everything of it is removed. */
export type KeptRun = z.infer<typeof schema>;

const nameOf = (id: string): string => `run-${id}`;
export const folderOf = (folder: string, { id }: Pick<KeptRun, 'id'>): string =>
  path.join(folder, nameOf(id));

/** Keeps a run, before anything of it is created. Only the owner can read it. */
export function keepRun(folder: string, run: KeptRun): void {
  mkdirSync(path.join(folderOf(folder, run), 'backend'), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(folderOf(folder, run), 'run.json'), JSON.stringify(run), { mode: 0o600 });
}

/** Forgets a run of which nothing is left. */
export function forgetRun(folder: string, run: KeptRun): void {
  rmSync(folderOf(folder, run), { recursive: true, force: true });
}

function isRunning(pid: number): boolean {
  const file = `/proc/${pid}/cmdline`;
  return existsSync(file) && readFileSync(file, 'utf8').split('\0').includes('azure-run');
}

function runIn(file: string): KeptRun {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new UserError(
      `${file} cannot be read: ${messageOf(error)}`,
      'A run that was killed while it wrote the file has created nothing: delete its folder.',
    );
  }
}

/** Returns the runs that were killed before everything was removed. @throws UserError if one is still running */
export function leftRuns(folder: string): KeptRun[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder)
    .map((name) => path.join(folder, name, 'run.json'))
    .filter((file) => existsSync(file));
  const runs = files.map(runIn);
  const running = runs.find(({ pid }) => pid !== process.pid && isRunning(pid));
  if (running === undefined) return runs;
  throw new UserError(
    `Another run is active (process ${running.pid}).`,
    'Wait for its end, or interrupt it with Ctrl-C; it then removes what it created.',
  );
}
