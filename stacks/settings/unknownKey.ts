import { didYouMean, nearest, nearestOnes } from './nearest';
import type { Path, Problem } from './problem';
import { project, shorten } from './problem';

/** Longest list of known keys that is shown beside a suggestion. */
const shortList = 8;

/** Namespaces of what reads the configuration of a stack: this program, its providers and the engine. */
const namespaces = [project, 'azure-native', 'azuread', 'kubernetes', 'pulumi'];

/**
 * Returns problems of keys that nothing reads: keys of other namespaces, keys with a further colon, and keys that are there
 * both with and without the namespace.
 */
export function unreadKeys(keys: readonly string[]): Problem[] {
  const known = new Set<string>();
  return keys.flatMap((key): Problem[] => {
    // Keys without a namespace are the project's (pulumi sdk/go/common/workspace, stackConfigNamespacedWithProject).
    const [namespace = '', ...rest] = key.includes(':') ? key.split(':') : [project, key];
    const name = rest.join(':');
    if (!namespaces.includes(namespace)) {
      const near = nearest(namespace, namespaces);
      const hint = near === undefined ? 'Remove it.' : `Did you mean ${near}:${name}?`;
      const what = `has no effect: nothing reads keys of ${namespace}`;
      return [{ path: [name], namespace, what, allowed: `keys of ${namespaces.join(', ')}`, hint }];
    }
    if (namespace !== project) return [];
    if (rest.length > 1) {
      const hint = `Write ${project}:${String(rest.at(-1))} if that is intended, or remove it.`;
      return [{ path: [name], what: 'is not a key: the name of a setting has no colon', hint }];
    }
    const what = 'is set twice, with and without the namespace';
    if (known.has(name)) return [{ path: [name], what, hint: 'Remove one of them.' }];
    known.add(name);
    return [];
  });
}

/** The keys of a stack file (pulumi sdk/go/common/workspace, ProjectStack). */
const stackFileKeys = ['config', 'environment', 'secretsprovider', 'encryptedkey', 'encryptionsalt'];

/** Returns messages about keys beside `config`, by key. Keys that begin with `x-` hold values for aliases. */
export function besideConfig(keys: readonly string[]): [key: string, message: string][] {
  return keys
    .filter((key) => !stackFileKeys.includes(key) && !key.startsWith('x-'))
    .map((key) => {
      const hint = didYouMean(key, stackFileKeys, 'Move it into `config`, or remove it.');
      return [
        key,
        `${shorten(key)}: has no effect next to \`config\`. Allowed: ${stackFileKeys.join(', ')}, x-… for aliases. ${hint}`,
      ];
    });
}

/**
 * Returns the problem of an unknown key. It suggests the right one if the key is misspelt, otherwise it lists the known keys.
 */
export function unknownKey(path: Path, key: string, known: readonly string[]): Problem {
  const near = nearestOnes(key, known);
  return {
    path,
    what: 'is not a known key',
    ...((near.length === 0 || known.length <= shortList) && { allowed: known.join(', ') }),
    hint: near.length === 0 ? 'Remove it.' : `Did you mean ${near.join(' or ')}?`,
  };
}
