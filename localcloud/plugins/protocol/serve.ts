import * as grpc from '@grpc/grpc-js';
import { ResourceProviderService } from '@pulumi/pulumi/proto/provider_grpc_pb';
import { Calls } from './calls';
import { EngineLog } from './engineLog';
import { lifecycleHandlers } from './lifecycle';
import { operationHandlers } from './operations';
import type { ProviderImplementation } from './provider';

/** The engine's own limit (sdk/go/common/util/rpcutil), for states of hundreds of megabytes. */
const maximumMessageBytes = 400 * 1024 * 1024;
const parentCheckMilliseconds = 1000;
/** Time for operations to stop after the engine has exited. */
const shutdownMilliseconds = 3000;

/**
 * Serves the implementation until the engine exits. Prints the port on the first line of standard output, where the engine
 * reads it. The last argument of the process is the engine's address. Pulumi's own server (`provider.main`) passes a
 * provider no previews, timeouts, seeds or cancellation, and loads the whole SDK.
 */
export async function serve(implementation: ProviderImplementation): Promise<void> {
  const log = new EngineLog(engineAddress(process.argv.slice(2)));
  const calls = new Calls(log);
  const { port, close } = await startServer(implementation, calls);
  const gone = engineGone();
  process.stdout.write(`${port}\n`);
  await gone;
  calls.cancelAll();
  await until(() => calls.idle, shutdownMilliseconds);
  log.close();
  close();
  process.exit(0);
}

/** Starts the server only, without handling of the process. */
export async function startServer(
  implementation: ProviderImplementation,
  calls: Calls,
): Promise<{ port: number; close: () => void }> {
  const server = new grpc.Server({
    'grpc.max_receive_message_length': maximumMessageBytes,
    'grpc.max_send_message_length': maximumMessageBytes,
  });
  server.addService(ResourceProviderService, {
    ...lifecycleHandlers(implementation, calls),
    ...operationHandlers(implementation, calls),
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { port, close: () => server.forceShutdown() };
}

/** Returns the engine's address, which is the last argument, after flags such as `-v=9`. */
function engineAddress(args: string[]): string | undefined {
  const last = args.at(-1);
  return last === undefined || last.startsWith('-') ? undefined : last;
}

/**
 * Resolves when the engine ends this process or has exited. If the engine was killed, this process has another parent.
 */
function engineGone(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid !== parent) end();
    }, parentCheckMilliseconds);
    const end = (): void => {
      clearInterval(timer);
      resolve();
    };
    process.once('SIGTERM', end);
    process.once('SIGINT', end);
    process.once('SIGHUP', end);
  });
}

async function until(condition: () => boolean, milliseconds: number): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!condition() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
}
