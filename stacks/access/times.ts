import { durationOf } from '../../components/resource/duration';
import { describeWindow } from '../../components/accessWindows/windows';
import { isRecord, textOf } from '../../components/resource/fields';
import type { Times } from '../plan/accessWindows';
import { isWithin } from './accessWindows';

export type { Times };

/** Reads when a grant of the reconciler's schedule is open; undefined if never. */
export function timesIn(grant: Readonly<Record<string, unknown>>): Times | undefined {
  const windows = Array.isArray(grant.windows)
    ? (grant.windows.filter(isRecord) as unknown as Times['windows'])
    : [];
  const onDemand = textOf(grant.onDemand) || undefined;
  return windows.length === 0 && onDemand === undefined ? undefined : { windows, onDemand };
}

export const eitherTimes = (one: Times, other: Times): Times => ({
  windows: [...one.windows, ...other.windows],
  onDemand: one.onDemand ?? other.onDemand,
});

/** Tells whether all of the inner times are in the outer ones; undefined is always. */
export function isWithinTimes(inner: Times | undefined, outer: Times | undefined): boolean {
  if (outer === undefined) return true;
  if (inner === undefined) return false;
  const [inside = 0, outside = 0] = [inner, outer].map(({ onDemand }) => durationOf(onDemand ?? ''));
  return inside <= outside && isWithin(inner.windows, outer.windows);
}

export const describeTimes = ({ windows, onDemand }: Times): string =>
  [
    ...windows.map((window) => `on ${describeWindow(window)}`),
    ...(onDemand === undefined ? [] : [`on demand for up to ${onDemand}`]),
  ].join('; ');
