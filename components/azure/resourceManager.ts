import { fieldsOf, isRecord } from '../resource/fields';

/** API versions of the resource manager for requests without azure-native. */
export const apiVersions = {
  activityLog: '2015-04-01',
  assignments: '2022-04-01',
  clusters: '2025-09-01',
  features: '2021-07-01',
  identities: '2023-01-31',
  identityBindings: '2025-06-02-preview',
  permissions: '2022-04-01',
  resources: '2021-04-01',
  roles: '2022-04-01',
  sizes: '2021-07-01',
  usages: '2024-07-01',
  workspaces: '2023-09-01',
  /**
   * The control plane, which returns the names of secrets but never their values. Older versions retire on 2027-02-27
   * (azure-security-docs `articles/key-vault/general/access-control-default.md`).
   */
  vaults: '2026-02-01',
} as const;

/** A list of the resource manager. */
export interface AzureList {
  /** Path of the list, such as `/subscriptions/<id>/resources`. */
  readonly path: string;
  readonly apiVersion: string;
  /** OData filter. Default: none. */
  readonly filter?: string | undefined;
}

/** Returns the URL of a resource, or of an operation on one, at a resource manager. */
export function resourceUrl(endpoint: string, path: string, apiVersion: string): string {
  return `${endpoint}${encodeURI(path)}?api-version=${apiVersion}`;
}

/** Returns the URL of a list's first page at a resource manager. */
export function listUrl(endpoint: string, { path, apiVersion, filter }: AzureList): string {
  const query = filter === undefined ? '' : `&$filter=${encodeURIComponent(filter)}`;
  return `${resourceUrl(endpoint, path, apiVersion)}${query}`;
}

/**
 * Returns every item of a list, from all its pages: of the resource manager (`nextLink`) or of Microsoft Graph
 * (`@odata.nextLink`).
 * @param first URL of the first page; no other server is asked, because `read` sends a token
 * @param read returns the body of an answer
 */
export async function allPages(
  first: string,
  read: (url: string) => Promise<unknown>,
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  let url = first;
  for (;;) {
    const { value, nextLink, '@odata.nextLink': next = nextLink } = fieldsOf(await read(url));
    found.push(...(Array.isArray(value) ? value.filter(isRecord) : []));
    if (typeof next !== 'string') return found;
    if (new URL(next).origin !== new URL(first).origin)
      throw new Error(`the next page of ${first} is on another server, ${next}`);
    url = next;
  }
}
