/**
 * The kubernetes plugin, through its protocol and with the real engine, with a real API server. Its process is
 * that of `make up`. The suites share one cluster; each has its own namespace.
 */
import { startTimeout } from '../../../support/kubernetes/runtime';
import { engineSuite } from './engine.suite';
import { externalClusterSuite } from './externalCluster.suite';
import { objectsSuite } from './objects.suite';
import { patchesSuite } from './patches.suite';
import { releasesSuite } from './releases.suite';
import { PluginCluster } from './support/pluginCluster';
import { workloadsSuite } from './workloads.suite';

const cluster = new PluginCluster();
beforeAll(() => cluster.start(), startTimeout);
afterAll(() => cluster.dispose());

describe('objects', () => objectsSuite(cluster));
describe('patches', () => patchesSuite(cluster));
describe('workloads', () => workloadsSuite(cluster));
describe('releases', () => releasesSuite(cluster));
describe('a cluster that is not managed by AKS', () => externalClusterSuite(cluster));
describe('the real engine with the plugin', () => engineSuite(cluster));
