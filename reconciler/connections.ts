// Keeps connection strings current in secrets of vaults: `node reconcile.cjs <connections> [--once]`.
import { readFile } from 'node:fs/promises';
import { azureConnections } from './azureConnections';
import { ConnectionWriting } from './connectionWriting';
import { azureCredential } from './credential';
import { serve } from './serve';

serve(({ file = '/connections/connections.json', isOnce, log }) => {
  const credential = azureCredential(isOnce);
  return new ConnectionWriting({
    read: () => readFile(file, 'utf8'),
    azureAt: (resourceManager) => azureConnections(resourceManager, credential),
    now: Date.now,
    log,
  });
});
