import type { Client } from '@grpc/grpc-js';
import type { PublishRequest } from './messages';
import { encodePublish, encodeUnpublish } from './messages';

/** Timeout of a call, the same as a kubelet's. One call may read many secrets. */
const timeoutMs = 120_000;

/** An error of the plugin, in a kubelet's words. */
export class CsiError extends Error {}

/** The node service of a CSI driver. */
export class NodePlugin {
  private client: Client | undefined;

  constructor(private readonly socket: string) {}

  async publish(request: PublishRequest): Promise<void> {
    await this.call('/csi.v1.Node/NodePublishVolume', encodePublish(request));
  }

  async unpublish(volumeId: string, targetPath: string): Promise<void> {
    await this.call('/csi.v1.Node/NodeUnpublishVolume', encodeUnpublish(volumeId, targetPath));
  }

  /** Tells whether the driver responds. */
  async answers(): Promise<boolean> {
    return await this.call('/csi.v1.Identity/Probe', Buffer.alloc(0)).then(
      () => true,
      () => false,
    );
  }

  close(): void {
    this.client?.close();
  }

  private async call(method: string, message: Buffer): Promise<void> {
    // Loaded on demand, because most clusters have no such driver and the daemon should start quickly.
    const { Client, credentials, status } = await import('@grpc/grpc-js');
    // A new client after each failed attempt, because an old one retries a missing socket only after growing pauses.
    this.client ??= new Client(`unix:${this.socket}`, credentials.createInsecure());
    const client = this.client;
    await new Promise<void>((resolve, reject) => {
      client.makeUnaryRequest(
        method,
        (bytes: Buffer) => bytes,
        () => undefined,
        message,
        { deadline: Date.now() + timeoutMs },
        (error) => {
          if (!error) {
            resolve();
            return;
          }
          if (error.code === status.UNAVAILABLE) {
            client.close();
            this.client = undefined;
          }
          reject(new CsiError(`rpc error: code = ${codeName(status[error.code])} desc = ${error.details}`));
        },
      );
    });
  }
}

/** Returns a status code in Go's spelling: `NOT_FOUND` becomes `NotFound`. */
function codeName(name: string | undefined): string {
  return (name ?? 'UNKNOWN')
    .toLowerCase()
    .replace(/(^|_)([a-z])/g, (_match, _before, letter: string) => letter.toUpperCase());
}
