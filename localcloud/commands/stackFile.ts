import { isMap, isScalar, parseDocument, visit, type Document, type YAMLMap } from 'yaml';
import { SECRET_VALUES as secretValues } from '../project';
import { configOf, parseCommitted, parseKept } from './stackDocument';

const valuesPath = ['config', secretValues];

/** Key Vault's rule for the name of a secret (REST reference, Set Secret, `secret-name`). The program reports others. */
const isSecretName = (name: string): boolean => /^[0-9A-Za-z-]{1,127}$/.test(name);

/** The state folder in the committed file. */
const defaultState = './.state';

/**
 * Keys that say how the values of a stack file are encrypted (pulumi sdk/go/common/workspace, ProjectStack).
 */
const encryptionKeys = ['encryptionsalt', 'encryptedkey', 'secretsprovider'];

/** Sources of the effective stack file besides the committed one. */
export interface StackFileSources {
  /** Name of the committed file, for messages. */
  name: string;
  /** The previous effective file; undefined at first. */
  previous?: string | undefined;
  /** Encrypted values that were put aside before, by name of the secret. */
  aside?: Readonly<Record<string, string>>;
  /**
   * The state folder, relative to the project, which replaces `./.state` of the committed file. It is relative,
   * because a path that differs between machines would be a change to the engine.
   *
   * @default ./.state
   */
  stateFolder?: string;
  /** Names of all secrets that the configuration needs. */
  secretNames: (config: unknown) => string[];
}

export interface EffectiveStackFile {
  /** The file's text. */
  text: string;
  /** Names of secrets that still need a value, sorted. */
  missing: string[];
  /** Encrypted values of secrets that nothing in the file names, by name: kept in case something names them again. */
  aside: Record<string, string>;
}

/**
 * Returns the engine's stack file: the committed file, with the salt and the encrypted values of this machine. Both are
 * kept from `previous`, so that a second `up` changes nothing; everything else comes from the committed file. A
 * secret needs a value
 * - without the key of values: if the configuration needs it;
 * - with the key, even `{}`: if it is listed without a value; the others must exist in their vaults.
 *
 * Values that are encrypted in the committed file count as missing, because the passphrase of the stack in
 * Azure is unknown here. The value of a secret that nothing names any more is put aside, so that no message names a
 * secret that is not in the committed file. The secret stays in its vault, and whatever names it again reads the same value.
 */
export function effectiveStackFile(committed: string, sources: StackFileSources): EffectiveStackFile {
  const { name, previous, stateFolder = defaultState } = sources;
  const document = parseCommitted(committed, name);
  moveState(document, stateFolder);
  const kept = previous === undefined ? undefined : parseKept(previous, name);
  for (const key of encryptionKeys) document.delete(key);
  const salt: unknown = kept?.get('encryptionsalt');
  if (typeof salt === 'string') document.set('encryptionsalt', salt);
  dropForeign(document);
  if (kept !== undefined) keepEncrypted(document, kept);
  const values = new Map<string, KeptValue>([
    ...Object.entries(sources.aside ?? {}).map(([name, secure]): [string, KeptValue] => [
      name.toLowerCase(),
      { name, secure },
    ]),
    ...(kept === undefined ? [] : keptValues(kept)),
  ]);
  const { missing, aside } = fillValues(document, values, sources);
  return { text: document.toString({ lineWidth: 0 }), missing, aside };
}

/** Returns the salt that the engine wrote when it created the stack. */
export function readSalt(text: string): string | undefined {
  const salt: unknown = parseDocument(text).get('encryptionsalt');
  return typeof salt === 'string' ? salt : undefined;
}

/** Returns the path of a secret's value for `pulumi config set --path`. */
export function secretValuePath(name: string): string {
  return `${secretValues}["${name}"]`;
}

/** Removes values that are encrypted with another passphrase; their names stay listed. */
function dropForeign(document: Document): void {
  for (const { path } of encryptedValues(document)) {
    if (path.length === 3 && path[1] === secretValues) document.setIn(path, null);
    else document.deleteIn(path);
  }
}

