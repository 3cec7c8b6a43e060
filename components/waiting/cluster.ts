import type { KubernetesObject } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import { messageOf, UserError } from '../resource/errors';
import { fieldsOf } from '../resource/fields';
import { unattended } from './interactiveSignIn';
import { timeoutAfter } from './requestTimeout';

/** The name of one object in a cluster. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  /** Default: none, for kinds without namespaces. */
  readonly namespace?: string;
  readonly name: string;
}

/** The requests that this program itself sends to a cluster. None of them changes the cluster. */
export interface Cluster {
  /** Reads an object; undefined if the cluster does not have it, or does not serve its kind (yet). */
  get<T extends KubernetesObject>(reference: ObjectReference): Promise<T | undefined>;
  /** Lists the objects of a kind, optionally only those that match a field selector: `involvedObject.uid=…`. */
  list<T extends KubernetesObject>(
    kind: Omit<ObjectReference, 'name'>,
    fieldSelector?: string,
  ): Promise<readonly T[]>;
  /** Returns the issuer of the tokens of service accounts, from the discovery document. */
  issuer(): Promise<string>;
  /** Creates an object as a dry run. Returns the refusal, or undefined if the cluster would accept the object. */
  dryRun(object: KubernetesObject): Promise<string | undefined>;
}

/** An error response of an API server, or of a proxy in front of it. */
export class ClusterAnswerError extends Error {
  constructor(
    message: string,
    /** `forbidden`: the kubeconfig's user may not send the request. `notFound`: the object or its kind does not exist. */
    readonly reason: 'forbidden' | 'notFound' | 'other',
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** An API server that takes longer to respond counts as unreachable. */
const requestTimeoutMs = 30_000;

/** Connects to the cluster of a kubeconfig, as its user. Tests replace `connect`. */
export const clusters = { connect };

async function connect(kubeconfig: string): Promise<Cluster> {
  // Imported here, because the library takes 0.3 seconds to load.
  const library = await import('@kubernetes/client-node');
  const config = new library.KubeConfig();
  try {
    config.loadFromString(kubeconfig);
  } catch {
    // The library's message quotes lines of the file, which may contain a key.
    throw new UserError('The kubeconfig is not valid YAML or not a kubeconfig.');
  }
  const { name = '', server } = config.getCurrentCluster() ?? {};
  if (server === undefined) {
    throw new UserError(`The kubeconfig's context "${config.getCurrentContext()}" names no cluster.`);
  }
  unattended(name, kubeconfig);
  const configuration = library.createConfiguration({
    baseServer: new library.ServerConfiguration(server, {}),
    authMethods: { default: config },
    promiseMiddleware: [timeoutAfter(requestTimeoutMs)],
  });
  const objects = new library.KubernetesObjectApi(configuration);

  return {
    async get<T extends KubernetesObject>({ apiVersion, kind, namespace, name }: ObjectReference) {
      const metadata = { name, namespace };
      try {
        return await answered(
          objects.read<T & { metadata: typeof metadata }>({ apiVersion, kind, metadata }),
        );
      } catch (error) {
        if (error instanceof ClusterAnswerError && error.reason === 'notFound') return undefined;
        throw error;
      }
    },

    async list<T extends KubernetesObject>(
      { apiVersion, kind, namespace }: Omit<ObjectReference, 'name'>,
      fieldSelector?: string,
    ) {
      const defaults = [undefined, undefined, undefined] as const;
      return (await answered(objects.list<T>(apiVersion, kind, namespace, ...defaults, fieldSelector))).items;
    },

    async issuer() {
      const discovery = new library.WellKnownApi(configuration);
      // The library declares a string, but returns the parsed document.
      const document: unknown = await answered(discovery.getServiceAccountIssuerOpenIDConfiguration());
      return String(fieldsOf(document).issuer);
    },

    async dryRun(object) {
      try {
        await answered(objects.create(object, undefined, 'All'));
        return undefined;
      } catch (error) {
        if (!(error instanceof ClusterAnswerError) || error.reason === 'forbidden') throw error;
        return error.message;
      }
    },
  };
}

/** Shortens the library's error messages, which contain whole responses. */
async function answered<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    const { code, body, name } = error as { code?: unknown; body?: unknown; name?: unknown };
    if (typeof code === 'number') throw refusal(code, String(body));
    if (messageOf(error).startsWith('Unrecognized API version and kind')) throw notServed();
    if (name === 'AbortError')
      throw new Error(`the API server did not answer within ${requestTimeoutMs / 1000} seconds`);
    throw error;
  }
}

/**
 * Returns the error for an error response. An API server gives the reason in a `Status`. A proxy sends any text, and a 404
 * from it does not mean that the object is missing.
 */
function refusal(code: number, body: string): ClusterAnswerError {
  if (code === 404 && body.trim() === '404 page not found') return notServed();
  const message = statusMessage(body);
  const reason =
    code === 401 || code === 403 ? 'forbidden' : code === 404 && message !== undefined ? 'notFound' : 'other';
  return new ClusterAnswerError(message ?? `HTTP ${code} ${body.trim().slice(0, 300)}`, reason);
}

function notServed(): ClusterAnswerError {
  return new ClusterAnswerError('the cluster does not serve its kind', 'notFound');
}

function statusMessage(body: string): string | undefined {
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    return typeof message === 'string' && message !== '' ? message : undefined;
  } catch {
    return undefined;
  }
}
