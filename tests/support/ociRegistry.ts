import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { parse } from 'yaml';
import { runProcess } from './command';

/** A registry that charts can be pulled from, over plain HTTP on loopback, as helm tries where HTTPS is not spoken. */
export interface Registry {
  /** `127.0.0.1:<port>`; a chart is at `oci://<host>/<repository>/<name>`. */
  readonly host: string;
  /** Packages the chart in `folder` and puts it into `repository`, under its name and version. */
  push(folder: string, repository: string): Promise<void>;
  close(): Promise<void>;
}

interface Content {
  readonly mediaType: string;
  readonly bytes: Buffer;
}

const digestOf = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const descriptor = ({ mediaType, bytes }: Content) => ({
  mediaType,
  digest: digestOf(bytes),
  size: bytes.length,
});
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

/**
 * Starts one. It has what a pull takes: manifests by tag or digest, blobs by digest, and the list of tags
 * (opencontainers/distribution-spec).
 * @param scratch folder for what is made in between
 */
export async function startRegistry(scratch: string): Promise<Registry> {
  const manifests = new Map<string, Content>();
  const blobs = new Map<string, Content>();
  const server = createServer((request, response) => {
    answer(request, response, { manifests, blobs });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    async push(folder, repository) {
      const chart = await packaged(folder, scratch);
      const layers = [
        { mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip', bytes: chart.archive },
      ];
      const config = { mediaType: 'application/vnd.cncf.helm.config.v1+json', bytes: json(chart.metadata) };
      const mediaType = 'application/vnd.oci.image.manifest.v1+json';
      const bytes = json({
        ...{ schemaVersion: 2, mediaType },
        ...{ config: descriptor(config), layers: layers.map(descriptor) },
      });
      for (const blob of [config, ...layers]) blobs.set(digestOf(blob.bytes), blob);
      const name = `${repository}/${chart.metadata.name}`;
      for (const reference of [chart.metadata.version, digestOf(bytes)]) {
        manifests.set(`${name}:${reference}`, { mediaType, bytes });
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

interface Held {
  readonly manifests: ReadonlyMap<string, Content>;
  readonly blobs: ReadonlyMap<string, Content>;
}

function answer(
  { url = '', method }: IncomingMessage,
  response: ServerResponse,
  { manifests, blobs }: Held,
): void {
  const [, name = '', kind = '', reference = ''] =
    /^\/v2\/(.+)\/(manifests|blobs|tags)\/([^/?]+)/.exec(url) ?? [];
  const send = ({ mediaType, bytes }: Content, status = 200): void => {
    const headers = { 'content-type': mediaType, 'content-length': bytes.length };
    response.writeHead(status, { ...headers, 'docker-content-digest': digestOf(bytes) });
    response.end(method === 'HEAD' ? undefined : bytes);
  };
  const content = kind === 'manifests' ? manifests.get(`${name}:${reference}`) : blobs.get(reference);
  if (url === '/v2/') send({ mediaType: 'application/json', bytes: json({}) });
  else if (kind === 'tags') {
    const keys = [...manifests.keys()].filter((key) => key.startsWith(`${name}:`));
    const tags = keys.map((key) => key.slice(name.length + 1)).filter((tag) => !tag.includes(':'));
    send({ mediaType: 'application/json', bytes: json({ name, tags }) });
  } else if (content !== undefined) send(content);
  else send({ mediaType: 'application/json', bytes: json({ errors: [{ code: 'NOT_FOUND' }] }) }, 404);
}

/** The chart as `helm package` makes it: one folder, named as the chart, in a compressed archive. */
async function packaged(folder: string, scratch: string) {
  const metadata = parse(readFileSync(path.join(folder, 'Chart.yaml'), 'utf8')) as {
    name: string;
    version: string;
  };
  const target = mkdtempSync(path.join(scratch, 'chart-'));
  try {
    const file = path.join(target, 'chart.tgz');
    const args = ['-czf', file, '-C', path.dirname(folder), path.basename(folder)];
    const { code, stderr } = await runProcess('tar', args);
    if (code !== 0) throw new Error(`tar ended with ${code}: ${stderr}`);
    return { metadata, archive: readFileSync(file) };
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}
