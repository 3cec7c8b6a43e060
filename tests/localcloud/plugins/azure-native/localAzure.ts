import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startAzure, type AzureService } from '../../../../localcloud/azure';
import { FakeClusterRuntime } from '../../support/fakeClusterRuntime';

/** The local Azure in a folder of its own, for tests of clients. */
export interface LocalAzure {
  azure: AzureService;
  /** Clusters are not the point here: they have no control plane. */
  runtime: FakeClusterRuntime;
  folder: string;
  /** What leads a process to this Azure, with the administrator's credentials. */
  environment: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

export async function startLocalAzure(): Promise<LocalAzure> {
  const folder = mkdtempSync(path.join(tmpdir(), 'azure-native-'));
  const runtime = new FakeClusterRuntime();
  const azure = await startAzure({ stateDir: path.join(folder, 'cloud'), runtime });
  const { credentials } = azure;
  return {
    azure,
    runtime,
    folder,
    environment: {
      PATH: process.env['PATH'],
      HTTPS_PROXY: `http://127.0.0.1:${azure.proxyPort}`,
      NO_PROXY: '127.0.0.1,localhost',
      NODE_EXTRA_CA_CERTS: azure.caFile,
      ARM_CLIENT_ID: credentials.clientId,
      ARM_CLIENT_SECRET: credentials.clientSecret,
      ARM_TENANT_ID: credentials.tenantId,
      ARM_SUBSCRIPTION_ID: credentials.subscriptionId,
    },
    async stop() {
      await azure.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
