import { spawn } from 'node:child_process';
import { closeSync, existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Instance } from '../daemon/instance';
import { INSTANCE_VARIABLE } from '../daemon/instance';
import { lockHolder } from '../lock';
import { endProcesses, processesWith } from '../daemon/processes';
import { stopOrphanedClusters } from '../kubernetes/orphanedClusters';
import { openLog } from '../kubernetes/process/log';
import { isAlive } from '../processIdentity';
import type { RunRecord } from '../daemon/runFile';
import { readServing } from '../daemon/runFile';
import { commandLine, installation } from '../project';
import { outsideEnvironment } from './environment';
import { checkWatchers } from './requirements';
import { UserError } from '../userError';

const startLimitMilliseconds = 120_000;
/** Time limit for a stop: two control planes and their pods take a few seconds. */
const stopLimitMilliseconds = 45_000;

export const logFile = (instance: Instance): string => path.join(instance.logsDir, 'localcloud.log');

/** Returns the running local cloud; starts it if necessary. */
export async function startCloud(instance: Instance): Promise<RunRecord & { started: boolean }> {
  const serving = readServing(instance.runFile) ?? (await waitForOther(instance));
  if (serving !== undefined) return { ...serving, started: false };
  checkWatchers();
  const log = openLog(logFile(instance));
  const offset = statSync(logFile(instance)).size;
  const bundle = path.join(installation, 'dist', 'localcloud.cjs');
  const child = spawn(process.execPath, ['--enable-source-maps', bundle], {
    cwd: instance.projectRoot,
    // In its own session, the local cloud outlives the terminal and gets none of its signals.
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...outsideEnvironment(process.env, instance), [INSTANCE_VARIABLE]: instance.folder },
  });
  closeSync(log);
  let ended = false;
  child.once('exit', () => (ended = true));
  child.once('error', () => (ended = true));
  child.unref();
  return { ...(await waitUntilServing(instance, () => !ended, offset)), started: true };
}

/** Waits for a local cloud of this instance that is starting or stopping. */
async function waitForOther(instance: Instance): Promise<RunRecord | undefined> {
  const holder = lockHolder(instance.lockFile);
  if (holder === undefined) return undefined;
  const deadline = performance.now() + startLimitMilliseconds;
  while (isAlive(holder)) {
    const serving = readServing(instance.runFile);
    if (serving !== undefined) return serving;
    if (performance.now() > deadline) {
      throw new UserError(
        `A local cloud (process ${holder.pid}) uses ${instance.folder} but does not answer.`,
        `Stop it with ${commandLine('cloud stop')}, then run the command again.`,
      );
    }
    await pause();
  }
  return undefined;
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

async function waitUntilServing(
  instance: Instance,
  alive: () => boolean,
  logOffset: number,
): Promise<RunRecord> {
  const deadline = performance.now() + startLimitMilliseconds;
  for (;;) {
    const serving = readServing(instance.runFile);
    if (serving !== undefined) return serving;
    if (!alive()) {
      const lastLine = lastError(instance, logOffset);
      throw new UserError(
        `The local cloud failed to start${lastLine === '' ? '' : `: ${lastLine}`}`,
        `See ${logFile(instance)}. Then run the command again, or ${commandLine('clean')} if the state is damaged.`,
      );
    }
    if (performance.now() > deadline) {
      throw new UserError(
        `The local cloud did not answer within ${startLimitMilliseconds / 1000} s.`,
        `See ${logFile(instance)}. Stop it with ${commandLine('cloud stop')}.`,
      );
    }
    await pause();
  }
}

/** Returns the daemon's last error after a byte offset in its log. */
function lastError(instance: Instance, offset: number): string {
  if (!existsSync(logFile(instance))) return '';
  const lines = readFileSync(logFile(instance)).subarray(offset).toString('utf8').trim().split('\n');
  return (lines.findLast((line) => line.includes('error:')) ?? lines.at(-1) ?? '').replace(/^.*?error: /, '');
}

/** Stops the local cloud and the remaining processes of a killed one. Returns whether anything was running. */
export async function stopCloud(instance: Instance): Promise<boolean> {
  const serving = readServing(instance.runFile);
  const daemon = serving ?? lockHolder(instance.lockFile);
  if (daemon !== undefined) await endProcesses([daemon], stopLimitMilliseconds);
  const stopped = await stopOrphanedClusters(instance.clustersDir);
  const remaining = processesWith(INSTANCE_VARIABLE, instance.folder);
  await endProcesses(remaining, 5000);
  const stubborn = remaining.filter(isAlive);
  if (stubborn.length > 0 || (daemon !== undefined && isAlive(daemon))) {
    throw new UserError(
      `These processes of the local cloud do not stop: ${[...stubborn, ...(daemon === undefined ? [] : [daemon])].map(({ pid }) => pid).join(', ')}.`,
      'Stop them with `kill -9`.',
    );
  }
  return daemon !== undefined || remaining.length > 0 || stopped.length > 0;
}

/** Returns the running local cloud. If there is none, throws an error with the command that starts it. */
export function requireServing(instance: Instance): RunRecord {
  const serving = readServing(instance.runFile);
  if (serving !== undefined) return serving;
  throw new UserError(
    existsSync(instance.runFile)
      ? 'The local cloud is no longer running.'
      : 'The local cloud is not running.',
    `Start it with ${commandLine('cloud start')}, or deploy everything with ${commandLine('up')}.`,
  );
}
