import { createHash } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import type { Json } from '../json';
import { textAt } from '../json';
import type { ArchivedFile } from '../../../charts/archive';
import { readArchive } from '../../../charts/archive';

/** A chart in the file system. */
export interface LocalChart {
  name: string;
  version: string;
  /** Checksum of the chart's files. It does not depend on when they were packaged. */
  checksum: string;
}

/** Returns the chart at the path, a folder or a `.tgz`; undefined if nothing exists there. */
export async function readLocalChart(location: string): Promise<LocalChart | undefined> {
  const stats = await stat(location).catch(() => undefined);
  if (stats === undefined) return undefined;
  const files = stats.isDirectory()
    ? await readFolder(location)
    : readPackage(location, await readFile(location));
  const description = files.find((file) => file.name === 'Chart.yaml');
  if (description === undefined) throw new Error(`'${location}' is not a chart: it has no Chart.yaml`);
  const chart = parse(description.content.toString('utf8')) as Json;
  const name = textAt(chart, 'name');
  const version = textAt(chart, 'version');
  if (name === undefined || version === undefined) {
    throw new Error(`the Chart.yaml in '${location}' lacks name or version`);
  }
  return { name, version, checksum: checksumOf(files) };
}

function readPackage(location: string, content: Buffer): ArchivedFile[] {
  let files: ArchivedFile[];
  try {
    files = readArchive(content);
  } catch (error) {
    throw new Error(`'${location}' is not a chart package (.tgz): ${String(error)}`, { cause: error });
  }
  // A package contains one folder, named after the chart.
  return files.map((file) => ({ ...file, name: file.name.slice(file.name.indexOf('/') + 1) }));
}

async function readFolder(folder: string, prefix = ''): Promise<ArchivedFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = await Promise.all(
    entries
      .filter((entry) => entry.name !== '.git')
      .map(async (entry): Promise<ArchivedFile[]> => {
        const name = `${prefix}${entry.name}`;
        const location = path.join(folder, entry.name);
        if (entry.isDirectory()) return readFolder(location, `${name}/`);
        return [{ name, content: await readFile(location) }];
      }),
  );
  return files.flat();
}

function checksumOf(files: ArchivedFile[]): string {
  const hash = createHash('sha256');
  for (const file of [...files].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    hash.update(`${file.name}\0${file.content.length}\0`).update(file.content);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Returns a path in the working folder as a relative path, so that no state contains the path of a checkout. */
export function portablePath(chart: string): string {
  if (!path.isAbsolute(chart)) return chart;
  const relative = path.relative(process.cwd(), chart);
  return relative.startsWith('..') || path.isAbsolute(relative) ? chart : `./${relative}`;
}
