import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { createClusterRuntime } from '../../../kubernetes';
import { ensureCredentials } from '../../../kubernetes/controlplane/credentials';
import { clusterPaths } from '../../../kubernetes/controlplane/paths';

let stateDir = '';
beforeEach(() => (stateDir = mkdtempSync(path.join(tmpdir(), 'runtime-'))));
afterEach(() => rmSync(stateDir, { recursive: true }));

const cluster = { id: '0f1e2d3c-4b5a-4697-8877-665544332211', name: 'aks-test' };
const never = () => Promise.reject(new Error('nothing is started here'));
const runtime = () =>
  createClusterRuntime({
    stateDir,
    toolchain: { require: never },
    charts: never,
    podEnvironment: () => ({}),
    images: {},
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('the kubeconfig of a stopped cluster', () => {
  it('needs only what a save contains: its certificates and the port of its API server', async () => {
    const paths = clusterPaths(path.join(stateDir, cluster.id));
    const credentials = await ensureCredentials(paths.pki);
    writeFileSync(paths.ports, JSON.stringify({ apiServer: 12345 }));

    const kubeconfig = parse(await runtime().kubeconfig(cluster, 'admin')) as object;

    expect(kubeconfig).toMatchObject({
      'current-context': 'aks-test',
      clusters: [
        {
          cluster: {
            server: 'https://127.0.0.1:12345',
            'certificate-authority-data': base64(credentials.pair('ca').cert),
          },
        },
      ],
      users: [{ user: { 'client-certificate-data': base64(credentials.pair('admin').cert) } }],
    });
  });

  it('is refused if the cluster was never started', async () => {
    mkdirSync(path.join(stateDir, cluster.id));
    await expect(runtime().kubeconfig(cluster, 'user')).rejects.toThrow(
      `cluster ${cluster.id} was never started`,
    );
  });
});
