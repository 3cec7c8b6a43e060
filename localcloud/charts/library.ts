import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import type { ArchivedFile } from './archive';
import { readArchive, writeArchive } from './archive';

/** A packaged chart. */
export interface PackagedChart {
  name: string;
  version: string;
  /** Its Chart.yaml. */
  metadata: Record<string, unknown>;
  content: Buffer;
  /** SHA-256 of the content, in hex. */
  digest: string;
  /** When its file was written; RFC 3339. */
  created: string;
}

export interface ChartFolders {
  /** Holds `<chart>.tgz`. */
  packaged: string;
  /** Holds one folder a chart, each packaged when it is asked for. */
  sources?: string;
}

/** The charts that are served; read at every request, as they come and change while the local cloud runs. */
export class ChartLibrary {
  constructor(private readonly folders: ChartFolders) {}

  /** The file that a chart is expected in. */
  fileOf(name: string): string {
    return path.join(this.folders.packaged, `${name}.tgz`);
  }

  /** A packaged chart; undefined if its file is not there. */
  async find(name: string): Promise<PackagedChart | undefined> {
    const content = await readFile(this.fileOf(name)).catch(() => undefined);
    return content && describe(content, (await stat(this.fileOf(name))).mtime);
  }

  /** Every chart, packaged ones before those of the sources' folder. */
  async all(): Promise<PackagedChart[]> {
    const { packaged, sources } = this.folders;
    const files = (await readdir(packaged).catch(() => [])).filter((file) => file.endsWith('.tgz')).sort();
    const found = await Promise.all(files.map((file) => this.find(file.replace(/\.tgz$/, ''))));
    const folders = sources === undefined ? [] : await chartFolders(sources);
    const made = await Promise.all(
      folders.map(async (folder) => describe(writeArchive(await filesOf(folder)), new Date(0))),
    );
    return [...found, ...made].flatMap((chart) => chart ?? []);
  }
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

/** The files of a chart's folder, below the folder's name as in a package. */
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
