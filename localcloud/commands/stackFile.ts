import { isMap, isScalar, parseDocument, visit, type Document, type YAMLMap } from 'yaml';
import { field, parseCommitted, parseKept } from './stackDocument';

/** The project's name in Pulumi.yaml, and so the namespace of its configuration. */
export const PROJECT = 'aks-workload-identity';

const secretValues = `${PROJECT}:secretValues`;
const valuesPath = ['config', secretValues];

/** The state root as the committed file names it. */
const defaultState = './.state';

/** Key Vault's rule for the name of a secret (REST reference, Set Secret, `secret-name`). */
const secretName = /^[0-9A-Za-z-]{1,127}$/;

export interface EffectiveStackFile {
  /** The file's text. */
  text: string;
  /** Names of secrets that applications read and that have no value yet, sorted. */
  missing: string[];
}

/**
 * The stack's configuration as the engine gets it: the committed file, with the salt and the secret values
 * that were made on this machine. Both are kept from `previous`, so that a second `up` changes nothing;
 * everything else follows the committed file. A value stays also when no application names its secret any
 * more: the secret is in its vault, and an application that comes back reads the same value. `stateFolder` is
 * the state root, relative to the project, in place of the `./.state` that the committed file names; relative,
 * because a path in an input that differs between machines is a change to the engine.
 */
export function effectiveStackFile(
  committed: string,
  previous: string | undefined,
  stateFolder = defaultState,
): EffectiveStackFile {
  const document = parseCommitted(committed);
  moveState(document, stateFolder);
  const kept = previous === undefined ? undefined : parseKept(previous);
  const salt: unknown = kept?.get('encryptionsalt');
  if (typeof salt === 'string') document.set('encryptionsalt', salt);
  const missing = fillValues(document, keptValues(kept));
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

/** Puts the kept values in, and gives the names of the secrets that are left without one. */
function fillValues(document: Document, kept: ReadonlyMap<string, KeptValue>): string[] {
  const given: unknown = document.getIn(valuesPath, true);
  const empty = given === undefined || (isScalar(given) && given.value === null);
  // Anything else than names with values is refused by the program, which tells what is allowed.
  if (!empty && !isMap(given)) return [];
  if (empty) document.deleteIn(valuesPath);
  const missing: string[] = [];
  const named = secretsOf(document);
  for (const name of named) {
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
  const present = new Set(named.map((name) => name.toLowerCase()));
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
function keptValues(document: Document | undefined): Map<string, KeptValue> {
  const values: unknown = document?.getIn(valuesPath);
  if (!isMap(values)) return new Map();
  return new Map(
    textKeys(values).flatMap((name): [string, KeptValue][] => {
      const value: unknown = values.get(name);
      const secure: unknown = isMap(value) ? value.get('secure') : undefined;
      return typeof secure === 'string' ? [[name.toLowerCase(), { name, secure }]] : [];
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

/** Every secret that is named, as far as a vault can have it. The rest is left to the program, which reports all of it. */
function secretsOf(document: Document): string[] {
  const applications = field(field(document.toJS(), 'config'), `${PROJECT}:applications`);
  const named = (Array.isArray(applications) ? applications : []).flatMap((application: unknown) => {
    const secrets = field(application, 'secrets');
    return Array.isArray(secrets) ? secrets.filter((name): name is string => typeof name === 'string') : [];
  });
  const values: unknown = document.getIn(valuesPath);
  const listed = isMap(values) ? textKeys(values) : [];
  return [...new Set([...named, ...listed])].filter((name) => secretName.test(name));
}

/** The keys that are texts: `5:` is a number, and refused by the program. */
function textKeys(map: YAMLMap): string[] {
  return map.items.flatMap(({ key }) => (isScalar(key) && typeof key.value === 'string' ? [key.value] : []));
}
