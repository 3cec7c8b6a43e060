// Writes events for the tokens of aad-pod-identity: `node reconcile.cjs <document> [--once]`.
import { readFile } from 'node:fs/promises';
import { serviceAccountFolder } from '../../components/reconciler/serviceAccountFolder';
import { serve } from '../serve';
import { inCluster } from './kubernetes';
import { TokenEvents } from './tokenEvents';

serve(({ file = '/tokens/tokens.json', log }) => {
  const { SERVICE_ACCOUNT: folder = serviceAccountFolder, ...environment } = process.env;
  return new TokenEvents({
    read: () => readFile(file, 'utf8'),
    kubernetes: inCluster(folder, environment),
    now: Date.now,
    log,
  });
});
