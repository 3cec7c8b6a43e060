// The process of the local cloud: the local Azure and its clusters.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { startAzure, type AzureService } from '../azure';
import { ChartsService } from '../charts';
import {
  createClusterRuntime,
  IMAGES_VARIABLE,
  parseStartDelays,
  readOwnImages,
  standardImages,
  START_DELAYS_VARIABLE,
  startLate,
} from '../kubernetes';
import { stopOrphanedClusters } from '../kubernetes/orphanedClusters';
import { acquireLock, LockedError } from '../lock';
import { identifyProcess } from '../processIdentity';
import { installation, projectCharts, projectImages } from '../project';
import { openToolchain } from '../toolchain';
import { INSTANCE_VARIABLE, locateInstance, type Instance } from './instance';
import { createLogger } from './log';
import { endProcesses, processesWith } from './processes';
import { writeRunRecord } from './runFile';
import { reason } from '../logger';

/** The command starts this process in the project's folder. */
const projectRoot = process.cwd();
const logger = createLogger((line) => process.stderr.write(line));

async function serve(instance: Instance): Promise<() => Promise<void>> {
  const self = identifyProcess(process.pid);
  if (self === undefined) throw new Error('this process is not in /proc: the local cloud needs Linux');
  const remaining = processesWith(INSTANCE_VARIABLE, instance.folder);
  if (remaining.length > 0) {
    logger.warn(`stopping ${remaining.length} processes of a killed local cloud`);
    await endProcesses(remaining, 3000);
  }
  const stopped = await stopOrphanedClusters(instance.clustersDir);
  if (stopped.length > 0) logger.warn(`stopped processes of a killed local cloud: ${stopped.join(', ')}`);
  rmSync(instance.runFile, { force: true });

  const toolchain = openToolchain({
    projectRoot: installation,
    cacheDir: instance.cacheDir,
    stateRoot: instance.stateRoot,
  });
  let azure: AzureService | undefined;
  const images = {
    ...standardImages({ toolchain, scripts: projectImages, workingFolder: projectRoot }),
    ...readOwnImages(process.env[IMAGES_VARIABLE]),
  };
  const delays = parseStartDelays(process.env[START_DELAYS_VARIABLE], images);
  const runtime = createClusterRuntime({
    stateDir: instance.clustersDir,
    toolchain,
    charts: () => toolchain.charts(instance.chartsDir),
    podEnvironment: (clusterId, podAddress) => podEnvironment(instance, azure, clusterId, podAddress),
    tokenForPod: (clusterId, request) => {
      if (azure === undefined) throw new Error('the local Azure has not started yet');
      return azure.tokenForPod(clusterId, request);
    },
    images: startLate(images, delays),
    logger,
  });
  const stopRuntime = async (): Promise<void> => {
    await runtime.close();
  };
  try {
    const charts = new ChartsService({
      packaged: instance.chartsDir,
      sources: path.resolve(projectRoot, projectCharts),
    });
    azure = await startAzure({ stateDir: instance.folder, runtime, logger, charts });
  } catch (error) {
    await stopRuntime();
    throw error;
  }
  const service = azure;
  const { azurePort, proxyPort } = service;
  writeRunRecord(instance.runFile, { ...self, startedAt: new Date().toISOString(), azurePort, proxyPort });
  logger.info(`serving on 127.0.0.1:${azurePort}, proxy on 127.0.0.1:${proxyPort}`);
  return async () => {
    rmSync(instance.runFile, { force: true });
    // Pods stop first, while the services that they use still respond.
    await stopRuntime();
    await service.close();
  };
}

/** Returns the environment with which the processes of pods reach the local Azure under Azure's public names. */
function podEnvironment(
  instance: Instance,
  azure: AzureService | undefined,
  clusterId: string,
  podAddress?: string,
): Record<string, string> {
  if (azure === undefined) return {};
  const proxy = azure.nodeProxy(clusterId, podAddress);
  return {
    HTTPS_PROXY: proxy,
    // For the metadata service. The proxy refuses plain HTTP to other addresses, as it does tunnels.
    HTTP_PROXY: proxy,
    NO_PROXY: '127.0.0.1,localhost,.svc,10.0.0.0/8',
    NODE_EXTRA_CA_CERTS: azure.caFile,
    SSL_CERT_FILE: azure.caFile,
    [INSTANCE_VARIABLE]: instance.folder,
  };
}

async function main(): Promise<void> {
  const instance = locateInstance(projectRoot);
  let release: () => void;
  try {
    release = acquireLock(instance.lockFile);
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    throw new Error(`a local cloud already uses ${instance.folder} (process ${error.holder.pid})`);
  }
  // A signal during the start takes effect when the start has ended.
  let stopping: (() => void) | undefined;
  const stop = new Promise<void>((resolve) => (stopping = resolve));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      logger.info(`stopping on ${signal}`);
      stopping?.();
    });
  }
  // The daemon outlives the terminal that started it.
  process.on('SIGHUP', () => undefined);
  try {
    const close = await serve(instance);
    await stop;
    await close();
    logger.info('stopped');
  } finally {
    release();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    logger.error(reason(error));
    if (error instanceof Error && error.stack !== undefined) logger.info(error.stack);
    process.exit(1);
  },
);
