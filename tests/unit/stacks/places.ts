import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Path } from '../../../stacks/settings/problem';
import { project } from '../../../stacks/settings/problem';
import { isRecord } from '../../../components/resource/fields';

// Places in a configuration, and the configuration with something else there.

export const root = path.resolve(__dirname, '../../..');

/** The settings of a stack file of the project. */
export function stackFile(name: string): Record<string, unknown> {
  const { config } = parse(readFileSync(path.join(root, name), 'utf8')) as {
    config: Record<string, unknown>;
  };
  const ours = Object.entries(config).filter(([key]) => key.startsWith(`${project}:`));
  return Object.fromEntries(ours.map(([key, value]) => [key.slice(project.length + 1), value]));
}

/** Paths of all values but the whole configuration. */
export function pathsIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const inside = Object.entries(value).flatMap(([key, item]) =>
    pathsIn(item, [...at, Array.isArray(value) ? Number(key) : key]),
  );
  return at.length === 0 ? inside : [at, ...inside];
}

export function withValue(value: unknown, [step, ...rest]: Path, changed: unknown): unknown {
  if (step === undefined) return changed;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (index === step ? withValue(item, rest, changed) : item));
  return isRecord(value) ? { ...value, [step]: withValue(value[String(step)], rest, changed) } : value;
}

export const isPrefix = (one: Path, other: Path) => one.every((step, index) => step === other[index]);

/** Paths of all keys of objects. */
export const keysIn = (value: unknown) => pathsIn(value).filter((at) => typeof at.at(-1) === 'string');

export function renamed(value: unknown, [step, ...rest]: Path, key: string): unknown {
  if (Array.isArray(value))
    return value.map((item: unknown, i) => (i === step ? renamed(item, rest, key) : item));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, field]: [string, unknown]) => {
      if (name !== step) return [name, field];
      return rest.length === 0 ? [key, field] : [name, renamed(field, rest, key)];
    }),
  );
}
