import type { TokenCredential } from '@azure/core-auth';
import { AuthenticationHandler, Client, type GraphRequest } from '@microsoft/microsoft-graph-client';
import * as z from 'zod';
import type { Properties, Value } from '../../protocol';
import { failureOf, isNotFound } from './failure';
import { PipelineHandler } from './pipelineHandler';
import { untilGone } from './visible';

export const graphRoot = 'https://graph.microsoft.com/v1.0';
/**
 * Root for lists of a group's members: v1.0 omits service principals
 * (https://learn.microsoft.com/graph/api/group-list-members).
 */
const betaRoot = 'https://graph.microsoft.com/beta';
export const graphScope = 'https://graph.microsoft.com/.default';

const value: z.ZodType<Value> = z.json();
const object: z.ZodType<Properties> = z.record(z.string(), value);
const page = z.looseObject({ value: z.array(object), '@odata.nextLink': z.string().optional() });

/** A client of Microsoft Graph v1.0, by the paths of its entities. */
export class GraphClient {
  private readonly client: Client;

  constructor(credential: TokenCredential) {
    const authentication = new AuthenticationHandler({
      async getAccessToken() {
        const token = await credential.getToken(graphScope);
        if (token === null) throw new Error(`no token for ${graphScope}`);
        return token.token;
      },
    });
    authentication.setNext(new PipelineHandler());
    this.client = Client.initWithMiddleware({ middleware: authentication });
  }

  /** Returns an entity. @throws GraphFailure, with status 404 if there is no such entity */
  async get(path: string, signal: AbortSignal): Promise<Properties> {
    return object.parse(await this.send('GET', path, signal, (request) => request.get()));
  }

  /** Returns the entity; undefined if there is none. */
  async find(path: string, signal: AbortSignal): Promise<Properties | undefined> {
    try {
      return await this.get(path, signal);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /**
   * Returns all entities of a collection, from all pages.
   *
   * @param filter OData filter. @default all
   */
  async list(path: string, signal: AbortSignal, filter?: string): Promise<Properties[]> {
    const entities: Properties[] = [];
    const first = path.endsWith('/members') ? `${betaRoot}${path}` : path;
    for (let next: string | undefined = first; next !== undefined;) {
      const answer = page.parse(
        await this.send('GET', next, signal, (request) =>
          next === first && filter !== undefined ? request.filter(filter).get() : request.get(),
        ),
      );
      entities.push(...answer.value);
      next = answer['@odata.nextLink'];
    }
    return entities;
  }

  /** Sends a POST and returns the entity in the answer; empty if there is none. */
  async post(path: string, body: Properties, signal: AbortSignal): Promise<Properties> {
    const answer = await this.send('POST', path, signal, (request) => request.post(body));
    return answer === undefined || answer === null ? {} : object.parse(answer);
  }

  async patch(path: string, body: Properties, signal: AbortSignal): Promise<void> {
    await this.send('PATCH', path, signal, (request) => request.patch(body));
  }

  async delete(path: string, signal: AbortSignal): Promise<void> {
    await this.send('DELETE', path, signal, (request) => request.delete());
  }

  /** Deletes an entity, and waits until the directory does not show it any more. */
  async deleteUntilGone(path: string, signal: AbortSignal): Promise<void> {
    await this.delete(path, signal);
    await untilGone(() => this.find(path, signal), signal);
  }

  private async send(
    method: string,
    path: string,
    signal: AbortSignal,
    invoke: (request: GraphRequest) => Promise<unknown>,
  ): Promise<unknown> {
    try {
      return await invoke(this.client.api(path).option('signal', signal));
    } catch (error) {
      throw failureOf(error, `${method} ${path}`);
    }
  }
}

/** Returns a string quoted for an OData filter. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
