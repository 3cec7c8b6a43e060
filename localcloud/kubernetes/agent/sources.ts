import type { ApiClient } from '../api/client';
import { isStatus } from '../api/client';
import { Reflector } from '../api/reflector';
import type { DataObject } from '../api/types';
import type { Logger } from '../../logger';

export type SourceKind = 'secret' | 'configMap';

/** The error for a missing Secret, ConfigMap or key that a pod needs. The pod waits for it. */
export class MissingSource extends Error {}

/** The Secrets and ConfigMaps of one cluster, with notifications of their changes. */
export class Sources {
  private readonly secrets: Reflector<DataObject>;
  private readonly configMaps: Reflector<DataObject>;

  constructor(
    private readonly client: ApiClient,
    logger: Logger,
    onChange: (kind: SourceKind, namespace: string, name: string) => void,
  ) {
    const handlers = (kind: SourceKind) => {
      const changed = ({ metadata }: DataObject) => onChange(kind, metadata.namespace ?? '', metadata.name);
      return { onChange: changed, onRemove: changed };
    };
    this.secrets = new Reflector(client, logger, {
      path: '/api/v1/secrets',
      // Helm's release records are large, and pods do not use them.
      fieldSelector: 'type!=helm.sh/release.v1',
      ...handlers('secret'),
    });
    this.configMaps = new Reflector(client, logger, { path: '/api/v1/configmaps', ...handlers('configMap') });
  }

  async start(): Promise<void> {
    await Promise.all([this.secrets.start(), this.configMaps.start()]);
  }

  async stop(): Promise<void> {
    await Promise.all([this.secrets.stop(), this.configMaps.stop()]);
  }

  /** Returns an object's keys with decoded values; undefined if the object does not exist. */
  async read(kind: SourceKind, namespace: string, name: string): Promise<Map<string, Buffer> | undefined> {
    const [reflector, collection] =
      kind === 'secret' ? [this.secrets, 'secrets'] : [this.configMaps, 'configmaps'];
    const object = reflector.get(namespace, name) ?? (await this.fetch(collection, namespace, name));
    if (!object) return undefined;
    const encoding = kind === 'secret' ? 'base64' : 'utf8';
    return new Map([
      ...Object.entries(object.data ?? {}).map(
        ([key, value]) => [key, Buffer.from(value, encoding)] as const,
      ),
      ...Object.entries(object.binaryData ?? {}).map(
        ([key, value]) => [key, Buffer.from(value, 'base64')] as const,
      ),
    ]);
  }

  /**
   * Reads an object from the API server, because the watch may not have it yet if it was created just before the pod.
   */
  private async fetch(collection: string, namespace: string, name: string): Promise<DataObject | undefined> {
    try {
      return await this.client.get<DataObject>(`/api/v1/namespaces/${namespace}/${collection}/${name}`);
    } catch (error) {
      if (isStatus(error, 404)) return undefined;
      throw error;
    }
  }
}
