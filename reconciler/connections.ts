// Keeps connection strings current in secrets of vaults: `node reconcile.cjs <connections> [--once]`.
import { readFile } from 'node:fs/promises';
import { azureConnections } from './azureConnections';
import { ConnectionWriting } from './connectionWriting';
import { serve } from './serve';

serve(
  ({ file = '/connections/connections.json', credential, log }) =>
    new ConnectionWriting({
      read: () => readFile(file, 'utf8'),
      azureAt: (resourceManager) => azureConnections(resourceManager, credential),
      now: Date.now,
      log,
    }),
);
