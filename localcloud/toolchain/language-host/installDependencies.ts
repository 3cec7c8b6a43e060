import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ServerWritableStream } from '@grpc/grpc-js';
import { InstallDependenciesResponse } from '@pulumi/pulumi/proto/language_pb';
import type { InstallDependenciesRequest } from '@pulumi/pulumi/proto/language_pb';

/** Serves `pulumi install`: runs `npm ci`. A plugin in a workspace already has its dependencies. */
export async function installDependencies(
  call: ServerWritableStream<InstallDependenciesRequest, InstallDependenciesResponse>,
  cancelled: AbortSignal,
): Promise<void> {
  const folder = call.request.getInfo()?.getProgramDirectory() ?? call.request.getDirectory();
  if (call.request.getIsPlugin() && findsSdk(folder)) return;
  const child = spawn('npm', ['ci', '--no-fund', '--no-audit'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: cancelled,
  });
  child.stdout.on('data', (chunk: Buffer) => call.write(new InstallDependenciesResponse().setStdout(chunk)));
  child.stderr.on('data', (chunk: Buffer) => call.write(new InstallDependenciesResponse().setStderr(chunk)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`npm ci in ${folder} ended with exit code ${code}.`);
}

function findsSdk(folder: string): boolean {
  try {
    createRequire(path.join(folder, 'package.json')).resolve('@pulumi/pulumi');
    return true;
  } catch {
    return false;
  }
}
