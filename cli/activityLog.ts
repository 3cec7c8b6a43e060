import * as z from 'zod';
import { allPages, apiVersions, listUrl } from '../components/azure/resourceManager';
import type { ReadService } from './azureReader';

/** Retention of the activity log in days (azure-docs articles/role-based-access-control/change-history-report.md). */
export const activityLogDays = 90;

/** Azure refuses earlier times (Azure/azure-cli #4885). The hour allows for the time until the request. */
const longest = (activityLogDays * 24 - 1) * 60 * 60 * 1000;

/** Source: azure-rest-api-specs `…/Microsoft.Insights/…/stable/2015-04-01/activityLogs_API.json`. */
export const activityEvent = z.object({
  eventTimestamp: z.coerce.date(),
  operationId: z.string().nullish(),
  operationName: z.object({ value: z.string() }),
  status: z.object({ value: z.string() }),
  resourceId: z.string(),
  caller: z.string().nullish(),
  properties: z.record(z.string(), z.unknown()).nullish(),
});

/**
 * Reads the events of a period in the subscriptions of the resources.
 * @param filter one further condition; the log supports no more besides the time
 */
export async function activityEvents(
  { endpoint, read }: Pick<ReadService, 'endpoint' | 'read'>,
  ids: readonly string[],
  { since, now, filter }: { since: Date; now: Date; filter: string },
): Promise<unknown[]> {
  const first = new Date(Math.max(since.getTime(), now.getTime() - longest));
  const time = `eventTimestamp ge '${first.toISOString()}' and eventTimestamp le '${now.toISOString()}'`;
  const lists = [...new Set(ids.map((id) => id.split('/')[2] ?? ''))].map((subscription) => {
    const path = `/subscriptions/${subscription}/providers/Microsoft.Insights/eventtypes/management/values`;
    const url = listUrl(endpoint, {
      path,
      apiVersion: apiVersions.activityLog,
      filter: `${time} and ${filter}`,
    });
    return allPages(url, read);
  });
  return (await Promise.all(lists)).flat();
}
