import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { markUsed } from './binaryCache';
import { goFlags } from './cacheKey';
import { ToolchainError } from './errors';
import { checkGo, goEnvironment, runGo } from './goCommand';
import { goFailure } from './goFailure';
import { pinnedVersion } from './goMod';

export type Chart =
  'cert-manager' | 'azure-service-operator' | 'workload-identity-webhook' | 'secrets-store-csi-driver';

interface ChartSource {
  /** Go module that carries the chart; its version and its checksum are pinned in modules/charts. */
  module: string;
  /** A folder to package, or an archive to take as it is. */
  path: string;
  /** The release process of cert-manager writes the version; in the source it is v0.0.0. */
  versionFromModule?: boolean;
}

/** No chart repository is asked: each chart comes out of the Go module that its vendor releases. */
export const chartSources: Readonly<Record<Chart, ChartSource>> = {
  'cert-manager': {
    module: 'github.com/cert-manager/cert-manager',
    path: 'deploy/charts/cert-manager',
    versionFromModule: true,
  },
  'azure-service-operator': {
    module: 'github.com/Azure/azure-service-operator/v2',
    path: 'charts/azure-service-operator-2.19.0.tgz',
  },
  'workload-identity-webhook': {
    module: 'github.com/Azure/azure-workload-identity',
    path: 'charts/workload-identity-webhook',
  },
  'secrets-store-csi-driver': {
    module: 'sigs.k8s.io/secrets-store-csi-driver',
    path: 'charts/secrets-store-csi-driver',
  },
};

/** Puts the pinned charts into `folder`, as `<chart>.tgz`; unchanged ones are left alone. */
export async function provideCharts(options: {
  folder: string;
  cacheFolder: string;
  modulesFolder: string;
  helm: () => Promise<string>;
  env: NodeJS.ProcessEnv;
}): Promise<Record<Chart, string>> {
  const pins = path.join(options.modulesFolder, 'charts');
  const [goMod, goSum] = (await Promise.all(
    ['go.mod', 'go.sum'].map((file) => readFile(path.join(pins, file), 'utf8')),
  )) as [string, string];
  const key = createHash('sha256')
    .update(JSON.stringify([goMod, goSum, chartSources]))
    .digest('hex')
    .slice(0, 16);
  const cached = path.join(options.cacheFolder, `charts-${key}`);
  if (await isWhole(cached)) await markUsed(cached);
  else {
    await rm(cached, { recursive: true, force: true });
    await packageAll({ ...options, pins, goMod, cached });
  }

  await mkdir(options.folder, { recursive: true });
  const entries = Object.keys(chartSources).map(async (chart) => {
    const target = path.join(options.folder, `${chart}.tgz`);
    await copyIfChanged(path.join(cached, `${chart}.tgz`), target);
    return [chart, target] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<Chart, string>;
}

async function packageAll(options: {
  pins: string;
  goMod: string;
  cached: string;
  helm: () => Promise<string>;
  env: NodeJS.ProcessEnv;
}): Promise<void> {
  const folders = await downloadModules(options);
  const helm = await options.helm();
  await mkdir(path.dirname(options.cached), { recursive: true });
  const fresh = await mkdtemp(`${options.cached}.`);
  try {
    for (const [chart, source] of Object.entries(chartSources)) {
      const from = path.join(folders.get(source.module) ?? '', source.path);
      if (!(await exists(from))) {
        throw new ToolchainError(
          'chart-missing',
          `The chart ${chart} is not in ${source.module}@${pinnedVersion(options.goMod, source.module)} at ${source.path}. ` +
            'Its version was changed in modules/charts/go.mod: correct the path in localcloud/toolchain/charts.ts.',
        );
      }
      const target = path.join(fresh, `${chart}.tgz`);
      if (source.path.endsWith('.tgz')) await copyFile(from, target);
      else
        await packageChart(
          helm,
          from,
          target,
          source.versionFromModule ? pinnedVersion(options.goMod, source.module) : undefined,
        );
    }
    await writeFile(path.join(fresh, sumsFile), JSON.stringify(await sumsOf(fresh)));
    await rename(fresh, options.cached).catch(async (error: unknown) => {
      // Another process was faster; its charts are the same.
      if (!(await isWhole(options.cached))) throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function packageChart(
  helm: string,
  from: string,
  target: string,
  version: string | undefined,
): Promise<void> {
  const folder = await mkdtemp(path.join(path.dirname(target), 'packaging-'));
  const versions = version === undefined ? [] : ['--version', version, '--app-version', version];
  const { stdout } = await promisify(execFile)(helm, ['package', from, '--destination', folder, ...versions]);
  const archive = /saved it to: (.+)$/m.exec(stdout)?.[1];
  if (archive === undefined)
    throw new ToolchainError('chart-missing', `helm package ${from}: ${stdout.trim()}`);
  await rename(archive, target);
  await rm(folder, { recursive: true });
}

/** Folders of the modules in Go's module cache. Go checks each download against go.sum. */
async function downloadModules(options: {
  pins: string;
  goMod: string;
  env: NodeJS.ProcessEnv;
}): Promise<Map<string, string>> {
  const modules = [...new Set(Object.values(chartSources).map((source) => source.module))];
  const { selfUpgrade } = await checkGo(options.goMod, options.env);
  const output = await runGo(['mod', 'download', '-json', ...modules], {
    cwd: options.pins,
    env: goEnvironment(options.env, goFlags, selfUpgrade),
  });
  const records = output.stdout.split(/^(?=\{)/m).filter((text) => text.trim() !== '');
  const folders = new Map<string, string>();
  for (const text of records) {
    const record = JSON.parse(text) as { Path: string; Dir?: string; Error?: string };
    if (record.Error !== undefined)
      throw goFailure('Fetching the charts', { ...output, stderr: record.Error }, options.goMod);
    if (record.Dir !== undefined) folders.set(record.Path, record.Dir);
  }
  if (output.exitCode !== 0) throw goFailure('Fetching the charts', output, options.goMod);
  return folders;
}

async function copyIfChanged(from: string, to: string): Promise<void> {
  const [wanted, present] = await Promise.all([readFile(from), readFile(to).catch(() => undefined)]);
  if (present?.equals(wanted)) return;
  // A folder of its own for each caller: several may do this at once.
  const folder = await mkdtemp(`${to}.`);
  try {
    await copyFile(from, path.join(folder, 'chart.tgz'));
    await rename(path.join(folder, 'chart.tgz'), to);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Beside the charts: what each of them was when it was packaged. */
const sumsFile = 'sums.json';

async function sumsOf(folder: string): Promise<Record<string, string>> {
  const entries = Object.keys(chartSources).map(async (chart) => {
    const content = await readFile(path.join(folder, `${chart}.tgz`));
    return [chart, createHash('sha256').update(content).digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Whether the charts are there as they were packaged; damaged ones are packaged again. */
async function isWhole(folder: string): Promise<boolean> {
  try {
    return (await readFile(path.join(folder, sumsFile), 'utf8')) === JSON.stringify(await sumsOf(folder));
  } catch {
    return false;
  }
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}
