import path from 'node:path';

/** Returns the file layout of `<clusters folder>/<id>/`. */
export function clusterPaths(root: string) {
  return {
    root,
    /** Certificates and keys, including those of the kubeconfigs for administrators and users. */
    pki: path.join(root, 'pki'),
    /** Files that every start writes again: kubeconfigs of the components, configurations. */
    run: path.join(root, 'run'),
    /** One record per running process; see process/record.ts. */
    pids: path.join(root, 'pids'),
    etcd: path.join(root, 'etcd'),
    ports: path.join(root, 'ports.json'),
    logs: path.join(root, 'logs'),
    podLogs: path.join(root, 'logs', 'pods'),
    /** Volumes and home folders of pods that run as processes, by pod uid. */
    pods: path.join(root, 'pods'),
    /** The node's file system, for volumes of the kind hostPath. */
    node: path.join(root, 'node'),
    helm: path.join(root, 'helm'),
    /** The installed version of the workload identity webhook. */
    workloadIdentity: path.join(root, 'workload-identity.json'),
    /** The installed version of the Secrets Store CSI driver. */
    secretsStore: path.join(root, 'secrets-store.json'),
  };
}

export type ClusterPaths = ReturnType<typeof clusterPaths>;
