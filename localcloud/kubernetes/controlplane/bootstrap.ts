import type { ApiClient } from '../api/client';
import { isStatus } from '../api/client';
import { clusterUserName } from './credentials';
import { kubeletPort, nodeIp, nodeName } from './node';

const objects = (version: string) => [
  {
    path: '/api/v1/nodes',
    body: {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: nodeName,
        labels: {
          'kubernetes.io/hostname': nodeName,
          'kubernetes.io/os': 'linux',
          'kubernetes.io/arch': 'amd64',
          'kubernetes.azure.com/agentpool': 'nodepool1',
          'kubernetes.azure.com/mode': 'system',
          agentpool: 'nodepool1',
        },
        annotations: { 'kwok.x-k8s.io/node': 'fake' },
      },
      // Created with its status, as a kubelet does; kwok adds the conditions.
      status: {
        // The address of the node's endpoint for the API server.
        addresses: [
          { type: 'InternalIP', address: nodeIp },
          { type: 'Hostname', address: nodeName },
        ],
        daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
        nodeInfo: {
          architecture: 'amd64',
          operatingSystem: 'linux',
          osImage: 'Local cloud',
          kernelVersion: '',
          containerRuntimeVersion: 'process://1.0.0',
          kubeletVersion: version,
          kubeProxyVersion: '',
          machineID: '',
          systemUUID: '',
          bootID: '',
        },
      },
    },
  },
  {
    path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    body: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'aks-cluster-admin-binding' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: clusterUserName }],
    },
  },
];

/** Creates the objects that AKS creates with a cluster, if they are missing. */
export async function bootstrap(client: ApiClient): Promise<void> {
  const { gitVersion } = await client.get<{ gitVersion: string }>('/version');
  await Promise.all(
    objects(gitVersion).map(async ({ path, body }) => {
      try {
        await client.create(path, body);
      } catch (error) {
        if (!isStatus(error, 409)) throw error;
      }
    }),
  );
}

interface NodeStatus {
  status?: { conditions?: { type: string; status: string }[] };
}

/**
 * Tells whether pods can be created and scheduled. This tests the effects of the controller manager and kwok, not
 * their health endpoints.
 */
export async function acceptsPods(client: ApiClient): Promise<boolean> {
  try {
    const [node] = await Promise.all([
      client.get<NodeStatus>(`/api/v1/nodes/${nodeName}`),
      client.get('/api/v1/namespaces/default/serviceaccounts/default'),
      client.get('/api/v1/namespaces/kube-system/serviceaccounts/default'),
    ]);
    return (
      node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
    );
  } catch (error) {
    if (isStatus(error, 404)) return false;
    throw error;
  }
}
