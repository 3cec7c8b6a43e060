import type { ChangeKind, Diff, Properties } from '../../protocol';
import { changesBetween, isWithin, valueAt } from '../paths';
import { checksumKey } from './properties';
import { recordedStatus, releaseInputsOf } from './state';

const identity = ['name', 'namespace'];

/** Compares old with new inputs, and checks the status of the release. */
export function diffRelease(
  oldState: Properties,
  oldInputs: Properties,
  newInputs: Properties,
  ignoreChanges: string[],
): Diff {
  const olds = releaseInputsOf(oldState) ?? oldInputs;
  const changed = changesBetween(olds, newInputs);
  const ignored = [...ignoreChanges, ...unknowable(olds, newInputs), ...moved(olds, newInputs)];
  const paths = Object.keys(changed).filter((path) => !ignored.some((prefix) => isWithin(path, prefix)));
  const replaces = identity.filter((name) => paths.includes(name));
  const detailed = Object.fromEntries(
    paths.map((path): [string, ChangeKind] => {
      const change = changed[path] ?? 'update';
      return [path, replaces.includes(path) ? `${change}-replace` : change];
    }),
  );
  const status = recordedStatus(oldState);
  // The release failed or was interrupted: an upgrade with the same inputs repairs it.
  if (status !== undefined && status !== 'deployed') detailed['status'] = 'update';
  const diffs = [...new Set(Object.keys(detailed).map((path) => /^\w+/.exec(path)?.[0] ?? path))];
  return { changes: diffs.length > 0, replaces, diffs, detailed };
}

/** Returns inputs that an imported release does not reveal. A chart of the same version counts as the same. */
function unknowable(olds: Properties, news: Properties): string[] {
  const imported = olds[checksumKey] === undefined && news[checksumKey] !== undefined;
  if (!imported) return [];
  const sameVersion = valueAt(olds, 'version') === valueAt(news, 'version');
  return sameVersion ? [checksumKey, 'chart'] : [checksumKey];
}

/** Ignores a chart's new path if its files are the same: a local cloud's state can be restored into another folder. */
function moved(olds: Properties, news: Properties): string[] {
  const checksum = olds[checksumKey];
  return checksum !== undefined && checksum === news[checksumKey] ? ['chart'] : [];
}
