import { nearest } from '../settings/nearest';
import { settingIn } from '../settings/settingIn';
import { fieldsOf } from '../../components/resource/fields';
import { withValue } from '../settings/yamlEdit';
import { readYaml } from '../settings/yamlPlaces';
import type { ReadFile } from '../settings/projectFiles';
import { readReleases, releaseFile } from '../settings/releases/file';

// A promotion releases to one environment what another one runs: it changes one line in each application's release file.

/** How the release file of one application changes. */
export interface PromotedRelease {
  readonly application: string;
  /** The release file, relative to the project. */
  readonly file: string;
  /** The version that is released to the target environment; undefined if there is none yet. */
  readonly before?: string;
  /** The version that it gets. */
  readonly version: string;
  /** The file's text before and after; the same if the version is released already. */
  readonly text: string;
  readonly newText: string;
}

/** Why an application is not promoted, and the remedy. */
export interface RefusedPromotion {
  readonly what: string;
  readonly remedy: string;
}

/** A stack, by the text of its file. */
export interface PromotionStack {
  readonly name: string;
  /** The file, relative to the project, for messages. */
  readonly file: string;
  readonly text: string;
}

/**
 * Works out a promotion: the files that it changes, or why it is refused. Nothing is written.
 * @param only names of the applications; all that have a release file if there are none
 */
export function planPromotion(
  from: PromotionStack,
  to: PromotionStack,
  only: readonly string[],
  readFile: ReadFile,
) {
  const unreadable = [from, to].flatMap(({ name, file, text }): RefusedPromotion[] => {
    const [error] = readYaml(text).errors;
    if (error === undefined) return [];
    const what = `${file} is not YAML, from line ${error.line} on: ${error.message}.`;
    return [{ what, remedy: `Correct it; \`aks-wi validate --stack ${name}\` lists all errors.` }];
  });
  if (unreadable.length > 0) return { promoted: [], refusals: unreadable };
  const sources = releasesOf(from.text);
  const targets = releasesOf(to.text);
  const names =
    only.length > 0 ? [...new Set(only)] : [...sources.keys()].filter((name) => sources.get(name));
  const results = names.map((name): PromotedRelease | RefusedPromotion => {
    const source = sources.get(name);
    const refused = refusalOf(name, { from, to, sources, targets });
    return refused ?? promoteApplication(name, source ?? '', { from, to, readFile });
  });
  return {
    promoted: results.filter((result) => 'version' in result),
    refusals: [
      ...results.filter((result) => 'what' in result),
      ...(names.length === 0
        ? [
            {
              what: `No application of ${from.name} has a release file.`,
              remedy: 'Move what is promoted into one for each application, and name it with `release`.',
            },
          ]
        : []),
    ],
  };
}

/** The release file of each application of a stack; undefined of an application without. */
function releasesOf(text: string): Map<string, string | undefined> {
  const applications = settingIn(text, 'applications');
  return new Map(
    (Array.isArray(applications) ? applications : [])
      .map(fieldsOf)
      .flatMap(({ name, release }): [string, string | undefined][] =>
        typeof name === 'string' ? [[name, typeof release === 'string' ? release : undefined]] : [],
      ),
  );
}

interface Both {
  readonly from: PromotionStack;
  readonly to: PromotionStack;
  readonly sources: ReadonlyMap<string, string | undefined>;
  readonly targets: ReadonlyMap<string, string | undefined>;
}

function refusalOf(name: string, { from, to, sources, targets }: Both): RefusedPromotion | undefined {
  const withRelease = [...sources].flatMap(([other, file]) => (file === undefined ? [] : [other]));
  if (!sources.has(name)) {
    const near = nearest(name, withRelease);
    return {
      what: `${from.name} has no application ${name}. Applications with a release file: ${withRelease.join(', ') || 'none'}.`,
      remedy: near === undefined ? 'Name one of them.' : `Did you mean ${near}?`,
    };
  }
  const source = sources.get(name);
  if (source === undefined) {
    return {
      what: `Application ${name} of ${from.name} has no release file, so there is nothing to promote.`,
      remedy: 'Move its `image` or `chart` and its `secrets` into one, and name it with `release`.',
    };
  }
  if (!targets.has(name)) {
    return {
      what: `${to.name} has no application ${name}.`,
      remedy: `Add it to ${to.file} with \`release: ${source}\`, or name those to promote with --application.`,
    };
  }
  const target = targets.get(name);
  if (target === undefined || releaseFile(target) !== releaseFile(source)) {
    return {
      what: `Application ${name} of ${to.name} has ${target === undefined ? 'no release file' : `another release file, ${target},`} and that of ${from.name} has ${source}.`,
      remedy: `Set \`release: ${source}\` in ${to.file}.`,
    };
  }
  return undefined;
}

function promoteApplication(
  application: string,
  given: string,
  { from, to, readFile }: Pick<Both, 'from' | 'to'> & { readFile: ReadFile },
): PromotedRelease | RefusedPromotion {
  const { file, releases, problems } = readReleases(given, readFile);
  const text = readFile(file);
  if (releases === undefined || text === undefined) {
    return {
      what: `${file} has ${problems.length === 1 ? 'an error' : `${problems.length} errors`}.`,
      remedy: `\`aks-wi validate --stack ${from.name}\` lists the errors.`,
    };
  }
  const version = releases.environments[from.name];
  if (version === undefined) {
    return {
      what: `${file} has no release for ${from.name}.`,
      remedy: `Add one to its \`environments\`, and deploy ${from.name}.`,
    };
  }
  const before = releases.environments[to.name];
  return {
    application,
    file,
    ...(before !== undefined && { before }),
    version,
    text,
    newText: before === version ? text : withValue(text, ['environments', to.name], version),
  };
}
