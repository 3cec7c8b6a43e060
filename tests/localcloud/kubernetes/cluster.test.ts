/**
 * A cluster as processes of this machine, without Azure: what runs it, what runs in it, and how it goes on after a
 * restart. The suites share one cluster, each in a namespace of its own; the last one ends it.
 */
import { agentSuite } from './agent.suite';
import { controlPlaneSuite } from './controlPlane.suite';
import { logsSuite } from './logs.suite';
import { restartsSuite } from './restarts.suite';
import { startTimeout } from './support/runtime';
import { SharedCluster } from './support/sharedCluster';
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
