import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A cluster's node, or a pod on it. */
export interface Sender {
  clusterId: string;
  /** Undefined for the node itself. */
  podAddress: string | undefined;
}

/**
 * Tells the nodes of one cluster from those of another, by credentials in the URL of their proxy. In Azure, the host
 * of a virtual machine knows which one asks. The credentials are new in each local cloud, as the processes of pods are.
 */
export class Nodes {
  private readonly key = randomBytes(32);

  /** User information of a proxy URL, for the processes of a cluster's node, or of the pod with an address on it. */
  userInfo(clusterId: string, podAddress?: string): string {
    const name = podAddress === undefined ? clusterId : `${clusterId}_${podAddress}`;
    return `${name}:${this.password(name)}`;
  }

  /** Who sent a request, by its `Proxy-Authorization`; undefined if no node did. */
  senderOf(authorization: string | undefined): Sender | undefined {
    const encoded = /^Basic (\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
    const [name = '', password = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
    const [given, wanted] = [Buffer.from(password), Buffer.from(this.password(name))];
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
    const [clusterId = '', podAddress] = name.split('_');
    return { clusterId, podAddress };
  }

  private password(name: string): string {
    return createHmac('sha256', this.key).update(name).digest('hex');
  }
}
