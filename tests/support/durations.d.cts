/** Durations in seconds by the path of a test file. */
type Durations = Map<string, number>;

export function readDurations(file?: string): Durations;
export function writeDurations(durations: Durations, file?: string): void;
export function longestFirst<File extends { readonly file: string; readonly size: number }>(
  files: readonly File[],
  durations: Durations,
): File[];
