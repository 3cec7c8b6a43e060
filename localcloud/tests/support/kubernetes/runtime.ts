import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ClusterSpec } from '../../../azure/clusterRuntime';
import type { LocalClusterRuntime } from '../../../kubernetes';
import type { ImageTable } from '../../../kubernetes/imageTable';
import { locateInstance } from '../../../daemon/instance';
import { createClusterRuntime, standardImages } from '../../../kubernetes';
import { openToolchain } from '../../../toolchain';

const projectRoot = path.resolve(__dirname, '../../../..');

export const toolchain = openToolchain({
  projectRoot,
  cacheDir: locateInstance(projectRoot).cacheDir,
});

export const charts = () => toolchain.charts(path.join(projectRoot, '.state', 'charts'));
export const requireTool = toolchain.require.bind(toolchain);

/** Repository of the image that runs support/program.mjs. */
export const programImage = 'registry.test:5000/tests/program';

/** Repository of the image that runs support/reader.mjs. */
export const readerImage = 'registry.test:5000/tests/reader';

/** Repository of the image that runs the toolchain's `hosted-cluster-pod`. */
export const hostedClusterImage = 'registry.test:5000/tests/hosted-cluster-pod';

/** The entry of that image, for suites that need it. */
export const hostedClusterImages: ImageTable = {
  [hostedClusterImage]: {
    command: async () => [await requireTool('hosted-cluster-pod')],
    ports: [8080],
    env: ({ port }) => ({ PORT: String(port(8080)) }),
  },
};

/** A start takes seconds, but many of them on a loaded machine. */
export const startTimeout = 180_000;

export interface TestRuntime {
  runtime: LocalClusterRuntime;
  stateDir: string;
  /** Log messages, newest last. */
  messages: string[];
  dispose(): Promise<void>;
}

export function openRuntime(
  options: {
    stateDir?: string;
    renewTokensAt?: number;
    podEnvironment?: (clusterId: string, podAddress?: string) => Record<string, string>;
    tokenForPod?: Parameters<typeof createClusterRuntime>[0]['tokenForPod'];
    /** Further images. */
    images?: ImageTable;
  } = {},
): TestRuntime {
  const stateDir = options.stateDir ?? mkdtempSync(path.join(os.tmpdir(), 'kubernetes-test-'));
  const messages: string[] = [];
  const log = (message: string) => void messages.push(message);
  const runtime = createClusterRuntime({
    stateDir,
    toolchain,
    charts,
    podEnvironment: options.podEnvironment ?? (() => ({ FROM_THE_CLOUD: 'yes' })),
    tokenForPod: options.tokenForPod,
    images: {
      ...standardImages({
        toolchain,
        scripts: {
          [programImage]: path.join(__dirname, 'program.mjs'),
          [readerImage]: path.join(__dirname, 'reader.mjs'),
        },
      }),
      ...options.images,
    },
    logger: { info: log, warn: log, error: log },
    renewTokensAt: options.renewTokensAt,
  });
  return {
    runtime,
    stateDir,
    messages,
    // A test may have replaced the first runtime by a later one.
    async dispose() {
      await this.runtime.close();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

export function clusterSpec(overrides: Partial<ClusterSpec> = {}): ClusterSpec {
  const tenantId = '11111111-1111-4111-8111-111111111111';
  const id = overrides.id ?? '0f1e2d3c-4b5a-4697-8877-665544332211';
  return {
    id,
    name: 'aks-test',
    resourceId: `/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/aks-test`,
    issuer: `https://westeurope.oic.prod-aks.azure.com/${tenantId}/${id}/`,
    kubernetesVersion: '1.36.3',
    workloadIdentity: false,
    tenantId,
    ...overrides,
  };
}
