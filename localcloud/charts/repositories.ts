import { stringify } from 'yaml';
import type { CloudReply } from '../azure/server/exchange';
import { CHART_HOSTS } from '../azure/server/hosts';
import { COMMAND } from '../project';
import type { ChartLibrary, PackagedChart } from './library';

/** A vendor's chart repository, with one chart that is served under its public name. */
interface Repository {
  host: string;
  /** Path of the folder with index.yaml, without slashes at its ends. */
  path: string;
  /** Folder of the packages, relative to the index. */
  packages: string;
  chart: string;
}

const repositories: readonly Repository[] = [
  { host: CHART_HOSTS.certManager, path: '', packages: 'charts/', chart: 'cert-manager' },
  {
    host: CHART_HOSTS.serviceOperator,
    path: 'Azure/azure-service-operator/main/v2/charts',
    packages: '',
    chart: 'azure-service-operator',
  },
  {
    host: CHART_HOSTS.workloadIdentityWebhook,
    path: 'azure-workload-identity/charts',
    packages: '',
    chart: 'workload-identity-webhook',
  },
];

/** Answers as a chart repository, with an index and its packages: https://helm.sh/docs/topics/chart_repository/ */
export async function answerRepository(
  host: string,
  path: string,
  library: ChartLibrary,
): Promise<CloudReply> {
  const repository = repositories.find(
    (candidate) =>
      candidate.host === host && (candidate.path === '' || path.startsWith(`${candidate.path}/`)),
  );
  if (repository === undefined) return notFound(host, path);
  const below = repository.path === '' ? path : path.slice(repository.path.length + 1);
  const charts = await library.versions(repository.chart);
  if (charts.length === 0) {
    const hint = `Package the charts with \`${COMMAND} cloud start\`.`;
    return text(404, `${library.fileOf(repository.chart)} does not exist. ${hint}`);
  }
  if (below === 'index.yaml') return content('application/yaml', Buffer.from(indexOf(repository, charts)));
  const chart = charts.find((candidate) => fileOf(repository, candidate) === below);
  if (chart !== undefined) return content('application/gzip', chart.content);
  const files = charts.map((candidate) => fileOf(repository, candidate)).join(', ');
  return text(
    404,
    `There is no ${below} below https://${host}/${repository.path}, only index.yaml and ${files}.`,
  );
}

/** Returns the path of a package, relative to the index. */
function fileOf({ packages }: Repository, { name, version }: PackagedChart): string {
  return `${packages}${name}-${version}.tgz`;
}

function indexOf(repository: Repository, charts: readonly PackagedChart[]): string {
  const entries = charts.map((chart) => {
    const { metadata, digest, created } = chart;
    return { ...metadata, urls: [fileOf(repository, chart)], digest, created };
  });
  const generated = charts[0]?.created;
  return stringify({ apiVersion: 'v1', generated, entries: { [repository.chart]: entries } });
}

function notFound(host: string, path: string): CloudReply {
  const served = repositories.map((candidate) => `https://${candidate.host}/${candidate.path}`).join(', ');
  return text(
    404,
    `The local cloud does not serve https://${host}/${path}. Its chart repositories are ${served}.`,
  );
}

/** Returns a plain text answer: chart repositories have no error format. */
export function text(status: number, message: string): CloudReply {
  return { status, content: { type: 'text/plain; charset=utf-8', bytes: Buffer.from(`${message}\n`) } };
}

function content(type: string, bytes: Buffer): CloudReply {
  return { status: 200, content: { type, bytes } };
}
