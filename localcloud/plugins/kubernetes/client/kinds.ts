import kinds from './kubernetesKinds.json';

/** A kind of Kubernetes objects. */
export interface Kind {
  /** Empty for the core group. */
  group: string;
  version: string;
  kind: string;
}

export interface ResourceKind extends Kind {
  /** True if the resource manages only some fields of an existing object (`ServiceAccountPatch`). @default false */
  patch?: boolean;
}

/** A kind, with the API server's path for it. */
export interface ServedKind extends Kind {
  /** Last segment of the URL, for example `deployments`. */
  plural: string;
  namespaced: boolean;
}

/** Returns a kind's apiVersion: `v1` or `apps/v1`. */
export function apiVersionOf(kind: Kind): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}

export function kindOf(apiVersion: string, kind: string): Kind {
  const slash = apiVersion.lastIndexOf('/');
  return { group: slash < 0 ? '' : apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1), kind };
}

/** Returns `group/version/Kind`, for messages. */
export function describeKind(kind: Kind): string {
  return `${apiVersionOf(kind)}/${kind.kind}`;
}

/**
 * Kubernetes' own cluster-scoped kinds, and Kubernetes' own groups. With them, the scope of these groups' kinds is known
 * without a reachable cluster. Other groups below k8s.io are extensions, such as Gateway and snapshots.
 */
const clusterScoped = new Set(kinds.clusterScoped);
const ownGroups = new Set(kinds.groups);

/** Tells whether objects of the kind are namespaced; undefined if only the cluster knows. */
export function isKnownNamespaced(kind: Kind): boolean | undefined {
  if (clusterScoped.has(`${kind.group}/${kind.kind}`)) return false;
  return ownGroups.has(kind.group) ? true : undefined;
}
