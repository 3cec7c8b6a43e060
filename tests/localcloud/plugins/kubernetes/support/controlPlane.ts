import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { createClusterRuntime } from '../../../../../localcloud/kubernetes';
import { openToolchain } from '../../../../../localcloud/toolchain';

const projectRoot = path.resolve(__dirname, '../../../../..');
const clusterId = '0c0c0c0c-1111-4111-8111-000000000001';

/** A real control plane: etcd, API server, controller manager, scheduler, and kwok that plays all pods. */
export interface ControlPlane {
  kubeconfig: string;
  helm: string;
  /** A folder of the test's own. */
  folder: string;
  stop(): Promise<void>;
}

export async function startControlPlane(): Promise<ControlPlane> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kubernetes-plugin-'));
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
  const toolchain = openToolchain({
    projectRoot,
    cacheDir: process.env['AKS_WI_CACHE'] ?? path.join(cache, 'aks-workload-identity'),
  });
  const quiet = (): void => undefined;
  const runtime = createClusterRuntime({
    stateDir: path.join(folder, 'clusters'),
    toolchain,
    charts: () => Promise.reject(new Error('this cluster has no workload identity')),
    podEnvironment: () => ({}),
    images: {},
    logger: { info: quiet, warn: quiet, error: quiet },
  });
  const stop = async (): Promise<void> => {
    await runtime.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await runtime.ensure({
      id: clusterId,
      name: 'plugin-test',
      resourceId:
        '/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/plugin-test',
      issuer: 'https://westeurope.oic.prod-aks.azure.com/tenant/plugin-test/',
      kubernetesVersion: '1.36',
      workloadIdentity: false,
      tenantId: '11111111-1111-4111-8111-111111111111',
    });
    const kubeconfig = await runtime.kubeconfig(clusterId, 'admin');
    return { kubeconfig, helm: await toolchain.require('helm'), folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
