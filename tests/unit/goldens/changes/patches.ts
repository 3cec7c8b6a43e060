import type { Change, Settings } from '../record';

/** A change of an example that matters. */
export interface Variant extends Change {
  /** Name of its golden. */
  readonly name: string;
  /** Name of the example. */
  readonly of: string;
  /** A sentence that says what its golden shows. */
  readonly shows: string;
}

type Entry = Readonly<Record<string, unknown>> & { readonly name: string };
type Patch = (settings: Settings) => Settings;

/** Without what is undefined. */
const withoutUndefined = (all: Settings) =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
export const set =
  (more: Settings): Patch =>
  (settings) => ({ ...settings, ...more });
/** Changes one entry of a list. */
export const change =
  (key: string, name: string, more: Settings): Patch =>
  (settings) => ({
    ...settings,
    [key]: (settings[key] as Entry[]).map((entry) =>
      entry.name === name ? withoutUndefined({ ...entry, ...more }) : entry,
    ),
  });
export const add =
  (key: string, ...more: readonly Entry[]): Patch =>
  (settings) => ({ ...settings, [key]: [...((settings[key] ?? []) as Entry[]), ...more] });
export const both =
  (...patches: readonly Patch[]): Patch =>
  (settings) =>
    patches.reduce((so, patch) => patch(so), settings);
/** Changes one object of the settings. */
export const within =
  (key: string, more: Settings): Patch =>
  (settings) => ({ ...settings, [key]: { ...(settings[key] as Settings), ...more } });

/** A GUID of one digit. */
export const guid = (digit: string) => '88888888-4444-4444-4444-121212121212'.replaceAll(/\d/g, digit);
/** An application of an image. */
export const image = { image: 'ghcr.io/aks-workload-identity/reader:0.1.0', replicas: 1 };
