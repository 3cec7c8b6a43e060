import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A cluster's node, or a pod on it. */
export interface Sender {
  clusterId: string;
  /** Undefined for the node itself. */
  podAddress: string | undefined;
}

/**
 * Identifies the cluster's node that sent a request, by the credentials in its proxy URL. In Azure, the host knows which of its
 * virtual machines asks. Each start of the local cloud makes new credentials, because the processes of pods are new too.
 */
export class Nodes {
  private readonly key = randomBytes(32);

  /**
   * User information of the proxy URL for the processes of a cluster's node or, with `podAddress`, for the pod with that
   * address.
   */
  userInfo(clusterId: string, podAddress?: string): string {
    const name = podAddress === undefined ? clusterId : `${clusterId}_${podAddress}`;
    return `${name}:${this.password(name)}`;
  }

  /** The sender of a request, by its `Proxy-Authorization`; undefined if no node sent it. */
  senderOf(authorization: string | undefined): Sender | undefined {
    const encoded = /^Basic (\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
    const [name = '', password = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
    const [presented, expected] = [Buffer.from(password), Buffer.from(this.password(name))];
    if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return undefined;
    const [clusterId = '', podAddress] = name.split('_');
    return { clusterId, podAddress };
  }

  private password(name: string): string {
    return createHmac('sha256', this.key).update(name).digest('hex');
  }
}
