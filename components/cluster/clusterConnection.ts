import type { OutgoingHttpHeaders } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import { VisibleError } from '../resource/errors';
import { fieldsOf, itemsOf } from './fields';

/** One request to an API server. */
export interface ClusterRequest {
  readonly method: 'GET' | 'POST';
  /** Absolute path with its query. */
  readonly path: string;
  readonly body?: unknown;
}

/** What an API server answered. */
export interface ClusterAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends requests to one API server. */
export type SendToCluster = (request: ClusterRequest) => Promise<ClusterAnswer>;

/** An API server that has not answered by then is taken for one that cannot be reached. */
const requestTimeoutMs = 30_000;

/** Sends requests to the API server of a kubeconfig, as its user. */
export async function clusterConnection(kubeconfig: string): Promise<SendToCluster> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(kubeconfig);
  // What is wrong is not told: it comes with the lines around it, which may be a key.
  if (document.errors.length > 0) throw new VisibleError('The kubeconfig is no YAML.');
  const { server, options } = plainConnection(document.toJS()) ?? (await anyConnection(kubeconfig));
  const base = new URL(server);
  return async (request) => send(base, await options(), request);
}

interface Connection {
  readonly server: string;
  /** Asked for each request: a token that a program gives ends within the hour. */
  readonly options: () => https.RequestOptions | Promise<https.RequestOptions>;
}

/** What is read here of a kubeconfig. */
const plainFields = {
  cluster: ['server', 'certificate-authority-data', 'tls-server-name'],
  user: ['client-certificate-data', 'client-key-data', 'token'],
};

/**
 * The connection of a kubeconfig that says everything itself, as that of an AKS administrator does. Kubernetes' own
 * client reads any, and takes half a second to load.
 */
function plainConnection(document: unknown): Connection | undefined {
  const config = fieldsOf(document);
  const context = fieldsOf(named(config.contexts, config['current-context']).context);
  const cluster = fieldsOf(named(config.clusters, context.cluster).cluster);
  const user = fieldsOf(named(config.users, context.user).user);
  const isPlain =
    Object.keys(cluster).every((key) => plainFields.cluster.includes(key)) &&
    Object.keys(user).every((key) => plainFields.user.includes(key));
  const server = textOf(cluster.server);
  if (!isPlain || server === undefined) return undefined;
  const ca = decoded(cluster['certificate-authority-data']);
  const cert = decoded(user['client-certificate-data']);
  const key = decoded(user['client-key-data']);
  const token = textOf(user.token);
  const servername = textOf(cluster['tls-server-name']);
  const options = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(servername !== undefined && { servername }),
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  };
  return { server, options: () => options };
}

/** With programs that give credentials (`kubelogin`), files, proxies. */
async function anyConnection(kubeconfig: string): Promise<Connection> {
  // Not the package's root, which loads a class for each kind of object.
  const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js');
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  const cluster = config.getCurrentCluster();
  if (cluster === null) {
    throw new VisibleError(`The kubeconfig's context "${config.getCurrentContext()}" leads to no cluster.`);
  }
  const options = async () => {
    const applied: https.RequestOptions = {};
    // It runs the program again only once the token that it gave has ended.
    await config.applyToHTTPSOptions(applied);
    return applied;
  };
  return { server: cluster.server, options };
}

function send(base: URL, options: https.RequestOptions, { method, path, body }: ClusterRequest) {
  const url = new URL(`${base.pathname.replace(/\/$/, '')}${path}`, base);
  const text = body === undefined ? undefined : JSON.stringify(body);
  // As an object: neither of the two that make connections gives a list.
  const headers = Array.isArray(options.headers) ? {} : (options.headers as OutgoingHttpHeaders | undefined);
  return new Promise<ClusterAnswer>((resolve, reject) => {
    const request = (base.protocol === 'http:' ? http : https).request(
      url,
      {
        ...options,
        method,
        headers: {
          ...headers,
          accept: 'application/json',
          ...(text !== undefined && { 'content-type': 'application/json' }),
        },
        timeout: requestTimeoutMs,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
        });
      },
    );
    request.on('timeout', () => {
      request.destroy(new Error(`${base.host} did not answer within ${requestTimeoutMs / 1000} s`));
    });
    request.on('error', reject);
    request.end(text);
  });
}

function named(list: unknown, name: unknown): ReturnType<typeof fieldsOf> {
  return (
    itemsOf(list)
      .map(fieldsOf)
      .find((one) => one.name === name) ?? {}
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function decoded(value: unknown): string | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : Buffer.from(text, 'base64').toString('utf8');
}
