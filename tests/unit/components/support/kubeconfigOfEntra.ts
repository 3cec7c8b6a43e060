import { stringify } from 'yaml';

/** A user's kubeconfig as AKS answers it for a cluster without local accounts, with changes of its `exec` section. */
export const kubeconfigOfEntra = (exec: object = {}, user = 'clusterUser_rg_aks-1'): string =>
  stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'aks-1',
    contexts: [{ name: 'aks-1', context: { cluster: 'aks-1', user } }],
    clusters: [{ name: 'aks-1', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [
      {
        name: 'clusterUser_rg_aks-1',
        user: {
          exec: {
            apiVersion: 'client.authentication.k8s.io/v1beta1',
            command: 'kubelogin',
            args: ['get-token', '--server-id', 's', '--tenant-id', 't', '--login', 'devicecode'],
            env: null,
            provideClusterInfo: false,
            ...exec,
          },
        },
      },
    ],
  });
