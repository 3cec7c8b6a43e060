import { isNode, parseDocument, stringify, visit, type Document } from 'yaml';
import { commandLine, PROJECT } from '../project';
import { UserError } from '../userError';
import { reason } from '../logger';

/** Returns the hint for an invalid stack file. */
function restoreHint(name: string): string {
  return `Correct it, or get the committed one back with \`git checkout ${name}\`, and run the command again.`;
}

/**
 * Parses a committed stack file; refuses one that is not a mapping with `config`. The program validates the
 * settings.
 *
 * @param name name of the file, for messages
 */
export function parseCommitted(text: string, name: string): Document {
  const restore = restoreHint(name);
  const document = parse(text, name, restore);
  const root = valueOf(document, name);
  const refuse = (problem: string): never => {
    throw new UserError(
      problem,
      `Expected: the key \`config\` and, indented below it, settings such as \`${PROJECT}:location: westeurope\`. ${restore}`,
    );
  };
  if (root === null || root === undefined) return refuse(`${name} is empty.`);
  if (!isRecord(root)) {
    return refuse(`${name}${lineOf(text, document.contents)} is ${kindOf(root)}, not a mapping.`);
  }
  const config = root['config'];
  if (config === undefined || config === null) return refuse(`${name} has no \`config\`.`);
  if (!isRecord(config)) {
    const line = lineOf(text, document.get('config', true));
    return refuse(`${name}${line} \`config\` is ${kindOf(config)}, not a mapping.`);
  }
  if (!hasAliases(document)) return document;
  // This also quotes strings that only YAML 1.1 reads as another type, because the engine may read them so, too.
  return parseDocument(
    stringify(root, {
      aliasDuplicateObjects: false,
      version: '1.1',
      defaultStringType: 'QUOTE_DOUBLE',
      defaultKeyType: 'PLAIN',
    }),
  );
}

/** Parses the engine's copy of a stack file. */
export function parseKept(text: string, name: string): Document {
  return parse(text, `The local copy of ${name}`, `Run ${commandLine('clean')}, then ${commandLine('up')}.`);
}

/** Returns the settings of a stack file; undefined if it has none. */
export function configOf(document: Document): unknown {
  const value: unknown = document.toJS();
  return isRecord(value) ? value['config'] : undefined;
}

function parse(text: string, file: string, whatToDo: string): Document {
  // The engine's parser also merges `<<`.
  const document = parseDocument(text, { merge: true });
  const [problem] = document.errors;
  // The other lines of the message quote the file, which may contain a secret.
  if (problem !== undefined) throw notYaml(file, problem.message.split('\n')[0] ?? problem.code, whatToDo);
  return document;
}

function notYaml(file: string, problem: string, whatToDo: string): UserError {
  return new UserError(`${file} is not valid YAML: ${problem.replace(/:$/, '')}.`, whatToDo);
}

function valueOf(document: Document, name: string): unknown {
  try {
    const value: unknown = document.toJS();
    return value;
  } catch (error) {
    // An alias without its anchor is only detected here.
    throw notYaml(name, reason(error), restoreHint(name));
  }
}

function hasAliases(document: Document): boolean {
  let hasAlias = false;
  visit(document, {
    Alias() {
      hasAlias = true;
      return visit.BREAK;
    },
  });
  return hasAlias;
}

function lineOf(text: string, node: unknown): string {
  const start = isNode(node) ? node.range?.[0] : undefined;
  return start === undefined ? '' : `, line ${text.slice(0, start).split('\n').length},`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  return `a ${typeof value}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
