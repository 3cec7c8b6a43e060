import type { Settings } from './change';

/** What the comparison tells of a change, in the words that a reviewer reads. */
export interface Row {
  readonly kind: string;
  readonly who: string;
  readonly what: string;
  readonly why: string;
}

/** Compares two stack files of an environment. */
export function compare(before: Settings, after: Settings, environment?: string): Promise<readonly Row[]> {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].join(', ');
  return Promise.reject(
    new Error(`There is no comparison of ${keys} of ${environment ?? 'an environment'}.`),
  );
}
