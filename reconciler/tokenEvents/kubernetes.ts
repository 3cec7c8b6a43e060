import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import path from 'node:path';
import { nodeComponentContainer } from '../../components/podIdentity/names';
import { fieldsOf } from '../../components/resource/fields';

/** Timeout of a request, in milliseconds. */
const timeout = 30_000;

/** An error answer of the API server. */
export class Refused extends Error {
  constructor(
    request: string,
    readonly status: number,
    body: string,
  ) {
    const { message, details } = statusIn(body);
    super(`Kubernetes answered ${status} to ${request}: ${typeof message === 'string' ? message : body}`);
    const { causes } = fieldsOf(details);
    this.causes = Array.isArray(causes) ? causes.map((cause) => String(fieldsOf(cause).reason)) : [];
  }

  /** The reasons in the status that the API server returned. */
  readonly causes: readonly string[];
}

function statusIn(body: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(JSON.parse(body));
  } catch {
    return {};
  }
}

/** The requests that the program sends to the API server. */
export interface Kubernetes {
  /** All objects of a list. */
  list(path: string, selector?: string): Promise<unknown[]>;
  /** The last lines of the log of a pod of the node component, cut off after the limit of bytes. */
  log(
    pod: { readonly namespace: string; readonly name: string },
    tailLines: number,
    limitBytes: number,
  ): Promise<string>;
  /** @throws Refused */
  createEvent(namespace: string, body: object): Promise<void>;
  /** @throws Refused */
  changeEvent(namespace: string, name: string, body: object): Promise<void>;
}

/**
 * Reads all pages of a list.
 * @param get returns the body of an answer
 */
export async function listAll(
  get: (url: string) => Promise<string>,
  at: string,
  labelSelector?: string,
): Promise<unknown[]> {
  const objects: unknown[] = [];
  let next = '';
  do {
    const query = new URLSearchParams({
      limit: '500',
      ...(labelSelector !== undefined && { labelSelector }),
    });
    if (next !== '') query.set('continue', next);
    const { items, metadata } = fieldsOf(JSON.parse(await get(`${at}?${query.toString()}`)));
    objects.push(...(Array.isArray(items) ? (items as unknown[]) : []));
    const { continue: token } = fieldsOf(metadata);
    next = typeof token === 'string' ? token : '';
  } while (next !== '');
  return objects;
}

/**
 * Connects to the API server of the program's own cluster with its service account's token. The vendor's client is 1.7 MB, and
 * the ConfigMap that the program is read from holds 1 MiB.
 * @param folder contains the token and the CA certificate
 * @param environment variables set by the kubelet
 */
export function inCluster(folder: string, environment: NodeJS.ProcessEnv): Kubernetes {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = environment;
  const agent = new Agent({ keepAlive: true, ca: readFileSync(path.join(folder, 'ca.crt')) });
  const send = (method: string, at: string, body?: object, type = 'application/json') =>
    new Promise<string>((resolve, reject) => {
      // Read each time, because the kubelet renews the token.
      const token = readFileSync(path.join(folder, 'token'), 'utf8');
      const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': type }) };
      const signal = AbortSignal.timeout(timeout);
      const sent = request({ host, port, agent, method, path: at, headers, signal }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const { statusCode = 0 } = response;
          if (statusCode < 300) resolve(text);
          else reject(new Refused(`${method} ${at}`, statusCode, text));
        });
      });
      sent.on('error', reject);
      sent.end(body && JSON.stringify(body));
    });
  const events = (namespace: string) => `/api/v1/namespaces/${namespace}/events`;
  return {
    list: (at, selector) => listAll((url) => send('GET', url), at, selector),
    log: ({ namespace, name }, tailLines, limitBytes) =>
      send(
        'GET',
        `/api/v1/namespaces/${namespace}/pods/${name}/log?container=${nodeComponentContainer}&tailLines=${tailLines}&limitBytes=${limitBytes}`,
      ),
    async createEvent(namespace, body) {
      await send('POST', events(namespace), body);
    },
    async changeEvent(namespace, name, body) {
      await send('PATCH', `${events(namespace)}/${name}`, body, 'application/merge-patch+json');
    },
  };
}
