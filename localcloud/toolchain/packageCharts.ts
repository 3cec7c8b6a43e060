import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { parseDocument } from 'yaml';
import type { ChartSource, PinFolder } from './chartSources';
import { chartFiles, pinFolders } from './chartSources';
import { UserError } from '../userError';
import { expandVersions, pinnedVersion } from './goMod';
import type { GoPlace } from './goPackages';
import { fetchModules } from './goPackages';

/** A folder with a go.mod that pins charts. */
export interface Pins {
  folder: string;
  goMod: string;
}

/** Packages every chart into the existing folder `into`. */
export async function packageCharts(options: {
  into: string;
  pins: Readonly<Record<PinFolder, Pins>>;
  /** Path of helm. */
  helm: string;
  go: GoPlace;
}): Promise<void> {
  const { into, pins, helm, go } = options;
  const folders = await fetchChartModules(pins, go);
  for (const [file, source] of chartFiles) {
    const { goMod } = pins[source.pins];
    const version = pinnedVersion(goMod, source.module);
    const from = path.join(folders[source.pins].get(source.module) ?? '', source.path);
    if (!(await exists(from))) {
      throw new UserError(
        `The chart ${file} is not in ${source.module}@${version} at ${source.path}. ` +
          `Its version was changed in modules/${source.pins}/go.mod: correct the path in localcloud/toolchain/chartSources.ts.`,
      );
    }
    const target = path.join(into, file);
    await mkdir(path.dirname(target), { recursive: true });
    if (source.path.endsWith('.tgz')) await copyFile(from, target);
    else await packageChart(helm, source, from, target, goMod);
  }
}

async function packageChart(
  helm: string,
  source: ChartSource,
  from: string,
  target: string,
  goMod: string,
): Promise<void> {
  const folder = await mkdtemp(path.join(path.dirname(target), 'packaging-'));
  const { module, template, values, versionFromModule } = source;
  const isReleased = template === undefined && values === undefined;
  const chart = isReleased ? from : await releasedCopy(source, from, folder, goMod);
  const version = pinnedVersion(goMod, module);
  const versions = versionFromModule === true ? ['--version', version, '--app-version', version] : [];
  const args = ['package', chart, '--destination', folder, ...versions];
  const { stdout } = await promisify(execFile)(helm, args);
  const archive = /saved it to: (.+)$/m.exec(stdout)?.[1];
  if (archive === undefined) throw new UserError(`helm package ${from} failed: ${stdout.trim()}`);
  await rename(archive, target);
  await rm(folder, { recursive: true });
}

/**
 * Returns a copy of the chart's folder as the vendor releases it: Chart.yaml from its template, and values.yaml with the
 * values of the release. It is copied file by file, because Go's module cache is read-only.
 */
async function releasedCopy(
  { template, values }: ChartSource,
  from: string,
  below: string,
  goMod: string,
): Promise<string> {
  const copy = path.join(below, path.basename(from));
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const original = path.join(entry.parentPath, entry.name);
    const relative = path.relative(from, original);
    const content = await readFile(original);
    const target = path.join(copy, relative === template?.file ? 'Chart.yaml' : relative);
    await mkdir(path.dirname(target), { recursive: true });
    if (relative === template?.file)
      await writeFile(target, fill(content.toString('utf8'), template.values, original));
    else if (relative === 'values.yaml' && values !== undefined)
      await writeFile(target, setValues(content.toString('utf8'), values, goMod, original));
    else await writeFile(target, content);
  }
  return copy;
}

function setValues(
  text: string,
  values: Readonly<Record<string, string>>,
  goMod: string,
  file: string,
): string {
  const document = parseDocument(text);
  for (const [name, value] of Object.entries(values)) {
    const keys = name.split('.');
    if (!document.hasIn(keys))
      throw new UserError(
        `${file} has no value ${name}. Correct \`values\` in localcloud/toolchain/chartSources.ts.`,
      );
    document.setIn(keys, expandVersions(value, goMod));
  }
  return document.toString({ lineWidth: 0 });
}

function fill(text: string, values: Readonly<Record<string, string>>, file: string): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
    const value = values[name];
    if (value !== undefined) return value;
    throw new UserError(
      `${file} has the unknown placeholder ${placeholder}; known are ${Object.keys(values).join(', ')}. ` +
        'Add its value to localcloud/toolchain/chartSources.ts.',
    );
  });
}

/** Downloads the modules with charts, and returns their folders in Go's module cache. */
export async function fetchChartModules(
  pins: Readonly<Record<PinFolder, Pins>>,
  go: GoPlace,
): Promise<Record<PinFolder, Map<string, string>>> {
  const folders = {} as Record<PinFolder, Map<string, string>>;
  for (const name of pinFolders) {
    const { folder, goMod } = pins[name];
    const sources = [...chartFiles.values()]
      .filter((chart) => chart.pins === name)
      .map(({ module }) => module);
    folders[name] = await fetchModules('Fetching the charts', [...new Set(sources)], {
      ...go,
      cwd: folder,
      goMod,
    });
  }
  return folders;
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}
