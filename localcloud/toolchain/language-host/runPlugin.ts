import type { ServerWritableStream } from '@grpc/grpc-js';
import { RunPluginResponse } from '@pulumi/pulumi/proto/language_pb';
import type { RunPluginRequest } from '@pulumi/pulumi/proto/language_pb';
import type { HostContext } from './hostContext';
import { bundleArguments, ownBundle } from './ownBundles';
import { runtimeOptions } from './runtimeOptions';
import { sdkEntry } from './sdkEntry';

/** Runs a plugin that is a Node package: a policy pack (kind `analyzer`) or a provider (`resource`). */
export async function runPlugin(
  call: ServerWritableStream<RunPluginRequest, RunPluginResponse>,
  context: HostContext,
  cancelled: AbortSignal,
): Promise<void> {
  const { request } = call;
  const info = request.getInfo();
  const programDirectory = info?.getProgramDirectory() ?? request.getProgram();
  const { script, cwd } = launchOf(request, programDirectory);
  const bundle = ownBundle(programDirectory);
  const entry =
    bundle === undefined
      ? [sdkEntry(script.name, programDirectory), ...script.arguments]
      : [...bundleArguments(bundle), bundle];
  const { process: child, exit } = context.children.start([...runtimeOptions(info).nodeArguments, ...entry], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environmentOf(request) },
  });
  child.stdout?.on('data', (chunk: Buffer) => call.write(new RunPluginResponse().setStdout(chunk)));
  child.stderr?.on('data', (chunk: Buffer) => call.write(new RunPluginResponse().setStderr(chunk)));
  const stop = () => child.kill('SIGTERM');
  cancelled.addEventListener('abort', stop, { once: true });
  const { code } = await exit;
  cancelled.removeEventListener('abort', stop);
  if (!cancelled.aborted) call.write(new RunPluginResponse().setExitcode(code ?? 1));
}

/**
 * The two scripts expect the engine's address at different positions, and the policy pack reads tsconfig.json
 * from its folder.
 */
export function launchOf(request: RunPluginRequest, programDirectory: string) {
  const args = request.getArgsList();
  switch (request.getKind()) {
    case 'analyzer':
      return {
        script: {
          name: 'run-policy-pack' as const,
          arguments: [...args.slice(0, 1), programDirectory, ...args.slice(1)],
        },
        cwd: programDirectory,
      };
    case 'resource':
      return {
        script: { name: 'run-plugin' as const, arguments: [programDirectory, ...args] },
        cwd: request.getPwd(),
      };
    default:
      throw new Error(
        `Plugins of kind ${request.getKind()} cannot be run by this language host; allowed: analyzer, resource.`,
      );
  }
}

function environmentOf(request: RunPluginRequest): Record<string, string> {
  return Object.fromEntries(
    request.getEnvList().map((entry) => {
      const at = entry.indexOf('=');
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
}
