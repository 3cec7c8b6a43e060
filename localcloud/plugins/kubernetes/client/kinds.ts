/** A kind of object, as an API server names it. */
export interface Kind {
  /** Empty for the core group. */
  group: string;
  version: string;
  kind: string;
}

/** What the type of a resource stands for. */
export interface ResourceKind extends Kind {
  /** The resource is no object but some fields of one that is there (`ServiceAccountPatch`). @default false */
  patch?: boolean;
}

/** A kind, and how the API server serves it. */
export interface ServedKind extends Kind {
  /** Last part of the URL, for example `deployments`. */
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

/** `group/version/Kind`, as messages show it. */
export function describeKind(kind: Kind): string {
  return `${apiVersionOf(kind)}/${kind.kind}`;
}

// Kinds of the API server itself that belong to no namespace, so that their inputs are the same with and without a
// cluster that could be asked: `kubectl api-resources --namespaced=false`.
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

/** Groups whose kinds the table above knows completely. Others below k8s.io are extensions: Gateway, snapshots. */
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

/** Whether objects of the kind live in namespaces; undefined for a kind that only its cluster knows. */
export function isKnownNamespaced(kind: Kind): boolean | undefined {
  if (clusterScoped.has(`${kind.group}/${kind.kind}`)) return false;
  return ownGroups.has(kind.group) ? true : undefined;
}