/** Keeps locally encrypted values that the committed file does not set, except secret values. */
function keepEncrypted(document: Document, kept: Document): void {
  for (const { path, secure } of encryptedValues(kept)) {
    if (path[1] === secretValues || hasValue(document, path)) continue;
    const parent: unknown = document.getIn(path.slice(0, -1));
    if (parent === undefined || isMap(parent)) document.setIn(path, document.createNode({ secure }));
  }
}

/** Returns every `{ secure: … }` at a configuration key, or at a name below it. */
function encryptedValues(document: Document): { path: string[]; secure: string }[] {
  const keys = entriesOf(document, ['config']);
  return [...keys, ...keys.flatMap((key) => entriesOf(document, key))].flatMap((path) => {
    const value: unknown = document.getIn(path);
    const secure: unknown = isMap(value) ? value.get('secure') : undefined;
    return typeof secure === 'string' ? [{ path, secure }] : [];
  });
}

function entriesOf(document: Document, path: string[]): string[][] {
  const map: unknown = document.getIn(path);
  return isMap(map) ? textKeys(map).map((key) => [...path, key]) : [];
}

/** Inserts the kept values. Returns the names of secrets without a value, and the values of secrets that nothing names. */
function fillValues(
  document: Document,
  kept: ReadonlyMap<string, KeptValue>,
  sources: StackFileSources,
): Pick<EffectiveStackFile, 'missing' | 'aside'> {
  const keptValues = () => Object.fromEntries([...kept.values()].map(({ name, secure }) => [name, secure]));
  const configured: unknown = document.getIn(valuesPath, true);
  const empty = configured === undefined || (isScalar(configured) && configured.value === null);
  // The program refuses anything but a mapping.
  if (!empty && !isMap(configured)) return { missing: [], aside: keptValues() };
  const named = sources.secretNames(configOf(document)).filter(isSecretName);
  const names = configured === undefined ? named : listedSecrets(configured);
  // An empty key would be an invalid value.
  if (empty) document.deleteIn(valuesPath);
  const missing: string[] = [];
  for (const name of names) {
    const path = [...valuesPath, name];
    if (hasValue(document, path)) continue;
    const value = kept.get(name.toLowerCase());
    if (value !== undefined) {
      document.setIn(path, document.createNode({ secure: value.secure }));
    } else {
      // A name without a value would be an empty value.
      if (document.hasIn(path)) document.deleteIn(path);
      missing.push(name);
    }
  }
  const present = new Set(names.map((name) => name.toLowerCase()));
  const spelled = new Map(named.map((name) => [name.toLowerCase(), name]));
  const aside: Record<string, string> = {};
  for (const [key, { name, secure }] of kept) {
    const spelling = spelled.get(key);
    // The user set this value for a secret that is needed, although the file lists only others.
    if (spelling !== undefined && !present.has(key))
      document.setIn([...valuesPath, spelling], document.createNode({ secure }));
    else if (!present.has(key)) aside[name] = secure;
  }
  return { missing: missing.sort(), aside };
}

interface KeptValue {
  name: string;
  secure: string;
}

/** Returns the kept values by name in lower case, because Key Vault's names are case-insensitive. */
function keptValues(document: Document): Map<string, KeptValue> {
  return new Map(
    encryptedValues(document).flatMap(({ path, secure }): [string, KeptValue][] => {
      const [, key, name] = path;
      return key === secretValues && name !== undefined ? [[name.toLowerCase(), { name, secure }]] : [];
    }),
  );
}

function moveState(document: Document, stateFolder: string): void {
  if (stateFolder === defaultState) return;
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && node.value.startsWith(`${defaultState}/`)) {
        node.value = stateFolder + node.value.slice(defaultState.length);
      }
    },
  });
}

function hasValue(document: Document, path: string[]): boolean {
  const value: unknown = document.getIn(path, false);
  return value !== undefined && value !== null;
}

function listedSecrets(values: unknown): string[] {
  return isMap(values) ? textKeys(values).filter(isSecretName) : [];
}

/** Returns the keys that are strings. `5:` is a number, which the program refuses. */
function textKeys(map: YAMLMap): string[] {
  return map.items.flatMap(({ key }) => (isScalar(key) && typeof key.value === 'string' ? [key.value] : []));
}
