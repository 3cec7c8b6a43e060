import { nearest } from '../nearest';
import type { Problem } from '../problem';
import { valueAt } from '../problem';
import type { ReadFile } from '../projectFiles';
import { isRecord } from '../../../components/resource/fields';
import { merged } from '../../../components/resource/merged';
import { projectYaml } from '../schema/fields';
import { readReleases } from './file';
import type { ReleasedList, ReleaseSettings } from '../schema/releases';
import { releasable, releasedLists } from '../schema/releases';

// An entry that names a release file gets the promoted settings from it: what runs, and what it may read. The stack file's
// `spec` is merged over the release's. All other settings stay in the stack file. Releases are applied before the
// configuration is parsed, so later code does not know about them.

type Input = Readonly<Record<string, unknown>>;

/** The release of an entry, and its file. */
interface Origin {
  readonly file: string;
  readonly version: string;
  /** Keys that come from the release. */
  readonly keys: readonly string[];
  /** Environment variables that come from the release. */
  readonly variables: readonly string[];
  /** The part of the `spec` that does not come from the release. */
  readonly ownSpec: unknown;
}

/** Versions of the entries with a release, by list of the stack file and name. */
export type Versions = ReadonlyMap<`${ReleasedList}/${string}`, string>;

export interface Released {
  /** The configuration with the releases applied. */
  readonly input: Input;
  readonly problems: readonly Problem[];
  readonly versions: Versions;
  /** Moves a problem to where its value is written: to the release file, if it comes from there. */
  readonly locate: (problem: Problem) => Problem;
}

/** Applies the environment's release to each entry that names a release file. */
export function applyReleases(environment: string, input: Input, readFile: ReadFile): Released {
  const problems: Problem[] = [];
  const versions = new Map<`${ReleasedList}/${string}`, string>();
  const origins = new Map<string, Origin>();
  const withRelease = (list: ReleasedList, entry: unknown, index: number): unknown => {
    // An invalid path is reported when the configuration is parsed; its file is not read.
    if (!isRecord(entry) || typeof entry.release !== 'string' || !projectYaml.test(entry.release))
      return entry;
    const found = pinned(environment, list, entry.name, entry.release, readFile);
    for (const problem of found.problems)
      problems.push(
        problem.file === undefined ? { ...problem, path: [list, index, ...problem.path] } : problem,
      );
    // An invalid entry, for example with a key that belongs in the release, is reported when it is parsed.
    if (found.origin === undefined || !releasable[list].entry.safeParse(entry).success) return entry;
    const { release: _file, ...own } = entry;
    const { release, ...origin } = found.origin;
    const env = 'env' in release ? (release.env ?? {}) : {};
    const ownEnv = isRecord(own.env) ? own.env : {};
    const variables = Object.keys(env).filter((name) => !(name in ownEnv));
    const keys = Object.keys(release);
    origins.set(`${list}/${index}`, { ...origin, keys, variables, ownSpec: own.spec });
    versions.set(`${list}/${String(entry.name)}`, origin.version);
    return {
      ...{ ...release, ...own },
      ...(isRecord(own.env) && { env: { ...env, ...ownEnv } }),
      ...(isRecord(own.spec) && 'spec' in release && { spec: merged(release.spec, own.spec) }),
    };
  };
  const applied = releasedLists.flatMap((list): [string, unknown][] => {
    const entries = input[list];
    if (!Array.isArray(entries)) return [];
    return [[list, entries.map((entry: unknown, index) => withRelease(list, entry, index))]];
  });
  return {
    input: { ...input, ...Object.fromEntries(applied) },
    problems,
    versions,
    locate: (problem) => located(problem, origins),
  };
}

interface Pinned {
  readonly origin?: { readonly release: ReleaseSettings; readonly file: string; readonly version: string };
  readonly problems: readonly Problem[];
}

/** Returns the release that the file has for the environment. */
function pinned(
  environment: string,
  list: ReleasedList,
  name: unknown,
  path: string,
  readFile: ReadFile,
): Pinned {
  const { file, releases: found, problems } = readReleases(list, path, readFile);
  const { noun } = releasable[list];
  if (found === undefined) return { problems };
  if (typeof name === 'string' && found.name !== name) {
    const value = JSON.stringify(found.name);
    const what = `does not match the ${noun} "${name}", which references this file`;
    return {
      problems: [{ file, path: ['name'], value, what, hint: 'Correct the name here, or `release` there.' }],
    };
  }
  const version = found.environments[environment];
  const release = version === undefined ? undefined : found.releases[version];
  if (version === undefined || release === undefined) {
    const environments = Object.keys(found.environments);
    const near = nearest(environment, environments);
    const example = Object.keys(found.releases).at(0) ?? '1.0.0';
    return {
      problems: [
        {
          file,
          path: ['environments', environment],
          what: `is missing, so the stack has no release of the ${noun}`,
          allowed: Object.keys(found.releases).join(', '),
          hint: `Add it, for example \`${environment}: "${example}"\`${near === undefined ? '' : `; there is ${near}`}.`,
        },
      ],
    };
  }
  return { origin: { release, file, version }, problems: [] };
}

function located(problem: Problem, origins: ReadonlyMap<string, Origin>): Problem {
  const [list = '', index = '', key, name] = problem.path;
  const origin = origins.get(`${list}/${index}`);
  if (origin === undefined || typeof key !== 'string' || !origin.keys.includes(key)) return problem;
  if (key === 'env' && !origin.variables.includes(String(name))) return problem;
  if (key === 'spec' && valueAt(origin.ownSpec, problem.path.slice(3)) !== undefined) return problem;
  return { ...problem, file: origin.file, path: ['releases', origin.version, ...problem.path.slice(2)] };
}
