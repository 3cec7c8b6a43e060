import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { beforeFolder } from '../toolchain/chartSources';
import type { ArchivedFile } from './archive';
import { readArchive, writeArchive } from './archive';

export interface PackagedChart {
  name: string;
  version: string;
  /** Its Chart.yaml. */
  metadata: Record<string, unknown>;
  content: Buffer;
  /** SHA-256 of the content, in hexadecimal. */
  digest: string;
  /** Modification time of the file, in RFC 3339. */
  created: string;
}

export interface ChartFolders {
  /** Contains `<chart>.tgz` and, for some charts, an older version as `before/<chart>.tgz`. */
  packaged: string;
  /** Contains one folder per chart, which is packaged on request. */
  sources?: string;
}

/** The served charts. They are read at every request, because they can change while the local cloud runs. */
export class ChartLibrary {
  constructor(private readonly folders: ChartFolders) {}

  /** Returns the path of a chart's package. */
  fileOf(name: string): string {
    return path.join(this.folders.packaged, `${name}.tgz`);
  }

  /** Returns the packaged versions of a chart, newest first. */
  async versions(name: string): Promise<PackagedChart[]> {
    const versions = await Promise.all(this.places.map((folder) => read(path.join(folder, `${name}.tgz`))));
    return versions.flatMap((chart) => chart ?? []);
  }

  /** Returns all charts; packaged ones come before those in the folder of sources. */
  async list(): Promise<PackagedChart[]> {
    const { sources } = this.folders;
    const folders = sources === undefined ? [] : await chartFolders(sources);
    const fromSources = await Promise.all(
      folders.map(async (folder) => describe(writeArchive(await filesOf(folder)), new Date(0))),
    );
    const files = (await Promise.all(this.places.map(archivesIn))).flat();
    return [...(await Promise.all(files.map(read))), ...fromSources].flatMap((chart) => chart ?? []);
  }

  private get places(): string[] {
    const { packaged } = this.folders;
    return [packaged, path.join(packaged, beforeFolder)];
  }
}

async function archivesIn(folder: string): Promise<string[]> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.tgz')).sort();
  return files.map((file) => path.join(folder, file));
}

async function read(file: string): Promise<PackagedChart | undefined> {
  const content = await readFile(file).catch(() => undefined);
  return content && describe(content, (await stat(file)).mtime);
}

function describe(content: Buffer, written: Date): PackagedChart | undefined {
  const file = readArchive(content).find(({ name }) => /^[^/]+\/Chart\.yaml$/.test(name));
  if (file === undefined) return undefined;
  const metadata = parse(file.content.toString('utf8')) as Record<string, unknown>;
  const [name, version] = [String(metadata['name']), String(metadata['version'])];
  const digest = createHash('sha256').update(content).digest('hex');
  return { name, version, metadata, content, digest, created: written.toISOString() };
}

async function chartFolders(parent: string): Promise<string[]> {
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => path.join(parent, entry.name));
}

/** Returns the files in a chart's folder; their names begin with the folder's name, as in a package. */
async function filesOf(folder: string): Promise<ArchivedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const file = path.join(entry.parentPath, entry.name);
        return { name: path.relative(path.dirname(folder), file), content: await readFile(file) };
      }),
  );
}
