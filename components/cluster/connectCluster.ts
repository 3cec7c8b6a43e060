import type { SendToCluster } from './clusterConnection';
import { clusterConnection } from './clusterConnection';
import type { ClusterApi, ClusterKind, ClusterObject } from './clusterObjects';
import { ClusterAnswerError } from './clusterObjects';

/** Connects to a cluster by a kubeconfig, as its user. */
export async function connectCluster(kubeconfig: string): Promise<ClusterApi> {
  return clusterApi(await clusterConnection(kubeconfig));
}

interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** A cluster's objects through its REST API (kubernetes.io/docs/reference/using-api/api-concepts). */
export function clusterApi(send: SendToCluster): ClusterApi {
  const known = new Map<string, readonly ApiResource[]>();

  /** What a version of a group has; none if there is none (yet), which is not remembered. */
  const resources = async (apiVersion: string): Promise<readonly ApiResource[]> => {
    const found = known.get(apiVersion);
    if (found !== undefined) return found;
    const list = await ask<{ resources: readonly ApiResource[] }>(send, rootOf(apiVersion));
    // Status and other parts of a resource are listed beside it.
    return list?.resources.filter(({ name }) => !name.includes('/')) ?? [];
  };

  /** Path of all objects of a kind; undefined if there is no such kind (yet). */
  const pathOf = async ({ apiVersion, kind, namespace }: ClusterKind): Promise<string | undefined> => {
    const all = await resources(apiVersion);
    const resource = all.find((one) => one.kind === kind);
    if (resource === undefined) return undefined;
    known.set(apiVersion, all);
    const within =
      resource.namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
    return `${rootOf(apiVersion)}${within}/${resource.name}`;
  };

  return {
    async get(reference) {
      const path = await pathOf(reference);
      if (path === undefined) return undefined;
      return ask<ClusterObject>(send, `${path}/${encodeURIComponent(reference.name)}`);
    },

    async create(object, { dryRun = false } = {}) {
      const { apiVersion, kind, metadata } = object;
      const path = await pathOf({ apiVersion, kind, ...metadata });
      if (path === undefined) {
        throw new ClusterAnswerError(404, `the cluster has no ${kind} of ${apiVersion}`);
      }
      const { status, text } = await send({
        method: 'POST',
        path: `${path}${dryRun ? '?dryRun=All' : ''}`,
        body: object,
      });
      if (status >= 300) throw refusal(status, text);
      return JSON.parse(text) as ClusterObject;
    },

    async list(kind) {
      const path = await pathOf(kind);
      if (path === undefined) return [];
      const list = await ask<{ items: readonly ClusterObject[] }>(send, path);
      // The items of a list do not say what they are.
      return list?.items.map((item) => ({ ...item, apiVersion: kind.apiVersion, kind: kind.kind })) ?? [];
    },

    async groups() {
      const list = await ask<{ groups: readonly { readonly name: string }[] }>(send, '/apis');
      return list?.groups.map(({ name }) => name) ?? [];
    },

    async kinds(group) {
      const found = await ask<{ versions: readonly { readonly groupVersion: string }[] }>(
        send,
        `/apis/${group}`,
      );
      const lists = await Promise.all(
        found?.versions.map(({ groupVersion }) => resources(groupVersion)) ?? [],
      );
      return [...new Set(lists.flat().map(({ kind }) => kind))];
    },
  };
}

function rootOf(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

/** What is there at the path; undefined if nothing is. */
async function ask<T>(send: SendToCluster, path: string): Promise<T | undefined> {
  const { status, text } = await send({ method: 'GET', path });
  // Of an object and of a group that there is not; what is in front of an API server says it in other words.
  if (status === 404 && (messageIn(text) !== undefined || /^404 page not found\s*$/.test(text)))
    return undefined;
  if (status >= 300) throw refusal(status, text);
  return JSON.parse(text) as T;
}

/** An API server says why in a `Status`; what is in front of it, in any text. */
function refusal(status: number, text: string): ClusterAnswerError {
  return new ClusterAnswerError(status, messageIn(text) ?? `HTTP ${status} ${text.trim().slice(0, 300)}`);
}

function messageIn(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
    return typeof body.message === 'string' && body.message !== '' ? body.message : undefined;
  } catch {
    return undefined;
  }
}
