import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Asset, Value } from '../../protocol';
import type { Json } from '../json';
import { isJsonObject, numberAt, textAt, toJson } from '../json';
import { runGuarded } from './process';
import type { ReleaseArguments } from './properties';
import { variable } from '../../../project';

/** The helm command and its cluster. */
export interface Helm {
  /** Contents of a kubeconfig; undefined for commands that need no cluster. */
  kubeconfig: string | undefined;
  context: string | undefined;
  /** Environment variables that override the isolated ones. */
  variables: Record<string, string>;
}

/** The error if helm fails; `message` is helm's. */
export class HelmError extends Error {
  override name = 'HelmError';
}

export interface HelmRun {
  values?: Value;
  valueFiles?: Asset[];
  signal?: AbortSignal;
  onLine?: (line: string) => void;
}

/** Helm's record of a release. */
export interface ReleaseRecord {
  status: string;
  revision: number;
  manifest: string;
  hooks: string[];
  /** The user's values. */
  config: Json;
}

/** The chart of a release. */
export interface ChartMetadata {
  chart: string;
  version: string;
  appVersion: string;
}

/** Runs helm with its own configuration and cache folders, and returns its standard output. */
export async function runHelm(helm: Helm, args: string[], run: HelmRun = {}): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'helm-'));
  try {
    const files = await writeFiles(folder, run.valueFiles ?? []);
    const values = [...files, ...(run.values === undefined ? [] : ['-'])].flatMap((file) => [
      '--values',
      file,
    ]);
    const cluster = await clusterArguments(helm, folder);
    const executable = process.env[variable('HELM')] ?? 'helm';
    const result = await runGuarded(executable, [...args, ...values, ...cluster], {
      folder,
      env: environment(helm, folder),
      // JSON is valid YAML. Values go through standard input, so that secrets are never in a file.
      input: run.values === undefined ? '' : JSON.stringify(toJson(run.values)),
      signal: run.signal,
      onLine: run.onLine,
    });
    if (result.code === 127) {
      throw new Error(
        `helm was not found as '${executable}': install helm 3 or set ${variable('HELM')} to its path`,
      );
    }
    if (result.code !== 0)
      throw new HelmError(errorText(result.stderr) || `helm ended with code ${result.code}`);
    return result.stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns helm's record of a release; undefined if there is no such release. */
export async function findRelease(
  helm: Helm,
  release: { name: string; namespace: string },
): Promise<ReleaseRecord | undefined> {
  let output: string;
  try {
    output = await runHelm(helm, [
      'status',
      release.name,
      '--namespace',
      release.namespace,
      '--output',
      'json',
    ]);
  } catch (error) {
    if (error instanceof HelmError && /release: not found/.test(error.message)) return undefined;
    throw error;
  }
  const record = JSON.parse(output) as Json;
  const hooks = isJsonObject(record) && Array.isArray(record['hooks']) ? record['hooks'] : [];
  return {
    status: textAt(record, 'info', 'status') ?? 'unknown',
    revision: numberAt(record, ['version'], 0),
    manifest: textAt(record, 'manifest') ?? '',
    hooks: hooks.map((hook) => textAt(hook, 'manifest') ?? ''),
    config: isJsonObject(record) ? (record['config'] ?? {}) : {},
  };
}

/** Returns the chart from which a release was installed. */
export async function readChartMetadata(
  helm: Helm,
  release: { name: string; namespace: string },
): Promise<ChartMetadata> {
  const args = ['get', 'metadata', release.name, '--namespace', release.namespace, '--output', 'json'];
  const metadata = JSON.parse(await runHelm(helm, args)) as Json;
  return {
    chart: textAt(metadata, 'chart') ?? '',
    version: textAt(metadata, 'version') ?? '',
    appVersion: textAt(metadata, 'appVersion') ?? '',
  };
}

/** Returns the exact version of the chart for a reference with a version constraint. */
export async function showChart(helm: Helm, release: ReleaseArguments): Promise<{ version: string }> {
  const args = ['show', 'chart', ...chartArguments(release)];
  const output = await runHelm({ ...helm, kubeconfig: undefined }, args);
  const version = /^version: "?([^"\n]+)"?$/m.exec(output)?.[1];
  if (version === undefined) throw new Error(`helm shows no version for chart '${release.chart}'`);
  return { version };
}

/** Returns the arguments that select the chart. */
export function chartArguments(release: ReleaseArguments): string[] {
  const option = (flag: string, value: string | undefined): string[] =>
    value === undefined ? [] : [flag, value];
  return [
    release.chart,
    ...option('--version', release.version),
    ...option('--repo', release.repository.repo),
    ...option('--ca-file', release.repository.caFile),
    ...option('--cert-file', release.repository.certFile),
    ...option('--key-file', release.repository.keyFile),
    ...option('--username', release.repository.username),
    ...option('--password', release.repository.password),
    ...option('--keyring', release.keyring),
    ...(release.verify === true ? ['--verify'] : []),
    ...(release.devel === true ? ['--devel'] : []),
  ];
}

async function writeFiles(folder: string, assets: Asset[]): Promise<string[]> {
  return Promise.all(
    assets.map(async (asset, index) => {
      if ('path' in asset.source) return asset.source.path;
      if ('uri' in asset.source) return asset.source.uri;
      const file = path.join(folder, `values-${index}.yaml`);
      await writeFile(file, asset.source.text, { mode: 0o600 });
      return file;
    }),
  );
}

async function clusterArguments(helm: Helm, folder: string): Promise<string[]> {
  if (helm.kubeconfig === undefined) return [];
  const file = path.join(folder, 'kubeconfig');
  await writeFile(file, helm.kubeconfig, { mode: 0o600 });
  return ['--kubeconfig', file, ...(helm.context === undefined ? [] : ['--kube-context', helm.context])];
}

function environment(helm: Helm, folder: string): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !/^(HELM_|KUBE)/.test(entry[0]),
  );
  return {
    ...Object.fromEntries(inherited),
    HELM_CACHE_HOME: path.join(folder, 'cache'),
    HELM_CONFIG_HOME: path.join(folder, 'config'),
    HELM_DATA_HOME: path.join(folder, 'data'),
    // One cache per run, because another cluster may later have the same address.
    KUBECACHEDIR: path.join(folder, 'discovery'),
    ...helm.variables,
  };
}

/** Returns helm's error without preceding warnings. */
function errorText(stderr: string): string {
  const start = stderr.lastIndexOf('Error: ');
  return (start < 0 ? stderr : stderr.slice(start + 'Error: '.length)).trim();
}
