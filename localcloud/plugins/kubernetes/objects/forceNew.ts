import type { Kind, ResourceKind } from '../client/kinds';

export interface Mutability {
  enableSecretMutable: boolean;
  enableConfigMapMutable: boolean;
  /** The object's own `immutable: true`. */
  immutable: boolean;
}

// Fields that the API server refuses to change, and the contents of config maps and secrets, which running pods would
// not reload. Source of the paths: provider/pkg/provider/diff.go of pulumi-kubernetes.
const workloadSelector = ['spec.selector'];
const jobPaths = ['spec.completions', 'spec.parallelism', 'spec.selector', 'spec.template'];
const statefulSetPaths = [
  'spec.podManagementPolicy',
  'spec.revisionHistoryLimit',
  'spec.selector',
  'spec.serviceName',
  'spec.volumeClaimTemplates',
];
const byKind: Record<string, string[]> = {
  'apps/DaemonSet': workloadSelector,
  'apps/Deployment': workloadSelector,
  'apps/StatefulSet': statefulSetPaths,
  'batch/Job': jobPaths,
  'rbac.authorization.k8s.io/ClusterRoleBinding': ['roleRef'],
  'rbac.authorization.k8s.io/RoleBinding': ['roleRef'],
  'storage.k8s.io/StorageClass': ['parameters', 'provisioner'],
  '/PersistentVolumeClaim': ['spec.accessModes', 'spec.selector', 'spec.storageClassName', 'spec.volumeName'],
  // The official list has nearly all fields of a pod's spec; the server refuses changes of the rest.
  '/Pod': ['spec'],
  '/ResourceQuota': ['spec.scopes'],
  '/Service': ['spec.clusterIP'],
};

const persistentVolumeSources = [
  'awsElasticBlockStore',
  'azureDisk',
  'azureFile',
  'cephfs',
  'cinder',
  'csi',
  'fc',
  'flexVolume',
  'flocker',
  'gcePersistentDisk',
  'glusterfs',
  'hostPath',
  'iscsi',
  'local',
  'nfs',
  'photonPersistentDisk',
  'portworxVolume',
  'quobyte',
  'rbd',
  'scaleIO',
  'storageos',
  'vsphereVolume',
].map((source) => `spec.${source}`);

/** Returns paths of the inputs whose change needs a replacement. */
export function forceNewPaths(kind: ResourceKind, mutability: Mutability): string[] {
  const identity = ['metadata.name', 'metadata.namespace'];
  return kind.patch ? identity : [...identity, ...kindPaths(kind, mutability)];
}

function kindPaths(kind: Kind, mutability: Mutability): string[] {
  const name = `${kind.group}/${kind.kind}`;
  if (name === '/Secret') {
    return !mutability.enableSecretMutable || mutability.immutable
      ? ['type', 'stringData', 'data']
      : ['type'];
  }
  if (name === '/ConfigMap') {
    return !mutability.enableConfigMapMutable || mutability.immutable ? ['binaryData', 'data'] : [];
  }
  if (name === '/PersistentVolume') return persistentVolumeSources;
  return byKind[name] ?? [];
}
