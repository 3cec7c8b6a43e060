import { createHash } from 'node:crypto';
import type { CloudReply } from '../azure/server/exchange';
import type { ChartLibrary, PackagedChart } from './library';

const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const configType = 'application/vnd.cncf.helm.config.v1+json';
const layerType = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';

interface Blob {
  type: string;
  bytes: Buffer;
}

/**
 * Answers at the pull endpoints of the OCI distribution specification 1.1, for charts:
 * https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#pull. They need no credentials.
 */
export async function answerRegistry(
  method: string,
  segments: string[],
  library: ChartLibrary,
): Promise<CloudReply> {
  if (segments[0] !== 'v2') return refused(404, 'NAME_UNKNOWN', 'this registry serves paths below /v2/ only');
  if (method !== 'GET' && method !== 'HEAD') {
    return refused(405, 'UNSUPPORTED', 'this registry is read-only: its charts are part of the local cloud');
  }
  if (segments.length === 1) return { status: 200, body: {} };
  const [kind = '', reference = ''] = segments.slice(-2);
  const name = segments.slice(1, -2).join('/');
  const packaged = await library.list();
  const charts = packaged.filter((chart) => repositoryOf(chart) === name);
  if (charts.length === 0) {
    const known = packaged.map(repositoryOf).join(', ');
    return refused(404, 'NAME_UNKNOWN', `unknown repository '${name}': this registry has ${known || 'none'}`);
  }
  if (kind === 'tags' && reference === 'list')
    return { status: 200, body: { name, tags: charts.map(tagOf) } };
  if (kind === 'manifests') return manifest(charts, reference);
  if (kind === 'blobs') return blob(charts, reference);
  return refused(404, 'UNSUPPORTED', `'${kind}' is not one of manifests, blobs, tags`);
}

/** Returns `helm/<chart>`, a common name for the repository of a chart. */
function repositoryOf(chart: PackagedChart): string {
  return `helm/${chart.name}`;
}

/** Returns the tag of a chart's version. Tags cannot contain a plus sign; helm uses an underscore instead. */
function tagOf(chart: PackagedChart): string {
  return chart.version.replaceAll('+', '_');
}

function configOf(chart: PackagedChart): Blob {
  return { type: configType, bytes: Buffer.from(JSON.stringify(chart.metadata)) };
}

function layerOf(chart: PackagedChart): Blob {
  return { type: layerType, bytes: chart.content };
}

function manifestOf(chart: PackagedChart): Blob {
  const descriptor = (of: Blob) => ({ mediaType: of.type, digest: digestOf(of), size: of.bytes.length });
  const document = {
    schemaVersion: 2,
    mediaType: manifestType,
    config: descriptor(configOf(chart)),
    layers: [descriptor(layerOf(chart))],
  };
  return { type: manifestType, bytes: Buffer.from(JSON.stringify(document)) };
}

function manifest(charts: PackagedChart[], reference: string): CloudReply {
  const match = charts.find(
    (chart) => tagOf(chart) === reference || digestOf(manifestOf(chart)) === reference,
  );
  if (match !== undefined) return answer(manifestOf(match));
  return refused(404, 'MANIFEST_UNKNOWN', `'${reference}' is not one of ${charts.map(tagOf).join(', ')}`);
}

function blob(charts: PackagedChart[], digest: string): CloudReply {
  const blobs = charts.flatMap((chart) => [configOf(chart), layerOf(chart), manifestOf(chart)]);
  const match = blobs.find((candidate) => digestOf(candidate) === digest);
  return match ? answer(match) : refused(404, 'BLOB_UNKNOWN', `there is no blob '${digest}'`);
}

function digestOf({ bytes }: Blob): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function answer(content: Blob): CloudReply {
  return { status: 200, headers: { 'docker-content-digest': digestOf(content) }, content };
}

function refused(status: number, code: string, message: string): CloudReply {
  return { status, body: { errors: [{ code, message }] } };
}
