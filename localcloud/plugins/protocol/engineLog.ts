import * as grpc from '@grpc/grpc-js';
import { EngineClient } from '@pulumi/pulumi/proto/engine_grpc_pb';
import { LogRequest, LogSeverity } from '@pulumi/pulumi/proto/engine_pb';
import type { Severity } from './provider';

const severities: Record<Severity, LogSeverity> = {
  debug: LogSeverity.DEBUG,
  info: LogSeverity.INFO,
  warning: LogSeverity.WARNING,
  error: LogSeverity.ERROR,
};

/** Sends messages to the engine's display or, without an engine, to standard error. */
export class EngineLog {
  private client: EngineClient | undefined;

  constructor(address: string | undefined) {
    this.attach(address);
  }

  /** Sets the engine that receives messages. */
  attach(address: string | undefined): void {
    if (!address) return;
    this.client?.close();
    this.client = new EngineClient(address, grpc.credentials.createInsecure());
  }

  /** Writes a message. Never rejects, so that a message cannot fail an operation. */
  async write(severity: Severity, message: string, urn = '', ephemeral = false): Promise<void> {
    const client = this.client;
    if (client === undefined) {
      process.stderr.write(`${severity}: ${message}\n`);
      return;
    }
    const request = new LogRequest()
      .setSeverity(severities[severity])
      .setMessage(message)
      .setUrn(urn)
      .setEphemeral(ephemeral);
    await new Promise<void>((resolve) => client.log(request, () => resolve()));
  }

  close(): void {
    this.client?.close();
  }
}
