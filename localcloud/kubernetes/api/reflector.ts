import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../logger';
import { reason } from '../../logger';
import type { ApiClient } from './client';
import { ApiError } from './client';
import type { ApiObject } from './types';

interface List<T> {
  metadata: { resourceVersion: string };
  items: T[];
}

interface WatchEvent<T> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: T & { code?: number; message?: string };
}

export interface ReflectorOptions<T> {
  /** Collection, for example `/api/v1/pods`. */
  path: string;
  fieldSelector?: string;
  /** Called for each new or changed object, whether a list or a watch reports it. */
  onChange?: (object: T) => void;
  onRemove?: (object: T) => void;
}

const keyOf = (namespace: string | undefined, name: string) => `${namespace ?? ''}/${name}`;

/**
 * Keeps a copy of a collection with list and watch, also across restarts of the API server. A lost watch resumes from the
 * last resource version. If that version has expired (410), it starts with a new list. The informer of the official
 * client takes 0.4 s to load, and does not distinguish an object from one that was recreated with the same name.
 */
export class Reflector<T extends ApiObject> {
  private readonly objects = new Map<string, T>();
  private readonly stopping = new AbortController();
  private resourceVersion = '';
  private loop: Promise<void> | undefined;

  constructor(
    private readonly client: ApiClient,
    private readonly logger: Logger,
    private readonly options: ReflectorOptions<T>,
  ) {}

  /** Resolves when the first list has been read. */
  async start(): Promise<void> {
    await this.list();
    this.loop = this.follow();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  get(namespace: string | undefined, name: string): T | undefined {
    return this.objects.get(keyOf(namespace, name));
  }

  values(): T[] {
    return [...this.objects.values()];
  }

  private async list(): Promise<void> {
    const { path, fieldSelector } = this.options;
    const list = await this.client.get<List<T>>(path, { fieldSelector });
    const present = new Set(list.items.map((item) => keyOf(item.metadata.namespace, item.metadata.name)));
    for (const [key, object] of [...this.objects]) if (!present.has(key)) this.remove(key, object);
    for (const item of list.items) this.put(item);
    this.resourceVersion = list.metadata.resourceVersion;
  }

  private async follow(): Promise<void> {
    const { signal } = this.stopping;
    const over = () => signal.aborted;
    while (!over()) {
      try {
        if (this.resourceVersion === '') await this.list();
        await this.watch(signal);
      } catch (error) {
        if (over()) return;
        if (error instanceof ApiError && error.status === 410) this.resourceVersion = '';
        else if (error instanceof ApiError)
          this.logger.warn(`watch of ${this.options.path}: ${reason(error)}`);
        // No answer means that the API server is down, which its supervision reports.
        await delay(150, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  private async watch(signal: AbortSignal): Promise<void> {
    const { path, fieldSelector } = this.options;
    const query = {
      watch: true,
      allowWatchBookmarks: true,
      resourceVersion: this.resourceVersion,
      timeoutSeconds: 300 + Math.floor(Math.random() * 300),
      fieldSelector,
    };
    const stream = await this.client.stream(path, query, signal);
    let failure: Error | undefined;
    stream.once('error', (error) => {
      failure = error;
    });
    for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
      if (line !== '') this.apply(JSON.parse(line) as WatchEvent<T>);
    }
    if (failure) throw failure;
  }

  private apply({ type, object }: WatchEvent<T>): void {
    if (type === 'ERROR') throw new ApiError(object.code ?? 500, this.options.path, '', object.message ?? '');
    const key = keyOf(object.metadata.namespace, object.metadata.name);
    if (type === 'DELETED') this.remove(key, object);
    else if (type !== 'BOOKMARK') this.put(object);
    this.resourceVersion = object.metadata.resourceVersion ?? this.resourceVersion;
  }

  private put(object: T): void {
    const key = keyOf(object.metadata.namespace, object.metadata.name);
    const known = this.objects.get(key);
    if (known?.metadata.resourceVersion === object.metadata.resourceVersion && known) return;
    // The object was deleted and recreated with the same name in between.
    if (known && known.metadata.uid !== object.metadata.uid) this.remove(key, known);
    this.objects.set(key, object);
    this.options.onChange?.(object);
  }

  private remove(key: string, object: T): void {
    this.objects.delete(key);
    this.options.onRemove?.(object);
  }
}
