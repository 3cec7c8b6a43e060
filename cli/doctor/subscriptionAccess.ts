import { allPages, listUrl, type AzureList } from '../../components/azure/resourceManager';
import type { AzureLists } from '../../verification/access';
import type { ReadService } from '../azureReader';
import type { Warning } from './finding';

/** Azure as the checks of a subscription see it. */
export interface SubscriptionAccess {
  readonly manager: Pick<ReadService, 'endpoint' | 'read'>;
  readonly lists: Pick<AzureLists, 'listAssignments' | 'listCredentials'>;
}

/** Returns all items of a list; undefined if the resource manager does not have it. */
export async function listed(
  { manager }: Pick<SubscriptionAccess, 'manager'>,
  list: AzureList,
): Promise<Record<string, unknown>[] | undefined> {
  const answers: unknown[] = [];
  const items = await allPages(listUrl(manager.endpoint, list), async (page) => {
    const answer = await manager.read(page);
    answers.push(answer);
    return answer;
  });
  return answers.includes(undefined) ? undefined : items;
}

/** Returns the warning for something that the resource manager does not have, such as the local cloud's. */
export const notChecked = (what: string): Warning => ({
  detail: `not checked: this cloud does not say anything about ${what}`,
  hint: 'Check it by hand.',
});
