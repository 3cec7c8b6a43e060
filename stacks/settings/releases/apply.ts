import { nearest } from '../nearest';
import type { Problem } from '../problem';
import { isRecord } from '../record';
import { releasePath } from '../schema/applications';
import type { ReadFile } from './file';
import { readReleases } from './file';
import type { ReleaseSettings } from './schema';

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
  const withRelease = (application: unknown, index: number): unknown => {
    if (!isRecord(application) || typeof application.release !== 'string') return application;
    problems.push(...beside(application, index));
    const entries = Object.entries(application).filter(([key]) => !promoted.includes(key));
    const { release: file, ...own } = Object.fromEntries(entries);
    // An invalid path is reported when the configuration is parsed; its file is not read.
    if (!releasePath.test(application.release)) return { ...own, release: file };
    const found = pinned(environment, application.name, application.release, readFile);
    problems.push(...found.problems);
    // Without a release, the application keeps its `release`: the parser then knows that it is incomplete.
    if (found.origin === undefined) return { ...own, release: file };
    const { release, ...origin } = found.origin;
    const env = 'env' in release ? (release.env ?? {}) : {};
    const ownEnv = isRecord(own.env) ? own.env : {};
    const variables = Object.keys(env).filter((name) => !(name in ownEnv));
    origins.set(index, { ...origin, keys: Object.keys(release), variables });
    if (typeof application.name === 'string') versions.set(application.name, origin.version);
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

/** Keys that are promoted with a release, and that a stack file may not set beside it. */
const promoted = ['image', 'chart', 'secrets', 'port'];

/** Problems of keys that the stack file sets although they are promoted with the release. */
function beside(application: Record<string, unknown>, index: number): Problem[] {
  const remedy = 'Remove it: it is promoted with the release, so it is in the release file.';
  const what = 'has no place beside `release`';
  const own = promoted
    .filter((key) => application[key] !== undefined)
    .map((key) => ({ path: ['applications', index, key], what, remedy }));
  const { overrides } = application;
  const overridden = (Array.isArray(overrides) ? overrides : []).flatMap((override: unknown, place) =>
    isRecord(override) && override.image !== undefined
      ? [{ path: ['applications', index, 'overrides', place, 'image'], what, remedy }]
      : [],
  );
  return [...own, ...overridden];
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
