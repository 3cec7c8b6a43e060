import path from 'node:path';

/** Layout of `<clusters folder>/<id>/`. */
export function clusterPaths(root: string) {
  return {
    root,
    /** Certificates and keys; the admin and user certificates of the kubeconfigs among them. */
    pki: path.join(root, 'pki'),
    /** Files made anew at every start: kubeconfigs of the components, configurations. */
    run: path.join(root, 'run'),
    /** One record for each running process; see process/record.ts. */
    pids: path.join(root, 'pids'),
    etcd: path.join(root, 'etcd'),
    ports: path.join(root, 'ports.json'),
    logs: path.join(root, 'logs'),
    podLogs: path.join(root, 'logs', 'pods'),
    /** Volumes and home folders of the pods that run as processes, by pod uid. */
    pods: path.join(root, 'pods'),
    helm: path.join(root, 'helm'),
    /** What was installed for workload identity. */
    workloadIdentity: path.join(root, 'workload-identity.json'),
    /** What was installed for the secrets store driver. */
    secretsStore: path.join(root, 'secrets-store.json'),
  };
}

export type ClusterPaths = ReturnType<typeof clusterPaths>;
