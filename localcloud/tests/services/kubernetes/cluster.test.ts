/**
 * A cluster as processes on this machine, without Azure, including restarts. The suites share one cluster, each
 * with its own namespace; the last one removes it.
 */
import { agentSuite } from './agent.suite';
import { controlPlaneSuite } from './controlPlane.suite';
import { logsSuite } from './logs.suite';
import { restartsSuite } from './restarts.suite';
import { startTimeout } from '../../support/kubernetes/runtime';
import { SharedCluster } from '../../support/kubernetes/sharedCluster';
import { webhookSuite } from './webhook.suite';

const cluster = new SharedCluster({ renewTokensAt: 0.002 });

beforeAll(async () => {
  process.env['ARM_CLIENT_SECRET'] = 'of the daemon';
  await cluster.start();
}, startTimeout);
afterAll(async () => {
  delete process.env['ARM_CLIENT_SECRET'];
  await cluster.dispose();
});

describe('a control plane as processes', () => controlPlaneSuite(cluster));
describe('pods as processes', () => agentSuite(cluster));
describe('logs of pods', () => logsSuite(cluster));
describe('the chart of the workload identity webhook', () => webhookSuite(cluster));
describe('a cluster that is stopped and started', () => restartsSuite(cluster));
