import { spawn } from 'node:child_process';
import { settingIn } from '../../stacks/settings/settingIn';
import { readStack } from '../project';
import { policyPack } from '../pulumi';
import { streamed } from './run';

/** Exit codes of the run of a cell. */
export const cellCodes = {
  /** Deployed and verified. */
  ok: 0,
  /** The update failed; running it again continues. */
  failed: 1,
  /** Deployed, but the verification failed. */
  notVerified: 3,
  /** Settings, policies or the preflight refused the update; nothing was changed. */
  refused: 4,
  /** Another update of the stack is running. */
  locked: 5,
} as const;

/** Exit code of pulumi after the violation of a policy (pulumi pkg/cmd/pulumi/cmd/exit_codes.go). */
const policyViolation = 5;

/**
 * Deploys the stack of a cell and verifies it. The stack of the environment has nothing to verify by itself: its cells are
 * verified. Resolves with one of `cellCodes`.
 */
export async function runCell(stack: string, project: string, launcher: string): Promise<number> {
  const { code, output } = await updated(stack, project);
  if (code === policyViolation || /nothing was changed\./.test(output)) return cellCodes.refused;
  // Backends in files and blobs, and Pulumi Cloud.
  if (/the stack is currently locked by|Another update is currently in progress/.test(output))
    return cellCodes.locked;
  if (code !== 0) return cellCodes.failed;
  if (settingIn(readStack(project, stack).text, 'cells') !== undefined) return cellCodes.ok;
  const verified = await streamed(process.execPath, [launcher, 'verify', '--stack', stack], project);
  return verified === 0 ? cellCodes.ok : cellCodes.notVerified;
}

/** Runs the update, shows its output, and returns the end of it. */
function updated(stack: string, cwd: string): Promise<{ code: number; output: string }> {
  const options = ['--non-interactive', '--suppress-outputs', ...policyPack, '--stack', stack];
  return new Promise((resolve) => {
    const child = spawn('pulumi', ['up', '--yes', ...options], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (stream: NodeJS.WriteStream) => (chunk: Buffer) => {
      stream.write(chunk);
      output = (output + chunk.toString()).slice(-20_000);
    };
    child.stdout.on('data', keep(process.stdout));
    child.stderr.on('data', keep(process.stderr));
    child.once('error', ({ message }) => resolve({ code: 1, output: message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
