import type { Expected, Kind } from './change';
import { loudKinds } from './change';

type Text = string | RegExp;
type Texts = Text | readonly Text[];

const listed = (texts: Texts): readonly Text[] => (Array.isArray(texts) ? texts : [texts]) as readonly Text[];

const each =
  (kind: Kind | readonly Kind[]) =>
  (who: Texts, what: Texts, why?: Text): readonly Expected[] =>
    listed(who).flatMap((reader) =>
      listed(what).map((thing) => ({ kind, who: reader, what: thing, ...(why !== undefined && { why }) })),
    );

/** Each of the subjects can use each of the things, and could not before. */
export const gained = each('gained');
export const widened = each('widened');
export const narrowed = each('narrowed');
export const lost = each('lost');
/** The same subject has the same access as another identity. */
export const replaced = each('replaced');
/** Taken away, in part or at all: which of the two is a matter of words. */
export const less = each(['narrowed', 'lost']);
/** Gained, by a subject or a role that may not be known well enough to judge. */
export const maybeGained = each(['gained', 'not judged']);
/** A row that a reviewer must see, with a match anywhere in it. */
export const loud = (about: RegExp): readonly Expected[] => [{ kind: loudKinds, about }];

/** A row that is allowed as well. */
export const perhaps = (about: RegExp, kind: Kind | readonly Kind[] = loudKinds): readonly Expected[] => [
  { kind, about, optional: true },
];

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Matches all of the strings, in any order: the earlier value and the later one. */
export const both = (...texts: readonly string[]): RegExp =>
  new RegExp(`^${texts.map((text) => String.raw`(?=[\s\S]*${escaped(text)})`).join('')}`);

/** A row that a reviewer must see, with the earlier value and the later one, and others about the same. */
export const loudly = (about: RegExp, ...values: readonly string[]): readonly Expected[] => [
  ...loud(both(...values)),
  ...perhaps(about),
];

/** `ROLE on SCOPE`, in any case of the scope. */
export const role = (name: string, scope: string): RegExp =>
  new RegExp(`^${escaped(`${name} on ${scope}`)}$`, 'i');
