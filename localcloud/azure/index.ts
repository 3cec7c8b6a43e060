import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { ensureAdministrator } from './administrator';
import { ActivityLog } from './arm/activityLog';
import type { Logger } from '../logger';
import type { ArmContext } from './arm/context';
import { LongRunning } from './arm/longRunning';
import { Operations } from './arm/operations';
import { Clusters } from './arm/resources/clusterLifecycle';
import { resumeRemovals } from './arm/resources/clusters';
import { resumeGroupDeletions } from './arm/resources/deletion';
import { armEndpoints } from './arm/routes';
import { ArmService } from './arm/service';
import { AuditLog } from './audit';
import { ControllableClock } from './clock';
import type { ClusterRuntime } from './clusterRuntime';
import { Control } from './control';
import type { Credentials } from './credentials';
import { openCredentials } from './credentials';
import { BlobService } from './blob/service';
import { createDispatcher } from './dispatch';
import { clusterIssuer } from './entra/clusterIssuers';
import { Issuers } from './entra/issuers';
import { EntraService } from './entra/service';
import type { TokenContext } from './entra/token';
import { tokenForPod } from './entra/tokenProxy';
import { Faults } from './faults';
import { GraphService } from './graph/service';
import { SigningKey } from './identity/signingKey';
import { Tokens } from './identity/tokens';
import { VaultService } from './keyvault/service';
import { LogQueryService } from './logs/service';
import { logSignIn } from './logs/signIns';
import { LogTables } from './logs/tables';
import { KeyStore } from './store/keyStore';
import { SecretStore } from './store/secretStore';
import { LocalService } from './localService';
import { clusterWithId } from './metadata/assignedIdentities';
import { Nodes } from './metadata/nodes';
import { MetadataService } from './metadata/service';
import type { CloudReply, CloudRequest, CloudService } from './server/exchange';
import { createHttpServer } from './server/httpServer';
import { isLoopback } from './server/hosts';
import { listen, listenPreferring, recordedPorts, recordPorts, stop } from './server/ports';
import { createProxy } from './server/proxy';
import { openTls } from './server/tls';
import { Store } from './store/store';

export type { TokenIssuance } from './audit';

export interface AzureOptions {
  /** The instance folder, for `azure/`, `tls/` and `credentials.json`. */
  stateDir: string;
  /** The runtime of managed clusters. It is not called before `startAzure` has resolved. */
  runtime: ClusterRuntime;
  /**
   * Ports on 127.0.0.1. A requested port that is taken is an error. @default the ports of the last start if they are free, else
   * any free ones
   */
  ports?: { azure?: number; proxy?: number };
  /** Serves charts under their public names. @default no charts are served */
  charts?: CloudService;
  /** @default the machine's clock */
  clock?: ControllableClock;
  /** @default nothing is logged */
  logger?: Logger;
}

export interface AzureService {
  azurePort: number;
  proxyPort: number;
  /**
   * Returns the proxy URL for the processes of a cluster's node or, with `podAddress`, for the pod with that address. Its
   * credentials tell the metadata service who sent a request.
   *
   * @param clusterId the GUID in the cluster's issuer
   */
  nodeProxy(clusterId: string, podAddress?: string): string;
  /**
   * Answers a request that a cluster's token proxy received.
   *
   * @param clusterId the GUID in the cluster's issuer
   */
  tokenForPod(clusterId: string, request: CloudRequest): Promise<CloudReply>;
  /** PEM file with the certificate authority to trust. */
  caFile: string;
  credentials: Credentials;
  control: Control;
  /** Stops serving. The clusters keep running until the runtime closes. */
  close(): Promise<void>;
}

const SILENT: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

const only = (answer: CloudService['handle']): CloudService => ({
  handle: answer,
  fault: (status, code, message) => ({ status, body: { error: { code, message } } }),
});

const missing = (message: string): CloudService =>
  only(() => Promise.resolve({ status: 501, body: { error: { code: 'NotImplemented', message } } }));

