import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ApiClient } from '../../api/client';
import { isStatus } from '../../api/client';
import type { Pod, Volume } from '../../api/types';
import { missing } from '../environment';
import type { Sources } from '../sources';
import type { PodTokens } from '../tokens';
import type { NodePlugin } from './nodePlugin';
import { CsiError } from './nodePlugin';

/** Finds the node service of a driver in this cluster, like a kubelet's plugin registry. */
export type CsiDrivers = (name: string) => NodePlugin | undefined;

interface CsiDriver {
  spec: {
    podInfoOnMount?: boolean;
    requiresRepublish?: boolean;
    serviceAccountTokenInSecrets?: boolean;
    tokenRequests?: { audience: string; expirationSeconds?: number }[];
  };
}

/** The error for a volume that cannot be mounted yet; the mount is retried. */
export class MountError extends Error {}

const tokensKey = 'csi.storage.k8s.io/serviceAccount.tokens';

/**
 * The inline CSI volumes of one pod: published before its containers start, unpublished after it is deleted.
 */
export class CsiVolumes {
  private readonly published = new Map<string, { driver: string; id: string }>();

  constructor(
    /** The pod's folder, `…/pods/<uid>`, as a kubelet has it: drivers parse the pod's uid from the path. */
    private readonly folder: string,
    private readonly client: ApiClient,
    private readonly drivers: CsiDrivers,
    private readonly sources: Pick<Sources, 'read'>,
    private readonly tokens: Pick<PodTokens, 'issued'>,
  ) {}

  /** Returns the host folder of a volume. */
  target(volume: string): string {
    return path.join(this.folder, 'volumes', 'kubernetes.io~csi', volume, 'mount');
  }

  /**
   * Mounts the volumes that are not mounted yet.
   *
   * @throws MountError with the driver's message
   */
  async publish(pod: Pod): Promise<void> {
    for (const volume of pod.spec.volumes ?? []) {
      if (!volume.csi || this.published.has(volume.name)) continue;
      try {
        await this.mount(pod, volume, volume.csi);
      } catch (error) {
        // As a kubelet does (pkg/volume/csi/csi_mounter.go). A driver with rotation would take the folder for a mounted
        // volume.
        await rm(this.target(volume.name), { recursive: true, force: true });
        throw error;
      }
    }
  }

  /**
   * Mounts volumes again if their driver requires that, so that it can renew the files.
   *
   * @throws MountError with the driver's message; the files stay
   */
  async republish(pod: Pod): Promise<void> {
    for (const volume of pod.spec.volumes ?? []) {
      if (!volume.csi || !this.published.has(volume.name)) continue;
      const driver = await this.driver(volume.csi.driver);
      if (driver?.spec.requiresRepublish === true) await this.mount(pod, volume, volume.csi);
    }
  }

  private async mount(pod: Pod, volume: Volume, csi: NonNullable<Volume['csi']>): Promise<void> {
    try {
      await this.publishOne(pod, volume, csi);
    } catch (error) {
      if (!(error instanceof CsiError)) throw error;
      throw new MountError(`MountVolume.SetUp failed for volume "${volume.name}" : ${error.message}`);
    }
  }

  async unpublish(): Promise<void> {
    for (const [name, { driver, id }] of this.published) {
      await this.drivers(driver)?.unpublish(id, this.target(name));
      this.published.delete(name);
    }
  }

  private async publishOne(pod: Pod, volume: Volume, csi: NonNullable<Volume['csi']>): Promise<void> {
    const { name, namespace, uid } = pod.metadata;
    const plugin = this.drivers(csi.driver);
    const driver = plugin && (await this.driver(csi.driver));
    if (!plugin || !driver) {
      throw new CsiError(
        `kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: driver name ${csi.driver} not found in ` +
          'the list of registered CSI drivers',
      );
    }
    const secrets = await this.secrets(namespace, csi.nodePublishSecretRef?.name);
    const volumeContext: Record<string, string> = { ...csi.volumeAttributes };
    if (driver.spec.podInfoOnMount) {
      Object.assign(volumeContext, {
        'csi.storage.k8s.io/pod.name': name,
        'csi.storage.k8s.io/pod.namespace': namespace,
        'csi.storage.k8s.io/pod.uid': uid,
        'csi.storage.k8s.io/serviceAccount.name': pod.spec.serviceAccountName ?? 'default',
        'csi.storage.k8s.io/ephemeral': 'true',
      });
    }
    if (driver.spec.tokenRequests) {
      const holder = driver.spec.serviceAccountTokenInSecrets ? secrets : volumeContext;
      holder[tokensKey] = await this.serviceAccountTokens(driver.spec.tokenRequests);
    }
    const id = `csi-${createHash('sha256').update(`${volume.name}${namespace}${uid}`).digest('hex')}`;
    const targetPath = this.target(volume.name);
    await mkdir(path.dirname(targetPath), { recursive: true, mode: 0o700 });
    await plugin.publish({
      volumeId: id,
      targetPath,
      readOnly: csi.readOnly === true,
      secrets,
      volumeContext,
    });
    this.published.set(volume.name, { driver: csi.driver, id });
  }

  private async driver(name: string): Promise<CsiDriver | undefined> {
    try {
      return await this.client.get<CsiDriver>(`/apis/storage.k8s.io/v1/csidrivers/${name}`);
    } catch (error) {
      if (isStatus(error, 404)) return undefined;
      throw error;
    }
  }

  private async secrets(namespace: string, name: string | undefined): Promise<Record<string, string>> {
    if (name === undefined) return {};
    const data = await this.sources.read('secret', namespace, name);
    if (!data) throw missing('secret', namespace, name);
    return Object.fromEntries([...data].map(([key, value]) => [key, value.toString('utf8')]));
  }

  private async serviceAccountTokens(
    requests: NonNullable<CsiDriver['spec']['tokenRequests']>,
  ): Promise<string> {
    const tokens = await Promise.all(
      requests.map(async ({ audience, expirationSeconds }) => {
        const issued = await this.tokens.issued({ audience, expirationSeconds });
        return [audience, issued] as const;
      }),
    );
    return JSON.stringify(Object.fromEntries(tokens));
  }
}
