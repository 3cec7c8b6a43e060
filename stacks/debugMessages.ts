import type * as sdkLog from '@pulumi/pulumi/log';
import { rpcKeepAlive } from '@pulumi/pulumi/runtime';
import { sdkModule } from './sdkModule';

type Log = typeof sdkLog;

/** Number of characters at which messages are sent without waiting for more. */
const enough = 64 * 1024;

/**
 * Sends debug messages of the SDK together. It writes four for each resource, each a request to the engine, which waits for the
 * one before and takes a fifth of the program's time; only `pulumi --debug` shows them. The order of all messages stays.
 *
 * @param log the SDK's module, in which all of the SDK looks its functions up
 */
export function sendDebugMessagesTogether(log: Log = sdkModule('log') as Log): void {
  const { debug } = log;
  let held: string[] = [];
  let length = 0;
  let done: (() => void) | undefined;
  const send = (): void => {
    if (held.length === 0) return;
    const together = held.join('\n');
    held = [];
    length = 0;
    void debug(together);
    done?.();
    done = undefined;
  };
  log.debug = (message, ...rest) => {
    // A message on a resource is not one of the SDK's own.
    if (rest.length > 0) {
      send();
      return debug(message, ...rest);
    }
    if (held.length === 0) {
      // The SDK does not disconnect before.
      done = rpcKeepAlive();
      setImmediate(send);
    }
    held.push(message);
    length += message.length;
    if (length >= enough) send();
    return Promise.resolve();
  };
  for (const severity of ['info', 'warn', 'error'] as const) {
    const immediate = log[severity];
    log[severity] = (...message) => {
      send();
      return immediate(...message);
    };
  }
}
