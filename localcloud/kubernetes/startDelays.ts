import { setTimeout as delay } from 'node:timers/promises';
import type { ImageTable } from './imageTable';
import { variable } from '../project';

/** Environment variable with the start delays of programs. */
export const START_DELAYS_VARIABLE = variable('START_DELAYS');

const longestSeconds = 600;

/** The longest start delay of each program in seconds, by the last segment of its image's name. */
export type StartDelays = ReadonlyMap<string, number>;

/**
 * Parses `cert-manager-webhook=10,azureserviceoperator=30`.
 *
 * @throws for any other format, and for an image that does not run as a process
 */
export function parseStartDelays(text: string | undefined, images: ImageTable): StartDelays {
  const known = new Set(Object.keys(images).map(nameOf));
  const problems: string[] = [];
  const delays = new Map<string, number>();
  for (const part of (text ?? '').split(',').map((text) => text.trim())) {
    if (part === '') continue;
    const [, name = '', seconds = ''] = /^([\w.-]+)=(\d+(?:\.\d+)?)$/.exec(part) ?? [];
    if (name === '' || Number(seconds) > longestSeconds)
      problems.push(`"${part}"; allowed: <image>=<seconds>, at most ${longestSeconds}`);
    else if (!known.has(name)) problems.push(`"${name}"; allowed: ${[...known].sort().join(', ')}`);
    else delays.set(name, Number(seconds));
  }
  if (problems.length > 0) throw new Error(`${START_DELAYS_VARIABLE}: ${problems.join('; ')}`);
  return delays;
}

/**
 * Returns the image table with random start delays for these programs. This tests that nothing depends on the order
 * of starts, which also varies on a cluster that pulls images.
 */
export function startLate(
  images: ImageTable,
  delays: StartDelays,
  wait: (milliseconds: number, signal: AbortSignal) => Promise<unknown> = (milliseconds, signal) =>
    delay(milliseconds, undefined, { signal }),
): ImageTable {
  return Object.fromEntries(
    Object.entries(images).map(([repository, entry]) => {
      const seconds = delays.get(nameOf(repository));
      if (seconds === undefined) return [repository, entry];
      const { command } = entry;
      const late = async (signal: AbortSignal) => {
        await wait(Math.random() * seconds * 1000, signal);
        return typeof command === 'function' ? command(signal) : command;
      };
      return [repository, { ...entry, command: late }];
    }),
  );
}

function nameOf(repository: string): string {
  return repository.split('/').at(-1) ?? repository;
}
