import { isRecord } from './fields';

/** Returns `over` merged onto `under`: objects are merged, everything else is replaced. */
export function merged(
  under: Readonly<Record<string, unknown>>,
  over: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const both = Object.entries(over).map(([key, value]) => {
    const below = under[key];
    return [key, isRecord(below) && isRecord(value) ? merged(below, value) : value] as const;
  });
  return { ...under, ...Object.fromEntries(both) };
}
