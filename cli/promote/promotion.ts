import { didYouMean } from '../../stacks/settings/nearest';
import { settingIn } from '../../stacks/settings/settingIn';
import { fieldsOf } from '../../components/resource/fields';
import { withValue } from '../../stacks/settings/yamlEdit';
import { readYaml } from '../../stacks/settings/yamlPlaces';
import type { ReadFile } from '../../stacks/settings/projectFiles';
import { inProject } from '../../stacks/settings/projectFiles';
import { readReleases } from '../../stacks/settings/releases/file';
import type { ReleasedList } from '../../stacks/settings/schema/releases';
import { releasable, releasedLists } from '../../stacks/settings/schema/releases';

// A promotion releases versions of one environment to another: it changes one line in each release file.

/** The change of the release file of one entry of a list. */
export interface PromotedRelease {
  readonly list: ReleasedList;
  /** Name of the entry. */
  readonly name: string;
  /** The release file, relative to the project. */
  readonly file: string;
  /** The current version in the target environment; undefined if there is none yet. */
  readonly before?: string;
  /** The promoted version. */
  readonly version: string;
  /** The file's text before and after; equal if the version is already released. */
  readonly text: string;
  readonly newText: string;
}

const nouns = releasedLists.map((list) => releasable[list].noun);

/** The reason why something is not promoted, and the hint. */
export interface RefusedPromotion {
  readonly what: string;
  readonly hint: string;
}

/** A stack with the text of its file. */
export interface PromotionStack {
  readonly name: string;
  /** The file, relative to the project, for messages. */
  readonly file: string;
  readonly text: string;
}

/**
 * Plans a promotion: the changes of files, or why it is refused. Nothing is written.
 * @param only names by list. Default: all entries with a release file
 */
export function planPromotion(
  from: PromotionStack,
  to: PromotionStack,
  only: Readonly<Partial<Record<ReleasedList, readonly string[]>>>,
  readFile: ReadFile,
) {
  const unreadable = [from, to].flatMap(({ name, file, text }): RefusedPromotion[] => {
    const [error] = readYaml(text).errors;
    if (error === undefined) return [];
    const what = `${file} is not YAML, from line ${error.line} on: ${error.message}.`;
    return [{ what, hint: `Correct the file; \`aks-wi validate --stack ${name}\` lists all errors.` }];
  });
  if (unreadable.length > 0) return { promoted: [], refusals: unreadable };
  const isNamed = releasedLists.some((list) => only[list] !== undefined);
  const results = releasedLists.flatMap((list) => {
    const sources = releasesOf(from.text, list);
    const targets = releasesOf(to.text, list);
    const names = isNamed
      ? [...new Set(only[list])]
      : [...sources.keys()].filter((name) => sources.get(name));
    return names.map((name): PromotedRelease | RefusedPromotion => {
      const source = sources.get(name);
      const refused = refusalOf(name, { list, from, to, sources, targets });
      return refused ?? promoteRelease(name, source ?? '', { list, from, to, readFile });
    });
  });
  return {
    promoted: results.filter((result) => 'version' in result),
    refusals: [
      ...results.filter((result) => 'what' in result),
      ...(results.length === 0
        ? [
            {
              what: `No ${nouns.join(' and no ')} of ${from.name} has a release file.`,
              hint: 'Move the released settings of each into a release file, and set `release` to it.',
            },
          ]
        : []),
    ],
  };
}

/** Returns the release file of each entry of a list in a stack file; undefined for an entry without one. */
function releasesOf(text: string, list: ReleasedList): Map<string, string | undefined> {
  const entries = settingIn(text, list);
  return new Map(
    (Array.isArray(entries) ? entries : [])
      .map(fieldsOf)
      .flatMap(({ name, release }): [string, string | undefined][] =>
        typeof name === 'string' ? [[name, typeof release === 'string' ? release : undefined]] : [],
      ),
  );
}

interface PromotedList {
  readonly list: ReleasedList;
  readonly from: PromotionStack;
  readonly to: PromotionStack;
  readonly sources: ReadonlyMap<string, string | undefined>;
  readonly targets: ReadonlyMap<string, string | undefined>;
}

function refusalOf(
  name: string,
  { list, from, to, sources, targets }: PromotedList,
): RefusedPromotion | undefined {
  const { noun, content } = releasable[list];
  const withRelease = [...sources].flatMap(([other, file]) => (file === undefined ? [] : [other]));
  if (!sources.has(name)) {
    return {
      what: `${from.name} has no ${noun} ${name}. Those with a release file: ${withRelease.join(', ') || 'none'}.`,
      hint: didYouMean(name, withRelease, 'Name one of them.'),
    };
  }
  const source = sources.get(name);
  if (source === undefined) {
    return {
      what: `The ${noun} ${name} of ${from.name} has no release file, so there is nothing to promote.`,
      hint: `Move ${content} into one, and set \`release\` to it.`,
    };
  }
  if (!targets.has(name)) {
    return {
      what: `${to.name} has no ${noun} ${name}.`,
      hint: `Add it to ${to.file} with \`release: ${source}\`, or name those to promote with ${nouns.map((noun) => `--${noun.replace(' ', '-')}`).join(' and ')}.`,
    };
  }
  const target = targets.get(name);
  if (target === undefined || inProject(target) !== inProject(source)) {
    return {
      what: `The ${noun} ${name} of ${to.name} has ${target === undefined ? 'no release file' : `the release file ${target}`}, but that of ${from.name} has ${source}.`,
      hint: `Set \`release: ${source}\` in ${to.file}.`,
    };
  }
  return undefined;
}

function promoteRelease(
  name: string,
  source: string,
  { list, from, to, readFile }: Pick<PromotedList, 'list' | 'from' | 'to'> & { readFile: ReadFile },
): PromotedRelease | RefusedPromotion {
  const { file, releases, problems } = readReleases(list, source, readFile);
  const text = readFile(file);
  if (releases === undefined || text === undefined) {
    return {
      what: `${file} has ${problems.length === 1 ? 'an error' : `${problems.length} errors`}.`,
      hint: `\`aks-wi validate --stack ${from.name}\` lists the errors.`,
    };
  }
  const version = releases.environments[from.name];
  if (version === undefined) {
    return {
      what: `${file} has no release for ${from.name}.`,
      hint: `Add one to its \`environments\`, and deploy ${from.name}.`,
    };
  }
  const before = releases.environments[to.name];
  return {
    list,
    name,
    file,
    ...(before !== undefined && { before }),
    version,
    text,
    newText: before === version ? text : withValue(text, ['environments', to.name], version),
  };
}
