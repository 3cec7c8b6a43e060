import type { ChangeKind, Diff, Properties } from '../../protocol';
import { isObject } from '../../protocol';
import type { ResourceKind } from '../client/kinds';
import { changesBetween, isWithin, sameValue, valueAt } from '../paths';
import { annotation, annotationOf, isNamed, metadataText } from './annotations';
import { forceNewPaths } from './forceNew';
import { normalize } from './normalize';
import { inputsOf } from './state';

export interface DiffSettings {
  enableSecretMutable: boolean;
  enableConfigMapMutable: boolean;
}

/**
 * Compares old with new inputs. The old inputs contain the drift that a refresh found, so defaults and
 * mutations of the server never appear as changes.
 */
export function diffObject(
  kind: ResourceKind,
  oldState: Properties,
  oldInputs: Properties,
  newInputs: Properties,
  ignoreChanges: string[],
  settings: DiffSettings,
): Diff {
  const olds = normalize(kind, inputsOf(oldState) ?? oldInputs);
  const news = scoped(oldState, olds, newInputs);
  const changed = changesBetween(olds, news);
  const paths = Object.keys(changed).filter(
    (path) => !ignoreChanges.some((ignored) => isWithin(path, ignored)),
  );
  const immutable = valueAt(olds, 'immutable') === true;
  const replaces = forceNewPaths(kind, { ...settings, immutable }).filter(
    (path) =>
      paths.some((changedPath) => isWithin(changedPath, path) || isWithin(path, changedPath)) &&
      !sameValue(valueAt(olds, path), valueAt(news, path)),
  );
  const detailed = Object.fromEntries(
    paths.map((path): [string, ChangeKind] => {
      const change = changed[path] ?? 'update';
      const replacing = replaces.some((replaced) => isWithin(path, replaced) || isWithin(replaced, path));
      return [path, replacing ? `${change}-replace` : change];
    }),
  );
  return {
    changes: paths.length > 0,
    replaces,
    diffs: [...new Set(paths.map((path) => /^\w+/.exec(path)?.[0] ?? path))],
    detailed,
    deleteBeforeReplace: replaces.length > 0 && keepsItsName(oldState, news),
  };
}

/**
 * Returns a cluster-scoped object's new inputs with the namespace of its old ones, which may have got one before the
 * object's definition was known.
 */
function scoped(oldState: Properties, olds: Properties, news: Properties): Properties {
  const known = metadataText(oldState, 'name') !== undefined;
  if (!known || metadataText(oldState, 'namespace') !== undefined) return news;
  const namespace = metadataText(olds, 'namespace');
  const metadata = valueAt(news, 'metadata');
  if (!isObject(metadata)) return news;
  if (!('namespace' in metadata)) {
    return namespace === undefined ? news : { ...news, metadata: { ...metadata, namespace } };
  }
  const { namespace: _, ...rest } = metadata;
  return { ...news, metadata: namespace === undefined ? rest : { ...rest, namespace } };
}

/** Tells whether a replacement has the same name: two such objects cannot coexist, so the old one is deleted first. */
function keepsItsName(oldState: Properties, news: Properties): boolean {
  return (
    isNamed(news) &&
    annotationOf(news, annotation.autonamed) !== 'true' &&
    metadataText(news, 'name') === metadataText(oldState, 'name') &&
    metadataText(news, 'namespace') === metadataText(oldState, 'namespace')
  );
}
