/**
 * Programs in managed clusters that use Azure: cert-manager, Azure Service Operator, the add-on for Key Vault
 * secrets, with their vendors' code. The suites share a local Azure with two clusters; each has its own
 * namespaces and identities.
 */
import { certManagerSuite } from './certManager.suite';
import { secretsStoreSuite } from './secretsStore.suite';
import { serviceOperatorSuite } from './serviceOperator.suite';
import type { WholeCloud } from '../../support/kubernetes/cloud';
import { installChart, managedCluster, startWholeCloud } from '../../support/kubernetes/cloud';
import { startTimeout } from '../../support/kubernetes/runtime';

const running: { cloud?: WholeCloud } = {};
const cloud = () => {
  if (running.cloud === undefined) throw new Error('the local cloud was not started');
  return running.cloud;
};

beforeAll(async () => {
  running.cloud = await startWholeCloud();
  await Promise.all(
    ['aks-1', 'aks-2'].map(async (name) => {
      const cluster = await managedCluster(cloud(), name);
      await installChart(cloud(), cluster, 'cert-manager', 'cert-manager', { 'crds.enabled': true });
    }),
  );
}, startTimeout);
afterAll(() => running.cloud?.dispose());

describe('cert-manager', () => certManagerSuite(cloud, 'aks-2'));
describe('Azure Service Operator', () => serviceOperatorSuite(cloud));
describe('the add-on for Key Vault secrets', () => secretsStoreSuite(cloud));
