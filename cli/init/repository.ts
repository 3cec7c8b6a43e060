import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { packagedPages, pagesHere } from '../../components/resource/pagesHere';
import { UserError } from '../userError';
import { packagedSchemas } from './schemaFile';
import sharedFiles from './sharedFiles.json';

/** The checkout or the package: the parent of the folder of the bundles. */
const ownInstallation = path.resolve(__dirname, '..');

/** Files of a repository that differ from those of this project, which is the first user of the others. */
const ownFiles = 'cli/init/files';

/** A file of a repository of one's own. */
export interface RepositoryFile {
  /** Its path in the folder. */
  readonly path: string;
  /** The file in the folder: missing, or the same as the one of this version, or different. */
  readonly state: 'new' | 'same' | 'different';
}

/**
 * Writes the files of a repository of one's own into a folder; returns the state of each before.
 * @param dryRun whether to write none
 * @param installation folder that contains the files
 * @throws UserError if one of them exists and `dryRun` is false, or the folder cannot be one
 */
export function writeRepository(
  folder: string,
  dryRun: boolean,
  installation = ownInstallation,
): RepositoryFile[] {
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new UserError(`${folder} is a file.`, 'Name a new folder.');
  const name = path.basename(folder);
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name))
    throw new UserError(
      `${JSON.stringify(name)} cannot be the name of a package.`,
      'Name a folder with letters, digits, ".", "_" and "-" only, a letter or a digit first.',
    );
  const files = repositoryFiles(name, installation);
  const found = [...files]
    .map(([file, { text }]) => ({ path: file, state: stateOf(path.join(folder, file), text) }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  if (dryRun) return found;
  const present = found.filter(({ state }) => state !== 'new').map((file) => file.path);
  if (present.length > 0)
    throw new UserError(
      `${folder} already has ${present.join(', ')}.`,
      'Name a new folder. `--dry-run` shows which of these files differ from those of this version.',
    );
  for (const [file, { text, mode }] of files) {
    const written = path.join(folder, file);
    mkdirSync(path.dirname(written), { recursive: true });
    writeFileSync(written, text, { mode });
  }
  return found;
}

function stateOf(file: string, text: string): RepositoryFile['state'] {
  if (!existsSync(file)) return 'new';
  return readFileSync(file, 'utf8') === text ? 'same' : 'different';
}

function repositoryFiles(name: string, installation: string): Map<string, { text: string; mode: number }> {
  const manifest = ownManifest(installation);
  const own = filesIn(installation, ownFiles).map((source): [string, string, (text: string) => string] => {
    const file = path.relative(ownFiles, source);
    const values = (text: string) =>
      withPackages(
        text
          .replaceAll('NAME', name)
          .replaceAll('VERSION', manifest.version)
          .replaceAll('ENGINES', manifest.engines.node),
      );
    // npm packs no file of the name .gitignore.
    return [file === 'gitignore' ? '.gitignore' : file, source, values];
  });
  const shared = sharedFiles
    .flatMap((place) => filesIn(installation, place))
    .map((file): [string, string, (text: string) => string] => [file, file, withPackages]);
  return new Map(
    [...own, ...shared].map(([file, source, adapted]) => {
      const from = path.join(installation, source);
      return [file, { text: adapted(readFileSync(from, 'utf8')), mode: statSync(from).mode }];
    }),
  );
}

/** Replaces the folders of this project by the packages that contain them elsewhere. */
const withPackages = (text: string) =>
  pagesHere(text, packagedPages)
    .replaceAll('node cli/bin.mjs', 'npx aks-wi')
    .replaceAll("'./stacks/program'", "'@aks-workload-identity/stacks'")
    .replaceAll("'./program'", "'@aks-workload-identity/stacks/bootstrap'")
    // The own files are three folders further down here.
    .replaceAll('../../../schemas/', './schemas/')
    .replaceAll('./schemas/', `./${packagedSchemas}/`);

const ownManifest = (installation: string) =>
  z
    .object({ version: z.string(), engines: z.object({ node: z.string() }) })
    .parse(JSON.parse(readFileSync(path.join(installation, 'package.json'), 'utf8')));

function filesIn(installation: string, place: string): string[] {
  const full = path.join(installation, place);
  if (!statSync(full).isDirectory()) return [place];
  return readdirSync(full, { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(place, file))
    .filter((file) => statSync(path.join(installation, file)).isFile());
}
