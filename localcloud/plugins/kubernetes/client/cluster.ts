import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '../json';
import { at, objectsAt, textAt } from '../json';
import type { Connection } from './connection';
import { isNotFound } from './errors';
import type { Kind, ServedKind } from './kinds';
import { apiVersionOf, describeKind } from './kinds';

/** The location of one object. */
export interface Location {
  kind: ServedKind;
  /** Ignored for kinds without namespaces. */
  namespace: string | undefined;
  name: string;
}

export interface ApplyOptions {
  fieldManager: string;
  /** True to take ownership of fields from other managers. */
  force: boolean;
  /** True if the server only validates and answers. */
  dryRun: boolean;
  signal?: AbortSignal;
}

/** Operations on the objects of one API server. */
export class Cluster {
  private readonly served = new Map<string, Map<string, ServedKind>>();

  constructor(private readonly connection: Connection) {}

  /** Returns how the server serves the kind; undefined if it does not (yet). Successful results are cached. */
  async find(kind: Kind, signal?: AbortSignal): Promise<ServedKind | undefined> {
    const apiVersion = apiVersionOf(kind);
    const known = this.served.get(apiVersion)?.get(kind.kind);
    if (known) return known;
    const kinds = await this.discover(kind, signal);
    this.served.set(apiVersion, kinds);
    return kinds.get(kind.kind);
  }

  /** Returns what {@link find} returns, but waits for a definition that was just created. Throws at the timeout. */
  async expect(kind: Kind, waitSeconds: number, signal?: AbortSignal): Promise<ServedKind> {
    const deadline = Date.now() + waitSeconds * 1000;
    for (;;) {
      const resource = await this.find(kind, signal);
      if (resource) return resource;
      if (Date.now() >= deadline) {
        throw new Error(
          `the API server does not serve ${describeKind(kind)}: create its CustomResourceDefinition first ` +
            '(dependsOn), or correct apiVersion and kind',
        );
      }
      await delay(250, undefined, { signal });
    }
  }

  async get(location: Location, signal?: AbortSignal): Promise<JsonObject | undefined> {
    try {
      return await this.connection.request({ method: 'GET', path: pathOf(location), signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async list(
    kind: ServedKind,
    namespace: string | undefined,
    selectors: { label?: string; field?: string } = {},
    signal?: AbortSignal,
  ): Promise<JsonObject[]> {
    const answer = await this.connection.request({
      method: 'GET',
      path: collectionOf(kind, namespace),
      query: {
        ...(selectors.label !== undefined && { labelSelector: selectors.label }),
        ...(selectors.field !== undefined && { fieldSelector: selectors.field }),
      },
      signal,
    });
    return objectsAt(answer, 'items');
  }

  /** Applies an object on the server side. The server refuses unknown fields. */
  async apply(location: Location, object: JsonObject, options: ApplyOptions): Promise<JsonObject> {
    return this.connection.request({
      method: 'PATCH',
      path: pathOf(location),
      contentType: 'application/apply-patch+yaml',
      query: {
        fieldManager: options.fieldManager,
        fieldValidation: 'Strict',
        force: String(options.force),
        ...(options.dryRun && { dryRun: 'All' }),
      },
      body: object,
      signal: options.signal,
    });
  }

  /**
   * Requests the deletion of an object, which exists until its finalizers are done. A missing object is not an error.
   */
  async delete(location: Location, propagationPolicy: string, signal?: AbortSignal): Promise<void> {
    try {
      await this.connection.request({
        method: 'DELETE',
        path: pathOf(location),
        body: { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy },
        signal,
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  private async discover(kind: Kind, signal?: AbortSignal): Promise<Map<string, ServedKind>> {
    const { group, version } = kind;
    let answer: JsonObject;
    try {
      answer = await this.connection.request({ method: 'GET', path: rootOf(kind), signal });
    } catch (error) {
      if (isNotFound(error)) return new Map();
      throw error;
    }
    return new Map(
      objectsAt(answer, 'resources').flatMap((resource): [string, ServedKind][] => {
        const plural = textAt(resource, 'name') ?? '';
        const name = textAt(resource, 'kind') ?? '';
        // Skips subresources such as `pods/exec`.
        if (plural.includes('/')) return [];
        return [
          [name, { group, version, kind: name, plural, namespaced: at(resource, 'namespaced') === true }],
        ];
      }),
    );
  }
}

function rootOf(kind: Kind): string {
  return kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
}

function collectionOf(kind: ServedKind, namespace: string | undefined): string {
  const scope = kind.namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${rootOf(kind)}${scope}/${kind.plural}`;
}

function pathOf(location: Location): string {
  return `${collectionOf(location.kind, location.namespace)}/${encodeURIComponent(location.name)}`;
}
