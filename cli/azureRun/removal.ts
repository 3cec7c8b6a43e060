import { setTimeout } from 'node:timers/promises';
import { resourceUrl, apiVersions } from '../../components/azure/resourceManager';
import { fieldsOf, textOf } from '../../components/resource/fields';
import type { ReadService } from '../azureReader';
import { printNote } from '../print';
import { UserError } from '../userError';
import { groupOf, runTag, vaultOf, type Run } from './stackFile';

/** Seconds between two looks at a long operation. */
const pause = 5;
/** Seconds until the removal gives up. The deletion of a cluster takes up to 15 minutes. */
const patience = 45 * 60;

async function gone(what: string, read: () => Promise<unknown>): Promise<void> {
  for (let waited = 0; waited < patience; waited += pause) {
    if ((await read()) === undefined) return;
    if (waited > 0 && waited % 60 === 0) printNote(`${what} still exists after ${waited / 60} min …\n`);
    await setTimeout(pause * 1000);
  }
  throw new UserError(
    `${what} still exists after ${patience / 60} minutes.`,
    'Run the command again with --remove.',
  );
}

/**
 * Deletes the resource group of a run with everything in it, and purges its vault. Both must be the run's: the group by its tag, the
 * deleted vault by the group that it was in.
 */
export async function removeFromAzure(
  run: Run,
  { endpoint, read, write }: Pick<ReadService, 'endpoint' | 'read' | 'write'>,
): Promise<void> {
  const [group, vault] = [groupOf(run), vaultOf(run)];
  const subscription = `/subscriptions/${run.subscription}`;
  const groupUrl = resourceUrl(endpoint, `${subscription}/resourceGroups/${group}`, apiVersions.resources);
  const found = await read(groupUrl);
  if (found !== undefined) {
    if (fieldsOf(fieldsOf(found)['tags'])[runTag] !== run.id)
      throw new UserError(
        `The resource group ${group} does not have the tag ${runTag} of this run, and was not deleted.`,
        'Look at it, and delete it by hand.',
      );
    await write('DELETE', groupUrl);
    await gone(`The resource group ${group}`, () => read(groupUrl));
  }
  const deleted = `${subscription}/providers/Microsoft.KeyVault/locations/${run.location}/deletedVaults/${vault}`;
  const deletedUrl = resourceUrl(endpoint, deleted, apiVersions.vaults);
  const { vaultId } = fieldsOf(fieldsOf(await read(deletedUrl))['properties']);
  if (!textOf(vaultId).toLowerCase().includes(`/resourcegroups/${group}/`)) return;
  await write('POST', resourceUrl(endpoint, `${deleted}/purge`, apiVersions.vaults));
  await gone(`The deleted vault ${vault}`, () => read(deletedUrl));
}
