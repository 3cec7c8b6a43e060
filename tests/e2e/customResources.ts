import { setTimeout as pause } from 'node:timers/promises';
import type { KubernetesObject, KubernetesObjectApi } from '@kubernetes/client-node';

/** The members of a custom resource that these tests use. */
export interface CustomResource extends KubernetesObject {
  spec?: object;
  status?: {
    /** Id of its Azure resource, set by the operator. */
    id?: string;
    conditions?: { type: string; status: string; message?: string }[];
    /** Number of times that a certificate was issued. */
    revision?: number;
  };
}

interface Definition extends KubernetesObject {
  spec: { group: string; names: { kind: string }; versions: { name: string; storage: boolean }[] };
}

/** The platform's definitions and custom resources of one cluster. */
export interface Inventory {
  /** uid of each definition, by name. */
  readonly definitions: Readonly<Record<string, string>>;
  /** uid of each object, by `<kind> <namespace>/<name>`. */
  readonly objects: Readonly<Record<string, string>>;
  /** Ids of their Azure resources, without duplicates. */
  readonly azureIds: readonly string[];
  readonly all: readonly CustomResource[];
}

/** The objects of cert-manager and Azure Service Operator in a cluster. */
export async function inventory(objects: KubernetesObjectApi): Promise<Inventory> {
  const { items } = await objects.list<Definition>('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
  const definitions = items.filter(({ spec }) => /(^|\.)(azure\.com|cert-manager\.io)$/.test(spec.group));
  const lists = await Promise.all(
    definitions.map(async ({ spec: { group, names, versions } }) => {
      const version = versions.find(({ storage }) => storage)?.name ?? '';
      return objects.list<CustomResource>(`${group}/${version}`, names.kind);
    }),
  );
  const found = lists.flatMap((list) => list.items);
  const uidBy = (all: readonly KubernetesObject[], name: (object: KubernetesObject) => string) =>
    Object.fromEntries(all.map((object) => [name(object), object.metadata?.uid ?? '']));
  return {
    definitions: uidBy(definitions, ({ metadata }) => metadata?.name ?? ''),
    objects: uidBy(found, nameOf),
    azureIds: [...new Set(found.flatMap(({ status }) => status?.id ?? []))],
    all: found,
  };
}

/** The custom resource once its condition `Ready` is true; throws its message after a while. */
export async function untilReady(
  objects: KubernetesObjectApi,
  { apiVersion = '', kind = '', metadata }: CustomResource,
): Promise<CustomResource> {
  const { name = '', namespace = '' } = metadata ?? {};
  for (let attempt = 1; ; attempt += 1) {
    const resource = await objects.read<CustomResource>({ apiVersion, kind, metadata: { name, namespace } });
    if (isReady(resource)) return resource;
    if (attempt === 240)
      throw new Error(`${nameOf(resource)} is not ready: ${JSON.stringify(resource.status)}`);
    await pause(250);
  }
}

function isReady({ status }: CustomResource): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
}

function nameOf({ kind = '', metadata }: KubernetesObject): string {
  return `${kind} ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}
