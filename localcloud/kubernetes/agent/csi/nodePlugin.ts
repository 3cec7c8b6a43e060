import type { Client } from '@grpc/grpc-js';
import type { PublishRequest } from './messages';
import { encodePublish, encodeUnpublish } from './messages';

/** A call may read many secrets, each by several requests. A kubelet gives it 2 minutes. */
const timeoutMs = 120_000;

/** A refusal of the plugin in the words in which a kubelet repeats it. */
export class CsiError extends Error {}

/** The node service of a CSI driver, called as a kubelet calls it. */
export class NodePlugin {
  private client: Client | undefined;

  constructor(private readonly socket: string) {}

  async publish(request: PublishRequest): Promise<void> {
    await this.call('/csi.v1.Node/NodePublishVolume', encodePublish(request));
  }

  async unpublish(volumeId: string, targetPath: string): Promise<void> {
    await this.call('/csi.v1.Node/NodeUnpublishVolume', encodeUnpublish(volumeId, targetPath));
  }

  /** Whether the driver answers. */
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
    // Loaded where it is needed: most clusters have no such driver, and the daemon starts quickly.
    const { Client, credentials, status } = await import('@grpc/grpc-js');
    // A socket that was not there yet is tried again by a new client, not by the old one's growing pauses.
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

/** `NOT_FOUND` as Go spells it: `NotFound`. */
function codeName(name: string | undefined): string {
  return (name ?? 'UNKNOWN')
    .toLowerCase()
    .replace(/(^|_)([a-z])/g, (_match, _before, letter: string) => letter.toUpperCase());
}
