/** A kind of Kubernetes objects. */
export interface Kind {
  /** Empty for the core group. */
  group: string;
  version: string;
  kind: string;
}

/** The kind of a resource type. */
export interface ResourceKind extends Kind {
  /**
   * Whether the resource manages only some fields of an existing object (`ServiceAccountPatch`). @default false
   */
  patch?: boolean;
}

/** A kind, with the API server's path for it. */
export interface ServedKind extends Kind {
  /** Last segment of the URL, for example `deployments`. */
  plural: string;
  namespaced: boolean;
}

/** `v1` or `apps/v1`. */
export function apiVersionOf(kind: Kind): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}

export function kindOf(apiVersion: string, kind: string): Kind {
  const slash = apiVersion.lastIndexOf('/');
  return { group: slash < 0 ? '' : apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1), kind };
}

/** `group/version/Kind`, as in messages. */
export function describeKind(kind: Kind): string {
  return `${apiVersionOf(kind)}/${kind.kind}`;
}

// Kubernetes' own cluster-scoped kinds, so that their inputs do not depend on a reachable cluster: `kubectl
// api-resources --namespaced=false`.
const clusterScoped = new Set([
  '/Namespace',
  '/Node',
  '/PersistentVolume',
  'admissionregistration.k8s.io/MutatingAdmissionPolicy',
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
  'apiextensions.k8s.io/CustomResourceDefinition',
  'apiregistration.k8s.io/APIService',
  'authentication.k8s.io/TokenReview',
  'authorization.k8s.io/SubjectAccessReview',
  'certificates.k8s.io/CertificateSigningRequest',
  'certificates.k8s.io/ClusterTrustBundle',
  'flowcontrol.apiserver.k8s.io/FlowSchema',
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration',
  'networking.k8s.io/IngressClass',
  'networking.k8s.io/IPAddress',
  'networking.k8s.io/ServiceCIDR',
  'node.k8s.io/RuntimeClass',
  'rbac.authorization.k8s.io/ClusterRole',
  'rbac.authorization.k8s.io/ClusterRoleBinding',
  'resource.k8s.io/DeviceClass',
  'resource.k8s.io/DeviceTaintRule',
  'resource.k8s.io/ResourceSlice',
  'scheduling.k8s.io/PriorityClass',
  'storage.k8s.io/CSIDriver',
  'storage.k8s.io/CSINode',
  'storage.k8s.io/StorageClass',
  'storage.k8s.io/VolumeAttachment',
  'storage.k8s.io/VolumeAttributesClass',
  'storagemigration.k8s.io/StorageVersionMigration',
]);

/**
 * Groups whose cluster-scoped kinds are all in the table above. Other groups below k8s.io are extensions:
 * Gateway, snapshots.
 */
const ownGroups = new Set([
  '',
  'apps',
  'autoscaling',
  'batch',
  'policy',
  ...['admissionregistration', 'apiextensions', 'apiregistration', 'authentication', 'authorization'].map(
    below,
  ),
  ...[
    'certificates',
    'coordination',
    'discovery',
    'events',
    'flowcontrol.apiserver',
    'networking',
    'node',
  ].map(below),
  ...['rbac.authorization', 'resource', 'scheduling', 'storage', 'storagemigration'].map(below),
]);

function below(group: string): string {
  return `${group}.k8s.io`;
}

/** Whether objects of the kind are namespaced; undefined if only the cluster knows. */
export function isKnownNamespaced(kind: Kind): boolean | undefined {
  if (clusterScoped.has(`${kind.group}/${kind.kind}`)) return false;
  return ownGroups.has(kind.group) ? true : undefined;
}
