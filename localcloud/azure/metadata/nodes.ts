import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Tells the nodes of one cluster from those of another, by credentials in the URL of their proxy. In Azure, the host
 * of a virtual machine knows which one asks. The credentials are new in each local cloud, as the processes of pods are.
 */
export class Nodes {
  private readonly key = randomBytes(32);

  /** User information of a proxy URL, for the processes of a cluster's pods. */
  userInfo(clusterId: string): string {
    return `${clusterId}:${this.password(clusterId)}`;
  }

  /** Id of the cluster whose node sent a request, by its `Proxy-Authorization`; undefined if no node sent it. */
  clusterOf(authorization: string | undefined): string | undefined {
    const encoded = /^Basic (\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
    const [clusterId = '', password = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
    const [given, wanted] = [Buffer.from(password), Buffer.from(this.password(clusterId))];
    return given.length === wanted.length && timingSafeEqual(given, wanted) ? clusterId : undefined;
  }

  private password(clusterId: string): string {
    return createHmac('sha256', this.key).update(clusterId).digest('hex');
  }
}
