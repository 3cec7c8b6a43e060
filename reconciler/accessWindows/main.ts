// Opens and closes access windows: `node reconcile.cjs <schedule> [--once]`.
import { readFile } from 'node:fs/promises';
import { azureAssignments } from './azureAssignments';
import { azureCredential } from '../credential';
import { Reconciler } from './reconciler';
import { serve } from '../serve';

serve(({ file = '/schedule/schedule.json', isOnce, log }) => {
  const credential = azureCredential(isOnce);
  return new Reconciler({
    read: () => readFile(file, 'utf8'),
    assignmentsAt: (resourceManager) => azureAssignments(resourceManager, credential),
    now: Date.now,
    log,
  });
});
