import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Asset, Value } from '../../protocol';
import type { Json } from '../json';
import { isJsonObject, numberAt, textAt, toJson } from '../json';
import { runGuarded } from './process';
import type { ReleaseArguments } from './properties';

/** The helm command, and the cluster that it works on. */
export interface Helm {
  /** Contents of a kubeconfig; undefined for commands that need no cluster. */
  kubeconfig: string | undefined;
  context: string | undefined;
  /** Variables that override the isolated ones. */
  variables: Record<string, string>;
}

/** Helm ended with an error; `message` is helm's own. */
export class HelmError extends Error {
  override name = 'HelmError';
}

export interface HelmRun {
  values?: Value;
  valueFiles?: Asset[];
  signal?: AbortSignal;
  onLine?: (line: string) => void;
}

/** What helm knows of a release. */
export interface ReleaseRecord {
  status: string;
  revision: number;
  manifest: string;
  /** Manifests of the hooks. */
  hooks: string[];
  /** The values as the user gave them. */
  config: Json;
}

/** The chart of a release. */
export interface ChartMetadata {
  chart: string;
  version: string;
  appVersion: string;
}

/** Runs helm with homes of its own, so that nothing depends on, or changes, the user's. Gives standard output. */
export async function runHelm(helm: Helm, args: string[], run: HelmRun = {}): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'helm-'));
  try {
    const files = await writeFiles(folder, run.valueFiles ?? []);
    const values = [...files, ...(run.values === undefined ? [] : ['-'])].flatMap((file) => [
      '--values',
      file,
    ]);
    const cluster = await clusterArguments(helm, folder);
    const executable = process.env['AKS_WI_HELM'] ?? 'helm';
    const result = await runGuarded(executable, [...args, ...values, ...cluster], {
      folder,
      env: environment(helm, folder),
      // JSON is YAML; by standard input the values, and the secrets among them, never are in a file.
      input: run.values === undefined ? '' : JSON.stringify(toJson(run.values)),
      signal: run.signal,
      onLine: run.onLine,
    });
    if (result.code === 127) {
      throw new Error(`helm was not found as '${executable}': install helm 3 or set AKS_WI_HELM to its path`);
    }
    if (result.code !== 0)
      throw new HelmError(errorText(result.stderr) || `helm ended with code ${result.code}`);
    return result.stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Undefined if there is no such release. */
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

/** The chart that a release was made from. */
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

/** Name and version of the chart that a reference, with its version constraint, leads to. */
export async function showChart(helm: Helm, release: ReleaseArguments): Promise<{ version: string }> {
  const args = ['show', 'chart', ...chartArguments(release)];
  const output = await runHelm({ ...helm, kubeconfig: undefined }, args);
  const version = /^version: "?([^"\n]+)"?$/m.exec(output)?.[1];
  if (version === undefined) throw new Error(`helm shows no version for chart '${release.chart}'`);
  return { version };
}

/** How helm is told which chart to use. */
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
    // What one cluster serves says nothing about the next one at the same address.
    KUBECACHEDIR: path.join(folder, 'discovery'),
    ...helm.variables,
  };
}

/** Helm's error without the warnings before it. */
function errorText(stderr: string): string {
  const start = stderr.lastIndexOf('Error: ');
  return (start < 0 ? stderr : stderr.slice(start + 'Error: '.length)).trim();
}
