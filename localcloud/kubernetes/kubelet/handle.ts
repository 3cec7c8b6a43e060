import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseLogQuery } from './logQuery';
import type { ContainerProcess, FindPod, ProcessPod } from './pods';
import { openLog } from './readLog';
import { Refusal } from './refusal';

/** Unsupported kubelet endpoints, by the first segment of the path. */
const withoutContainers: Record<string, string> = {
  exec: 'exec',
  run: 'exec',
  attach: 'attach',
  portForward: 'port-forward',
};

/** Answers one request of the API server. @throws Refusal */
export async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  findPod: FindPod,
): Promise<void> {
  const { url, segments } = target(request.url ?? '/');
  const [kind = '', namespace = '', pod = '', container = ''] = segments;
  if (Object.hasOwn(withoutContainers, kind))
    throw new Refusal(noContainers(withoutContainers[kind] ?? kind, findPod, namespace, pod, container));
  if (kind !== 'containerLogs')
    throw new Refusal(`/${kind}: the nodes of the local cloud serve /containerLogs only`, 404);
  if (request.method !== 'GET')
    throw new Refusal(`${request.method ?? ''} ${url.pathname}: only GET is allowed`, 405);
  const query = parseLogQuery(url.searchParams);
  const current = logSource(findPod, namespace, pod, container);
  const source = query.previous === true ? previousRun(current, pod, container) : current;

  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const log = await openLog(source, query);
  try {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
    // A client that follows a silent log waits for the headers.
    response.flushHeaders();
    await pipeline(Readable.from(log.chunks(gone.signal), { objectMode: false }), response);
  } catch (error) {
    // Following ends when the client disconnects.
    if (!gone.signal.aborted) throw error;
  } finally {
    await log.close();
  }
}

function target(requestTarget: string): { url: URL; segments: string[] } {
  try {
    const url = new URL(requestTarget, 'https://node');
    return { url, segments: url.pathname.split('/').slice(1).map(decodeURIComponent) };
  } catch {
    throw new Refusal(`${requestTarget}: the path has invalid percent-encoding`, 400);
  }
}

function logSource(findPod: FindPod, namespace: string, pod: string, container: string): ContainerProcess {
  const source = processPod(findPod, namespace, pod).container(container);
  if (!source)
    throw new Refusal(
      `container ${container} of pod ${namespace}/${pod} is simulated; it has no process and no logs`,
    );
  if (source.waitingFor !== undefined)
    throw new Refusal(
      `container ${container} of pod ${namespace}/${pod} has not started: ${source.waitingFor}`,
    );
  return source;
}

/** The run of a container before its current one. The text of the refusal is a kubelet's. */
function previousRun(
  current: ContainerProcess,
  pod: string,
  container: string,
): Pick<ContainerProcess, 'logFile' | 'run'> {
  const logFile = current.previousLogFile();
  if (logFile === undefined)
    throw new Refusal(`previous terminated container "${container}" in pod "${pod}" not found`);
  return { logFile, run: undefined };
}

function processPod(findPod: FindPod, namespace: string, name: string): ProcessPod {
  const pod = findPod(namespace, name);
  if (pod === 'simulated')
    throw new Refusal(`pod ${namespace}/${name} is simulated; it has no process and no logs`);
  if (!pod) throw new Refusal(`pod ${namespace}/${name} is not known to its node; try again`);
  return pod;
}

function noContainers(
  operation: string,
  findPod: FindPod,
  namespace: string,
  name: string,
  container: string,
) {
  const pod = processPod(findPod, namespace, name);
  const start = `${operation} is not supported, because pods of the local cloud are processes on this machine`;
  if (operation === 'port-forward') {
    const ports = Object.entries(pod.hostPorts()).map(([port, host]) => `${port} at 127.0.0.1:${host}`);
    return `${start}; ${ports.length > 0 ? `connect to its ports directly: ${ports.join(', ')}` : 'it has no ports'}`;
  }
  const source = pod.container(container);
  return source
    ? `${start}; its logs are in ${source.logFile}`
    : `${start}; container ${container} is simulated: it has no process and no logs`;
}
