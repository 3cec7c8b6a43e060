import { isMap, isScalar, parseDocument, visit, type Document, type YAMLMap } from 'yaml';
import { field, parseCommitted, parseKept } from './stackDocument';
import { isSecretName, namedSecrets } from './stackSecrets';

/** The project's name in Pulumi.yaml, and so the namespace of its configuration. */
export const PROJECT = 'aks-workload-identity';

const secretValues = `${PROJECT}:secretValues`;
const valuesPath = ['config', secretValues];

/** The state root as the committed file names it. */
const defaultState = './.state';

/** What says how the values of a stack file are encrypted (pulumi sdk/go/common/workspace, ProjectStack). */
const encryptionKeys = ['encryptionsalt', 'encryptedkey', 'secretsprovider'];

/** What the effective file is made of, beside the committed file. */
export interface StackFileSources {
  /** The committed file's name, for messages. */
  name: string;
  /** Name of the stack: what release files pin versions for. */
  stack: string;
  /** The effective file as it was before; undefined at first. */
  previous?: string | undefined;
  /**
   * The state root, relative to the project, in place of the `./.state` that the committed file names; relative,
   * because a path in an input that differs between machines is a change to the engine.
   * @default ./.state
   */
  stateFolder?: string;
  /** Text of a file that the committed one refers to, by its path there; undefined if it cannot be read. */
  read: (file: string) => string | undefined;
}

export interface EffectiveStackFile {
  /** The file's text. */
  text: string;
  /** Names of the secrets that need a value and have none yet, sorted. */
  missing: string[];
}

/**
 * The stack's configuration as the engine gets it: the committed file, with the salt and the encrypted values that
 * were made on this machine. Both are kept from `previous`, so that a second `up` changes nothing; everything else
 * follows the committed file. A value is needed
 * - without the key `secretValues`: of every secret that an application names, here or in its release file;
 * - with the key, even `{}`: of those that it lists without a value; the others are in their vaults already.
 *
 * What the committed file holds encrypted is so with the passphrase of the stack in Azure, which is not known here: it
 * counts as absent. A value stays also when no application names its secret any more: the secret is in its vault,
 * and an application that comes back reads the same value.
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
  const missing = fillValues(document, kept === undefined ? new Map() : keptValues(kept), sources);
  return { text: document.toString({ lineWidth: 0 }), missing };
}

/** The salt that the engine wrote when it made the stack. */
export function readSalt(text: string): string | undefined {
  const salt: unknown = parseDocument(text).get('encryptionsalt');
  return typeof salt === 'string' ? salt : undefined;
}

/** The path of a secret's value for `pulumi config set --path`. */
export function secretValuePath(name: string): string {
  return `${secretValues}["${name}"]`;
}

/** Values that are encrypted with another passphrase cannot be read here; of a secret stays that it is listed. */
function dropForeign(document: Document): void {
  for (const { path } of encryptedValues(document)) {
    if (path.length === 3 && path[1] === secretValues) document.setIn(path, null);
    else document.deleteIn(path);
  }
}

/** Of what was encrypted here, other than the secrets' values, all that the committed file does not say itself. */
function keepEncrypted(document: Document, kept: Document): void {
  for (const { path, secure } of encryptedValues(kept)) {
    if (path[1] === secretValues || hasValue(document, path)) continue;
    const parent: unknown = document.getIn(path.slice(0, -1));
    if (parent === undefined || isMap(parent)) document.setIn(path, document.createNode({ secure }));
  }
}

/** Each `{ secure: … }` that is the value of a key of the configuration, or of a name in such a value. */
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

/** Puts the kept values in, and gives the names of the secrets that are left without one. */
function fillValues(
  document: Document,
  kept: ReadonlyMap<string, KeptValue>,
  sources: StackFileSources,
): string[] {
  const given: unknown = document.getIn(valuesPath, true);
  const empty = given === undefined || (isScalar(given) && given.value === null);
  // Anything else than names with values is refused by the program, which tells what is allowed.
  if (!empty && !isMap(given)) return [];
  const wanted = given === undefined ? applicationSecrets(document, sources) : listedSecrets(given);
  // A key without anything would be read as a wrong value.
  if (empty) document.deleteIn(valuesPath);
  const missing: string[] = [];
  for (const name of wanted) {
    const path = [...valuesPath, name];
    if (hasValue(document, path)) continue;
    const value = kept.get(name.toLowerCase());
    if (value !== undefined) {
      document.setIn(path, document.createNode({ secure: value.secure }));
    } else {
      // A name without a value would be read as an empty value.
      if (document.hasIn(path)) document.deleteIn(path);
      missing.push(name);
    }
  }
  const present = new Set(wanted.map((name) => name.toLowerCase()));
  for (const [key, { name, secure }] of kept) {
    if (!present.has(key)) document.setIn([...valuesPath, name], document.createNode({ secure }));
  }
  return missing.sort();
}

interface KeptValue {
  name: string;
  secure: string;
}

/** Values that were made before, by name in lower case: Key Vault does not tell spellings apart. */
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

function applicationSecrets(document: Document, { stack, read }: StackFileSources): string[] {
  const applications = field(field(document.toJS(), 'config'), `${PROJECT}:applications`);
  return namedSecrets(applications, stack, read);
}

function listedSecrets(values: unknown): string[] {
  return isMap(values) ? textKeys(values).filter(isSecretName) : [];
}

/** The keys that are texts: `5:` is a number, and refused by the program. */
function textKeys(map: YAMLMap): string[] {
  return map.items.flatMap(({ key }) => (isScalar(key) && typeof key.value === 'string' ? [key.value] : []));
}
