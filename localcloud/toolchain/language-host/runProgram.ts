import { RunResponse } from '@pulumi/pulumi/proto/language_pb';
import type { RunRequest } from '@pulumi/pulumi/proto/language_pb';
import type { HostContext } from './hostContext';
import { bundleArguments, ownBundle } from './ownBundles';
import { runtimeOptions } from './runtimeOptions';
import { sdkEntry } from './sdkEntry';

/** Exit code of the SDK's script after it has reported the error itself (cmd/run/index.ts). */
const exitCodeOfBail = 32;

/** Runs a program until it ends. Its output goes to the engine. */
export async function runProgram(
  request: RunRequest,
  context: HostContext,
  cancelled: AbortSignal,
): Promise<RunResponse> {
  if (request.getAttachDebugger()) {
    throw new Error(
      'Attaching a debugger is not supported by this language host; pass runtime.options.nodeargs: --inspect.',
    );
  }
  const info = request.getInfo();
  const programDirectory = info?.getProgramDirectory() ?? request.getPwd();
  const options = runtimeOptions(info);
  const entryPoint = info?.getEntryPoint() ?? '';
  const bundle = ['', '.'].includes(entryPoint) ? ownBundle(programDirectory) : undefined;
  const { process: child, exit } = context.children.start(
    [
      ...options.nodeArguments,
      ...(bundle === undefined ? [] : bundleArguments(bundle)),
      sdkEntry('run', programDirectory),
      ...programArguments(request, context.engineAddress, bundle),
    ],
    {
      cwd: request.getPwd(),
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().entries())),
        PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
        PULUMI_NODEJS_TYPESCRIPT: String(options.typescript && bundle === undefined),
        ...(options.tsconfig === undefined ? {} : { PULUMI_NODEJS_TSCONFIG_PATH: options.tsconfig }),
      },
    },
  );
  const stop = () => child.kill('SIGTERM');
  cancelled.addEventListener('abort', stop, { once: true });
  const { code, signal } = await exit;
  cancelled.removeEventListener('abort', stop);

  const response = new RunResponse();
  if (code === exitCodeOfBail) return response.setBail(true);
  if (signal !== null) return response.setError(`Program was ended by ${signal}`);
  return code === 0 ? response : response.setError(`Program exited with non-zero exit code: ${code}`);
}

/**
 * Returns the arguments of the SDK's cmd/run. The program and its own arguments come last.
 *
 * @param bundle file to run in place of the program
 */
export function programArguments(request: RunRequest, engineAddress: string, bundle?: string): string[] {
  const flags: Record<string, string> = {
    monitor: request.getMonitorAddress(),
    engine: engineAddress,
    project: request.getProject(),
    stack: request.getStack(),
    organization: request.getOrganization(),
    'root-directory': request.getInfo()?.getRootDirectory() ?? '',
    pwd: request.getPwd(),
    parallel: String(request.getParallel()),
  };
  return [
    ...Object.entries(flags)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `--${name}=${value}`),
    ...(request.getDryrun() ? ['--dry-run'] : []),
    bundle ?? (request.getInfo()?.getEntryPoint() || request.getProgram() || '.'),
    ...request.getArgsList(),
  ];
}
