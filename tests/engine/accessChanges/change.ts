/** Settings as a stack file has them, without the project's name in their keys. */
export type Settings = Readonly<Record<string, unknown>>;

/** An edit of settings. It does not change its argument. */
export type Edit = (settings: Settings) => Settings;

export type Kind = 'gained' | 'widened' | 'narrowed' | 'lost' | 'replaced' | 'not judged';

/** What a reviewer must not miss, and must not be bothered with in vain. */
export const loudKinds: readonly Kind[] = ['gained', 'widened', 'not judged'];

/** An expected row: of one of the kinds, and with each of the strings in its field. */
export interface Expected {
  readonly kind: Kind | readonly Kind[];
  readonly who?: string | RegExp;
  readonly what?: string | RegExp;
  readonly why?: string | RegExp;
  /** Anywhere in the row: where the field is not laid down. */
  readonly about?: RegExp;
  /** It may be absent. */
  readonly optional?: true;
}

/** A change of settings, and the rows that it must cause. */
export interface Change {
  readonly title: string;
  /** Where it is documented that access is gained so, or is not. */
  readonly source: string;
  readonly environment: string;
  readonly before: Settings;
  readonly change: Edit;
  readonly expected: readonly Expected[];
  /** No other row of `loudKinds` is allowed. */
  readonly silentOtherwise: boolean;
}

/** A change that the program refuses, with a part of the problem. */
export type Refused = Pick<Change, 'title' | 'source' | 'environment' | 'before' | 'change'> & {
  readonly problem: string;
};

type ExpectedRows = readonly (readonly Expected[])[];

/** Changes from the same settings, for the same reason. */
export function from(before: Settings, source: string, environment = 'test') {
  return (title: string, change: Edit, ...rows: ExpectedRows): Change => ({
    title,
    source,
    environment,
    before,
    change,
    expected: rows.flat(),
    silentOtherwise: true,
  });
}

/** Refused changes from the same settings, for the same reason. */
export function refusedFrom(before: Settings, source: string, environment = 'test') {
  return (title: string, change: Edit, problem: string): Refused => ({
    title,
    source,
    environment,
    before,
    change,
    problem,
  });
}
