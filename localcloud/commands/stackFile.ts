import { isMap, parseDocument, visit, type Document } from 'yaml';
import { VisibleError } from './visibleError';

/** The project's name in Pulumi.yaml, and so the namespace of its configuration. */
export const PROJECT = 'aks-workload-identity';

const secretValues = `${PROJECT}:secretValues`;

/** The state root as the committed file names it. */
const defaultState = './.state';

export interface EffectiveStackFile {
  /** The file's text. */
  text: string;
  /** Names of secrets that applications read and that have no value yet, sorted. */
  missing: string[];
}

/**
 * The stack's configuration as the engine gets it: the committed file, with the salt and the secret values
 * that were made on this machine. Both are kept from `previous`, so that a second `up` changes nothing;
 * everything else follows the committed file. `stateFolder` is the state root, relative to the project, in
 * place of the `./.state` that the committed file names; relative, because a path in an input that differs
 * between machines is a change to the engine.
 */
export function effectiveStackFile(
  committed: string,
  previous: string | undefined,
  stateFolder = defaultState,
): EffectiveStackFile {
  const document = parse(committed, 'Pulumi.local.yaml');
  moveState(document, stateFolder);
  const kept = previous === undefined ? undefined : parse(previous, 'the local copy of Pulumi.local.yaml');
  const salt: unknown = kept?.get('encryptionsalt');
  if (typeof salt === 'string') document.set('encryptionsalt', salt);
  const missing: string[] = [];
  for (const name of secretsOf(document)) {
    const path = ['config', secretValues, name];
    if (hasValue(document, path)) continue;
    const keptValue: unknown = kept?.getIn(path);
    if (isMap(keptValue) && typeof keptValue.get('secure') === 'string') {
      document.setIn(path, document.createNode({ secure: keptValue.get('secure') }));
    } else {
      // A name without a value would be read as an empty value.
      if (document.hasIn(path)) document.deleteIn(path);
      missing.push(name);
    }
  }
  return { text: document.toString({ lineWidth: 0 }), missing: missing.sort() };
}

/** The salt that the engine wrote when it made the stack. */
export function readSalt(text: string): string | undefined {
  const salt: unknown = parseDocument(text).get('encryptionsalt');
  return typeof salt === 'string' ? salt : undefined;
}

/** The path of a secret's value for `pulumi config set --path`; names may have dots in them. */
export function secretValuePath(name: string): string {
  return `${secretValues}["${name}"]`;
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

function parse(text: string, what: string): Document {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined) {
    throw new VisibleError(
      `${what} is not valid YAML: ${problem.message}`,
      'Correct the file and run the command again.',
    );
  }
  return document;
}

function hasValue(document: Document, path: string[]): boolean {
  const value: unknown = document.getIn(path, false);
  return value !== undefined && value !== null;
}

/** Every secret that an application names. What is malformed is left to the program, which reports all of it. */
function secretsOf(document: Document): string[] {
  const root: unknown = document.toJS();
  const config = field(root, 'config');
  const applications = field(config, `${PROJECT}:applications`);
  const named = Array.isArray(applications)
    ? applications.flatMap((application: unknown) => {
        const secrets = field(application, 'secrets');
        return Array.isArray(secrets)
          ? secrets.filter((name): name is string => typeof name === 'string')
          : [];
      })
    : [];
  const listed = Object.keys(asRecord(field(config, secretValues)));
  return [...new Set([...named, ...listed])];
}

function field(value: unknown, name: string): unknown {
  return asRecord(value)[name];
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
