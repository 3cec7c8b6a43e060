import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeWhole } from '../writeWhole';
import { markUsed } from './binaryCache';
import type { Chart, PinFolder } from './chartSources';
import { chartFiles, chartSources, pinFolders } from './chartSources';
import type { GoPlace } from './goPackages';
import type { Pins } from './packageCharts';
import { packageCharts } from './packageCharts';

export type { Chart } from './chartSources';

/** The cache of the pinned charts. */
export interface ChartCache {
  /** Cache folder for these pins, which may not exist yet. */
  folder: string;
  pins: Record<PinFolder, Pins>;
}

export async function chartCache(modulesFolder: string, cacheFolder: string): Promise<ChartCache> {
  const { pins, hash } = await readPins(modulesFolder);
  return { folder: path.join(cacheFolder, `charts-${hash}`), pins };
}

/** Packages the charts into the cache. Requires the build lock. */
export async function fillChartCache({ folder, pins }: ChartCache, helm: string, go: GoPlace): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const fresh = await mkdtemp(`${folder}.`);
  try {
    await packageCharts({ into: fresh, pins, helm, go });
    await writeFile(path.join(fresh, sumsFile), JSON.stringify(await sumsOf(fresh)));
    // `mkdtemp` creates private folders, but every user of the cache must be able to read this one.
    await chmod(fresh, 0o755);
    await rename(fresh, folder);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/**
 * Copies the cached charts into `folder` as `<chart>.tgz`, and the older versions into its `before/`. Unchanged charts
 * are not touched. Returns the path of each chart.
 */
export async function copyCharts(cached: string, folder: string): Promise<Record<Chart, string>> {
  await markUsed(cached);
  await Promise.all(
    [...chartFiles.keys()].map((file) => copyIfChanged(path.join(cached, file), path.join(folder, file))),
  );
  const charts = Object.keys(chartSources).map((chart) => [chart, path.join(folder, `${chart}.tgz`)]);
  return Object.fromEntries(charts) as Record<Chart, string>;
}

async function readPins(modulesFolder: string): Promise<{ pins: Record<PinFolder, Pins>; hash: string }> {
  const hash = createHash('sha256').update(JSON.stringify([...chartFiles]));
  const pins = {} as Record<PinFolder, Pins>;
  for (const name of pinFolders) {
    const folder = path.join(modulesFolder, name);
    const [goMod, goSum] = (await Promise.all(
      ['go.mod', 'go.sum'].map((file) => readFile(path.join(folder, file), 'utf8')),
    )) as [string, string];
    hash.update(JSON.stringify([goMod, goSum]));
    pins[name] = { folder, goMod };
  }
  return { pins, hash: hash.digest('hex').slice(0, 16) };
}

async function copyIfChanged(from: string, to: string): Promise<void> {
  const [content, present] = await Promise.all([readFile(from), readFile(to).catch(() => undefined)]);
  if (present?.equals(content) !== true) writeWhole(to, content, 0o644);
}

/** File with the checksums of the packaged charts. */
const sumsFile = 'sums.json';

async function sumsOf(folder: string): Promise<Record<string, string>> {
  const entries = [...chartFiles.keys()].map(async (file) => {
    const content = await readFile(path.join(folder, file));
    return [file, createHash('sha256').update(content).digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Whether all charts exist and are undamaged. */
export async function chartsAreWhole(folder: string): Promise<boolean> {
  try {
    return (await readFile(path.join(folder, sumsFile), 'utf8')) === JSON.stringify(await sumsOf(folder));
  } catch {
    return false;
  }
}
