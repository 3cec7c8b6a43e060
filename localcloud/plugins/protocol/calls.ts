import type * as grpc from '@grpc/grpc-js';
import type { EngineLog } from './engineLog';
import { statusOf } from './failures';
import type { Context } from './provider';
import type { Properties } from './values';

/**
 * Converts handlers that return or throw into gRPC handlers, with errors as statuses and cancellation as a
 * signal.
 */
export class Calls {
  private readonly shutdown = new AbortController();
  private running = 0;

  constructor(readonly log: EngineLog) {}

  /** Aborts running and later operations. */
  cancelAll(): void {
    this.shutdown.abort();
  }

  /** True if no operation is running. */
  get idle(): boolean {
    return this.running === 0;
  }

  /** Converts a handler. @param inputs returns the inputs to record for a partial failure that has none of its own */
  unary<Request, Response>(
    handle: (request: Request, context: Context) => Response | Promise<Response>,
    inputs?: (request: Request) => Properties,
  ): grpc.handleUnaryCall<Request, Response> {
    return (call, callback) => {
      const own = new AbortController();
      call.on('cancelled', () => own.abort());
      const context: Context = {
        signal: AbortSignal.any([own.signal, this.shutdown.signal]),
        log: (severity, message, urn, ephemeral) => this.log.write(severity, message, urn, ephemeral),
      };
      this.running++;
      Promise.resolve()
        .then(() => handle(call.request, context))
        .then(
          (response) => callback(null, response),
          (error: unknown) => callback(statusOf(error, inputs?.(call.request))),
        )
        .finally(() => this.running--);
    };
  }
}
