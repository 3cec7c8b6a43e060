import type { TestCloud } from './azure';

/** An entity of Microsoft Graph. */
export type Entity = Record<string, unknown> & { id: string; appId: string };

/** A page of a list of Microsoft Graph. */
export interface Page {
  readonly value: Entity[];
  readonly '@odata.nextLink'?: string;
}

/** Address of Microsoft Graph's version 1.0. */
export const GRAPH_ROOT = 'https://graph.microsoft.com/v1.0';

/** An id that no object has. */
export const NOBODY = '99999999-9999-4999-8999-999999999999';

/** What tests do at Microsoft Graph, as the administrator and with its own client. */
export function directory(cloud: TestCloud) {
  const send = (path: string) => cloud.graph().api(path);
  const post = async (path: string, body?: unknown): Promise<Entity> =>
    (await send(path).post(body)) as Entity;
  const patch = (path: string, body: object): Promise<unknown> => send(path).patch(body);
  return {
    get: async (path: string): Promise<Entity> => (await send(path).get()) as Entity,
    page: async (path: string): Promise<Page> => (await send(path).get()) as Page,
    post,
    patch,
    remove: (path: string): Promise<unknown> => send(path).delete(),
    application: (displayName: string, more: object = {}): Promise<Entity> =>
      post('/applications', { displayName, ...more }),
    principal: ({ appId }: Entity): Promise<Entity> => post('/servicePrincipals', { appId }),
    /** A new client secret of an application. */
    secret: async ({ id }: Entity): Promise<{ keyId: string; secretText: string }> => {
      const created = await post(`/applications/${id}/addPassword`, {});
      return { keyId: String(created['keyId']), secretText: String(created['secretText']) };
    },
    /** Replaces the key credentials of an application. */
    setKeys: ({ id }: Entity, ...keyCredentials: object[]): Promise<unknown> =>
      patch(`/applications/${id}`, { keyCredentials }),
  };
}

/** Display names of the entities of a page. */
export const names = ({ value }: Page): unknown[] => value.map(({ displayName }) => displayName);
