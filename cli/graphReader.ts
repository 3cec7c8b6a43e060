import * as z from 'zod';
import { allPages } from '../components/azure/resourceManager';
import { isRecord } from '../components/resource/fields';
import type { Cloud } from '../components/azure/clouds';
import { readService } from './azureReader';

/**
 * Reads the directory through Microsoft Graph. The vendor's client would be a second pipeline that handles refusals
 * differently.
 */
export interface GraphReader {
  /** Reads `applications/<object id>` or the like; undefined if it does not exist. v1.0, unless the path begins with `beta/`. */
  get(path: string): Promise<Record<string, unknown> | undefined>;
  /** Reads all pages of a list; empty if its parent does not exist. */
  list(path: string): Promise<Record<string, unknown>[]>;
}

/** Creates a reader of a cloud's directory. */
export function createGraphReader(cloud: Cloud, env: NodeJS.ProcessEnv): GraphReader {
  const { endpoint, read } = readService(cloud, env, 'graph');
  const urlOf = (path: string) => `${endpoint}/${path.startsWith('beta/') ? '' : 'v1.0/'}${path}`;
  return {
    async get(path) {
      const body = await read(urlOf(path));
      return isRecord(body) ? body : undefined;
    },
    list: (path) => allPages(urlOf(path), read),
  };
}

const entraObject = z.object({
  /** Object id. */
  id: z.string(),
  displayName: z.string(),
  tags: z.array(z.string()).default([]),
  description: z.string().nullish(),
});

/** Lists applications, groups or service principals. @param filter OData filter */
export async function filtered(
  graph: GraphReader,
  collection: 'applications' | 'groups' | 'servicePrincipals',
  filter: string,
): Promise<z.infer<typeof entraObject>[]> {
  const query = `$filter=${encodeURIComponent(filter)}&$select=id,displayName,${collection === 'groups' ? 'description' : 'tags'}`;
  return z.array(entraObject).parse(await graph.list(`${collection}?${query}`));
}

/**
 * Lists the object ids of a group's members. v1.0 leaves out service principals, and so managed identities
 * (https://learn.microsoft.com/graph/api/group-list-members).
 */
export async function memberIds(graph: GraphReader, group: string): Promise<string[]> {
  const members = await graph.list(`beta/groups/${group}/members?$select=id`);
  return members.map(({ id }) => String(id));
}
