import { fieldsOf, isRecord } from '../resource/fields';

/** Versions of the resource manager's API for what is read without azure-native. */
export const apiVersions = {
  assignments: '2022-04-01',
  identities: '2023-01-31',
  resources: '2021-04-01',
  /**
   * The control plane, which tells the names of secrets and never their values. Older versions retire on 2027-02-27
   * (azure-security-docs `articles/key-vault/general/access-control-default.md`).
   */
  vaults: '2026-02-01',
} as const;

/** A list of the resource manager. */
export interface AzureList {
  /** `/subscriptions/<id>/resources`. */
  readonly path: string;
  readonly apiVersion: string;
  /** OData filter. Default: none. */
  readonly filter?: string | undefined;
}

/**
 * Every item of a list, of all its pages.
 * @param endpoint address of the resource manager; nothing else is asked, since `read` sends a token
 * @param read gives the body of an answer
 */
export async function allPages(
  endpoint: string,
  { path, apiVersion, filter }: AzureList,
  read: (url: string) => Promise<unknown>,
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  const query = filter === undefined ? '' : `&$filter=${encodeURIComponent(filter)}`;
  let next: unknown = `${endpoint}${encodeURI(path)}?api-version=${apiVersion}${query}`;
  while (typeof next === 'string' && new URL(next).origin === endpoint) {
    const { value, nextLink } = fieldsOf(await read(next));
    found.push(...(Array.isArray(value) ? value.filter(isRecord) : []));
    next = nextLink;
  }
  return found;
}
