import { z } from 'zod';
import { allPages, isRecord, type Cloud } from '../stacks/offline';
import { readService } from './azureReader';

/** Reads the directory through Microsoft Graph. */
export interface GraphReader {
  /** What is at the path, such as `applications/<object id>`, or undefined if there is none. */
  get(path: string): Promise<Record<string, unknown> | undefined>;
  /** All pages of a list; empty if its parent does not exist. */
  list(path: string): Promise<Record<string, unknown>[]>;
}

/** A reader of a cloud's directory. */
export function createGraphReader(cloud: Cloud, env: NodeJS.ProcessEnv): GraphReader {
  const { endpoint, read } = readService(cloud, env, 'graph');
  const urlOf = (path: string) => `${endpoint}/v1.0/${path}`;
  return {
    async get(path) {
      const found = await read(urlOf(path));
      return isRecord(found) ? found : undefined;
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

/** Applications, groups or service principals. @param filter OData filter */
export async function filtered(
  graph: GraphReader,
  collection: 'applications' | 'groups' | 'servicePrincipals',
  filter: string,
): Promise<z.infer<typeof entraObject>[]> {
  const query = `$filter=${encodeURIComponent(filter)}&$select=id,displayName,${collection === 'groups' ? 'description' : 'tags'}`;
  return z.array(entraObject).parse(await graph.list(`${collection}?${query}`));
}
