import { LineCounter, parseAllDocuments } from 'yaml';
import type { ManifestObject } from '../../components/hypershift/operatorManifests';
import { isManifestObject } from '../../components/hypershift/operatorManifests';
import { messageOf } from '../../components/resource/errors';
import { isRecord } from '../../components/resource/fields';
import type { Problem } from './problem';
import type { ReadFile } from './projectFiles';
import { inProject, missingFile } from './projectFiles';
import type { ClusterSettings } from './schema';

/** Kubernetes objects, and the problems of the files that they come from. */
interface ClusterManifests {
  readonly objects: readonly ManifestObject[];
  /** Each is in a file or, if the file does not exist, at the index of its path. */
  readonly problems: readonly Problem[];
}

/** The manifests of HyperShift's operator to install, by name of the cluster. */
export type HyperShiftManifests = ReadonlyMap<string, ClusterManifests>;

/** Reads a file of Kubernetes objects: YAML documents, each an object or a list of objects. */
function readManifest(path: string, readFile: ReadFile): ClusterManifests {
  const file = inProject(path);
  const text = readFile(file);
  if (text === undefined) return { objects: [], problems: [missingFile([], path)] };
  const problem = (what: string) => ({ file, path: [], value: undefined, what, hint: 'Correct it.' });
  const lines = new LineCounter();
  // Kubernetes reads YAML 1.1.
  const documents = parseAllDocuments(text, { version: '1.1', prettyErrors: false, lineCounter: lines });
  if (!Array.isArray(documents)) return { objects: [], problems: [problem('has no objects')] };
  const [error] = documents.flatMap(({ errors }) => errors);
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    const what = `is not YAML: ${error.message} (line ${line}, column ${col})`;
    return { objects: [], problems: [problem(what)] };
  }
  try {
    const values = documents.map((document) => document.toJS() as unknown).filter((value) => value !== null);
    const objects = values.flatMap(itemsOf);
    const wrong = objects.findIndex((object) => !isManifestObject(object));
    if (wrong >= 0)
      return {
        objects: [],
        problems: [problem(`has an object without \`apiVersion\`, \`kind\` or a name: number ${wrong + 1}`)],
      };
    return { objects: objects as ManifestObject[], problems: [] };
  } catch (error) {
    // An alias without an anchor is found only here.
    return { objects: [], problems: [problem(`is not YAML: ${messageOf(error)}`)] };
  }
}

/** Reads the manifests of HyperShift's operator that clusters name. */
export function readHyperShiftManifests(
  clusters: readonly ClusterSettings[],
  readFile: ReadFile | undefined,
): HyperShiftManifests {
  if (readFile === undefined) return new Map();
  return new Map(
    clusters.flatMap(({ name, hyperShift }): [string, ClusterManifests][] => {
      if (hyperShift === undefined) return [];
      const read = hyperShift.install.manifests.map((path) => readManifest(path, readFile));
      const problems = read.flatMap((manifest, index) =>
        manifest.problems.map((problem) =>
          problem.file === undefined ? { ...problem, path: [index] } : problem,
        ),
      );
      return [[name, { objects: read.flatMap(({ objects }) => objects), problems }]];
    }),
  );
}

/** Returns the items of a list, or the object itself. */
function itemsOf(value: unknown): unknown[] {
  return isRecord(value) && value.kind === 'List' && Array.isArray(value.items) ? value.items : [value];
}