/** Starts the local Azure on 127.0.0.1 and resumes its stored clusters in the background. */
export async function startAzure(options: AzureOptions): Promise<AzureService> {
  const { stateDir, logger = SILENT, clock = new ControllableClock() } = options;
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const folder = path.join(stateDir, 'azure');
  const store = new Store(folder);
  const tls = await openTls(path.join(stateDir, 'tls'));
  const credentials = openCredentials(path.join(stateDir, 'credentials.json'));
  ensureAdministrator(store, credentials, clock.now());

  const ports = { azure: 0, proxy: 0 };
  const key = new SigningKey(path.join(folder, 'signing.key'));
  const tokens = new Tokens(key, clock);
  const tables = new LogTables(path.join(folder, 'logs'));
  const audit = new AuditLog(path.join(folder, 'audit.jsonl'), (entry) => logSignIn(store, tables, entry));
  const faults = new Faults();
  const operations = new Operations(store, clock);
  operations.prune();
  const clusters = new Clusters(store, operations, options.runtime, logger);
  const longRunning = new LongRunning(store, clock, operations, faults);
  const activities = new ActivityLog(path.join(folder, 'activity.jsonl'));
  const context: ArmContext = { store, clock, operations, longRunning, activities, clusters, logger };
  const isOwnOrigin = (url: string): boolean => {
    if (!URL.canParse(url)) return false;
    const { origin, protocol, hostname, port } = new URL(url);
    return origin === url && protocol === 'https:' && isLoopback(hostname) && Number(port) === ports.azure;
  };
  const issuers = new Issuers({ port: () => ports.azure, ca: tls.ca }, clock);
  const nodes = new Nodes();
  const propagation = (): number => faults.federatedCredentialPropagation;
  const entra: TokenContext = { store, clock, issuers, propagation, tokens, audit, isOwnOrigin };
  const dispatch = createDispatcher(
    {
      arm: new ArmService(context, tokens, armEndpoints(context), isOwnOrigin),
      entra: new EntraService(entra, key),
      vault: new VaultService(
        { store, clock, secrets: new SecretStore(store, clock), keys: new KeyStore(store, clock), tables },
        tokens,
      ),
      blob: new BlobService({ store, clock, tokens }),
      issuer: only((request) => clusterIssuer(store, clusters, request)),
      graph: new GraphService({ store, clock }, tokens),
      logs: new LogQueryService({ store, clock, tables }, tokens),
      metadata: new MetadataService({
        ...{ store, clock, tokens, audit, nodes, isOwnOrigin },
        nodeManagedIdentity: (id) => options.runtime.nodeManagedIdentity?.(id),
      }),
      charts: options.charts ?? missing('This local cloud serves no charts.'),
      local: new LocalService(store, tokens, audit, faults, clusters, isOwnOrigin),
    },
    faults,
    clock,
    logger,
  );

  const server = createHttpServer(tls, dispatch);
  const proxy = createProxy(() => ports.azure, dispatch);
  const portsFile = path.join(folder, 'ports.json');
  const last = recordedPorts(portsFile);
  const portChoice = (name: 'azure' | 'proxy'): { port: number; required: boolean } => ({
    port: options.ports?.[name] ?? last[name],
    required: (options.ports?.[name] ?? 0) !== 0,
  });
  ports.azure = await listenPreferring((port) => listen(server, port), portChoice('azure'));
  try {
    ports.proxy = await listenPreferring((port) => listen(proxy, port), portChoice('proxy'));
  } catch (error) {
    await stop(server);
    throw error;
  }
  recordPorts(portsFile, ports);

  // Deferred, because the caller may need the ports first, for the runtime's pods.
  setImmediate(() => {
    clusters.resume();
    longRunning.resume();
    resumeRemovals(context);
    resumeGroupDeletions(context);
  });

  return {
    azurePort: ports.azure,
    proxyPort: ports.proxy,
    nodeProxy: (clusterId, podAddress) =>
      `http://${nodes.userInfo(clusterId, podAddress)}@127.0.0.1:${ports.proxy}`,
    tokenForPod: async (clusterId, request) => {
      const cluster = clusterWithId(store, clusterId);
      const review = options.runtime.reviewIdentityUse?.bind(options.runtime, clusterId);
      if (cluster === undefined || review === undefined) throw new Error(`no cluster ${clusterId}`);
      return tokenForPod(entra, cluster, request, review);
    },
    caFile: tls.caFile,
    credentials,
    control: new Control(clock, faults, store, audit),
    close: async () => {
      clock.close();
      await stop(proxy);
      await stop(server);
    },
  };
}
