/**
 * What HyperShift needs of a management cluster: secrets by an identity of the nodes, with the vendors' driver and
 * provider, and its own custom resource definitions. The suites share one cluster.
 */
import { hostedClusterSuite } from './hostedCluster.suite';
import { hostedClusterPodSuite } from './hostedClusterPod.suite';
import { nodeIdentitySuite } from './nodeIdentity.suite';
import type { ManagedCluster, WholeCloud } from '../../support/kubernetes/cloud';
import { managedCluster, startWholeCloud } from '../../support/kubernetes/cloud';
import { hostedClusterImages, startTimeout } from '../../support/kubernetes/runtime';

const running: { whole?: WholeCloud; cluster?: ManagedCluster } = {};
const shared = () => {
  const { whole, cluster } = running;
  if (whole === undefined || cluster === undefined) throw new Error('the local cloud was not started');
  return { whole, cluster };
};

beforeAll(async () => {
  running.whole = await startWholeCloud({ images: hostedClusterImages });
  const rotation = { enableSecretRotation: 'true', rotationPollInterval: '1s' };
  running.cluster = await managedCluster(running.whole, 'aks-management', true, rotation);
}, startTimeout);
afterAll(() => running.whole?.dispose());

describe('secrets by an identity of the node', () => nodeIdentitySuite(shared));
describe('HostedClusters', () => hostedClusterSuite(shared));
describe('pods that sign in with a mounted certificate', () => hostedClusterPodSuite(shared));
