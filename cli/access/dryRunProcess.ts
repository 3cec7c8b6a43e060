import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Captured } from '../capture';

/** The program that runs the deployment without an engine. */
const program = path.join(__dirname, 'dry-run.cjs');

/** Sends requests to the program, which is beside the bundle of the command. */
export async function runInProcess(requests: string): Promise<Captured> {
  // With the default memory, most of the time would be spent on garbage collection of the SDK's objects for each resource.
  const memory = ['--max-semi-space-size=128', '--max-old-space-size=12000'];
  const child = spawn(process.execPath, [...memory, program], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(requests);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number>((resolve) => child.on('close', (ended) => resolve(ended ?? 1))),
  ]);
  return { code, stdout, stderr };
}
