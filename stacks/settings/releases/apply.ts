import { nearest } from '../nearest';
import type { Problem } from '../problem';
import type { ReadFile } from '../projectFiles';
import { isRecord } from '../../../components/resource/fields';
import { application, releasePath } from '../schema/applications';
import { readReleases } from './file';
import type { ReleaseSettings } from '../schema/releases';

// An application that names a release file gets from it what is promoted: what runs, and what it may read. The rest
// stays in the stack file. Releases are applied before the configuration is parsed: nothing after that knows of them.

type Input = Readonly<Record<string, unknown>>;

/** The release that an application has, and the file that it is written in. */
interface Origin {
  readonly file: string;
  readonly version: string;
  /** Keys of the application that come from the release. */
  readonly keys: readonly string[];
  /** Environment variables that come from the release. */
  readonly variables: readonly string[];
}

export interface Released {
  /** The configuration with the releases applied. */
  readonly input: Input;
  readonly problems: readonly Problem[];
  /** Versions by name of the application. */
  readonly versions: ReadonlyMap<string, string>;
  /** The problem at the place where its value is written: in the release file, if it comes from there. */
  readonly locate: (problem: Problem) => Problem;
}

/** Puts the release that the environment has into each application that names a release file. */
export function applyReleases(environment: string, input: Input, readFile: ReadFile): Released {
  const problems: Problem[] = [];
  const versions = new Map<string, string>();
  const origins = new Map<number, Origin>();
  const withRelease = (given: unknown, index: number): unknown => {
    // An invalid path is reported when the configuration is parsed; its file is not read.
    if (!isRecord(given) || typeof given.release !== 'string' || !releasePath.test(given.release))
      return given;
    const found = pinned(environment, given.name, given.release, readFile);
    for (const problem of found.problems)
      problems.push(
        problem.file === undefined ? { ...problem, path: ['applications', index, ...problem.path] } : problem,
      );
    // An application that is wrong, for example with a key that belongs into the release, is reported when it is parsed.
    if (found.origin === undefined || !application.safeParse(given).success) return given;
    const { release: _file, ...own } = given;
    const { release, ...origin } = found.origin;
    const env = 'env' in release ? (release.env ?? {}) : {};
    const ownEnv = isRecord(own.env) ? own.env : {};
    const variables = Object.keys(env).filter((name) => !(name in ownEnv));
    origins.set(index, { ...origin, keys: Object.keys(release), variables });
    versions.set(String(given.name), origin.version);
    return { ...release, ...own, ...(isRecord(own.env) && { env: { ...env, ...ownEnv } }) };
  };
  const { applications } = input;
  return {
    input: Array.isArray(applications) ? { ...input, applications: applications.map(withRelease) } : input,
    problems,
    versions,
    locate: (problem) => located(problem, origins),
  };
}

interface Pinned {
  readonly origin?: { readonly release: ReleaseSettings; readonly file: string; readonly version: string };
  readonly problems: readonly Problem[];
}

/** The release that the file has for the environment. */
function pinned(environment: string, application: unknown, given: string, readFile: ReadFile): Pinned {
  const { file, releases: found, problems } = readReleases(given, readFile);
  if (found === undefined) return { problems };
  if (typeof application === 'string' && found.name !== application) {
    const value = JSON.stringify(found.name);
    const what = `is not the application that names this file, "${application}"`;
    return { problems: [{ file, path: ['name'], value, what, remedy: 'Correct it, or `release`.' }] };
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
          what: 'is missing, so the stack has no release of the application',
          allowed: Object.keys(found.releases).join(', '),
          remedy: `Add it, for example \`${environment}: "${example}"\`${near === undefined ? '' : `; there is ${near}`}.`,
        },
      ],
    };
  }
  return { origin: { release, file, version }, problems: [] };
}

function located(problem: Problem, origins: ReadonlyMap<number, Origin>): Problem {
  const [list, index, key, name] = problem.path;
  const origin = list === 'applications' && typeof index === 'number' ? origins.get(index) : undefined;
  if (origin === undefined || typeof key !== 'string' || !origin.keys.includes(key)) return problem;
  if (key === 'env' && !origin.variables.includes(String(name))) return problem;
  return { ...problem, file: origin.file, path: ['releases', origin.version, ...problem.path.slice(2)] };
}
