import { nearest } from '../nearest';
import type { Problem } from '../problem';
import type { ReadFile } from '../projectFiles';
import { inProject, missingFile } from '../projectFiles';
import { isRecord } from '../../../components/resource/fields';
import { shapeProblems } from '../shapeProblems';
import { readYaml } from '../yamlPlaces';
import type { ReleasedList, ReleaseFile } from '../schema/releases';
import { releasable } from '../schema/releases';

/** The releases of a file if they are valid, otherwise its problems. */
export interface ReadReleases {
  /** The path of the file for messages, without `./`. */
  readonly file: string;
  readonly releases?: ReleaseFile;
  /** Each is in the file or, if the file does not exist, in the entry of the list. */
  readonly problems: readonly Problem[];
}

/** Reads a release file of the list and checks its shape, and that the release of every environment exists. */
export function readReleases(list: ReleasedList, path: string, readFile: ReadFile): ReadReleases {
  const file = inProject(path);
  const text = readFile(file);
  if (text === undefined) return { file, problems: [missingFile(['release'], path)] };
  return { file, ...parseReleases(list, file, text) };
}

function parseReleases(list: ReleasedList, file: string, text: string): Omit<ReadReleases, 'file'> {
  const { content, errors } = readYaml(text);
  const [error] = errors;
  if (error !== undefined) {
    const what = `is not YAML: ${error.message} (line ${error.line}, column ${error.column})`;
    return { problems: [{ file, path: [], what, hint: 'Correct it.' }] };
  }
  if (!isRecord(content)) {
    const allowed = 'an object of `name`, `environments` and `releases`';
    return { problems: [{ file, path: [], what: 'has no releases', allowed }] };
  }
  const schema = releasable[list].file;
  const { success, data } = schema.safeParse(content);
  const problems = success ? releaseProblems(data) : shapeProblems(schema, content);
  if (success && problems.length === 0) return { releases: data, problems };
  return { problems: problems.map((problem) => ({ ...problem, file })) };
}

function releaseProblems({ environments, releases }: ReleaseFile): Problem[] {
  const versions = Object.keys(releases);
  return Object.entries(environments).flatMap(([environment, version]): Problem[] => {
    if (version in releases) return [];
    const near = nearest(version, versions);
    return [
      {
        path: ['environments', environment],
        value: JSON.stringify(version),
        what: 'is not a release in this file',
        allowed: versions.length === 0 ? 'none: `releases` is empty' : versions.join(', '),
        hint:
          near === undefined ? 'Add it to `releases`.' : `Add it to \`releases\`, or did you mean ${near}?`,
      },
    ];
  });
}
