import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Container, DownwardItem, KeyToPath, Pod, Volume } from '../api/types';
import type { Payload } from './atomicFiles';
import { writeAtomically } from './atomicFiles';
import { missing } from './environment';
import type { CsiVolumes } from './csi/volumes';
import type { PodAddress } from './fields';
import { podField, resourceField } from './fields';
import type { PathMapping } from './mountPaths';
import type { NodeFiles } from './nodeFiles';
import type { SourceKind, Sources } from './sources';
import type { PodTokens } from './tokens';

interface SourceRef {
  name?: string;
  items?: KeyToPath[];
  optional?: boolean;
}

const supported = ['secret', 'configMap', 'projected', 'downwardAPI', 'emptyDir', 'csi', 'hostPath'] as const;

/** The volumes of one pod, as folders in the pod's folder. */
export class PodVolumes {
  /** The last write. Writes run one after the other, so that a renewal does not overwrite a newer change. */
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly sources: Pick<Sources, 'read'>,
    private readonly tokens: Pick<PodTokens, 'token'>,
    private readonly csi: Pick<CsiVolumes, 'target'>,
    private readonly address: PodAddress,
    private readonly nodeFiles: Pick<NodeFiles, 'pathOf' | 'provide'>,
  ) {}

  /**
   * Updates all files.
   *
   * @throws MissingSource while a required Secret or ConfigMap is missing
   */
  write(pod: Pod): Promise<void> {
    const next = this.writing.catch(() => undefined).then(() => this.writeAll(pod));
    this.writing = next;
    return next;
  }

  /** Resolves when all writes are finished. */
  async settled(): Promise<void> {
    await this.writing.catch(() => undefined);
  }

  /** Returns the host paths of a container's mounts. */
  mappings(pod: Pod, container: Container): PathMapping[] {
    return (container.volumeMounts ?? []).map(({ name, mountPath, subPath }) => ({
      mountPath,
      hostPath: path.join(
        this.target(
          name,
          pod.spec.volumes?.find((volume) => volume.name === name),
        ),
        subPath ?? '',
      ),
    }));
  }

  private target(name: string, volume: Volume | undefined): string {
    if (volume?.csi) return this.csi.target(name);
    return volume?.hostPath ? this.nodeFiles.pathOf(volume.hostPath) : this.folderOf(name);
  }

  private folderOf(volume: string): string {
    return path.join(this.folder, volume);
  }

  private async writeAll(pod: Pod): Promise<void> {
    for (const volume of pod.spec.volumes ?? []) {
      // The CSI driver fills this volume.
      if (volume.csi) continue;
      if (volume.hostPath) {
        await this.nodeFiles.provide(volume.hostPath);
        continue;
      }
      const payload = await this.payload(pod, volume);
      const folder = this.folderOf(volume.name);
      if (payload) await writeAtomically(folder, payload);
      else await mkdir(folder, { recursive: true, mode: 0o700 });
    }
  }

  /** Returns the volume's files; undefined for a volume that starts empty. */
  private async payload(pod: Pod, volume: Volume): Promise<Payload | undefined> {
    const { secret, configMap, downwardAPI, projected, emptyDir } = volume;
    const payload: Payload = new Map();
    if (emptyDir) return undefined;
    if (secret) await this.addSource(payload, 'secret', pod, { ...secret, name: secret.secretName });
    else if (configMap) await this.addSource(payload, 'configMap', pod, configMap);
    else if (downwardAPI) this.addDownward(payload, pod, downwardAPI.items);
    else if (projected) {
      for (const source of projected.sources ?? []) {
        if (source.secret) await this.addSource(payload, 'secret', pod, source.secret);
        if (source.configMap) await this.addSource(payload, 'configMap', pod, source.configMap);
        if (source.downwardAPI) this.addDownward(payload, pod, source.downwardAPI.items);
        if (source.serviceAccountToken) {
          const { path: file, ...options } = source.serviceAccountToken;
          payload.set(file, Buffer.from(await this.tokens.token(options)));
        }
      }
    } else {
      const kind = Object.keys(volume).find((key) => key !== 'name') ?? 'unknown';
      throw new Error(
        `volume "${volume.name}" has the unsupported kind ${kind}; pods that run as processes support ${supported.join(', ')}`,
      );
    }
    return payload;
  }

  private async addSource(payload: Payload, kind: SourceKind, pod: Pod, ref: SourceRef): Promise<void> {
    const { namespace } = pod.metadata;
    const data = await this.sources.read(kind, namespace, ref.name ?? '');
    if (!data) {
      if (ref.optional === true) return;
      throw missing(kind, namespace, ref.name);
    }
    const items = ref.items ?? [...data.keys()].map((key) => ({ key, path: key }));
    for (const { key, path: file } of items) {
      const content = data.get(key);
      if (content) payload.set(file, content);
      else if (ref.optional !== true) throw missing(kind, namespace, ref.name, key);
    }
  }

  private addDownward(payload: Payload, pod: Pod, items: DownwardItem[] = []): void {
    for (const { path: file, fieldRef, resourceFieldRef } of items) {
      const value = fieldRef
        ? podField(pod, fieldRef.fieldPath, this.address)
        : resourceFieldRef && resourceField(pod.spec.containers, resourceFieldRef, '');
      payload.set(file, Buffer.from(value ?? ''));
    }
  }
}
