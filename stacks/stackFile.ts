import type { ReadFile } from './settings/projectFiles';
import type { Configuration } from './plan';
import { validateStack } from './cells';
import type { OfCell } from './configuration';
import { notCompared } from './configuration';
import { isWithin } from './checks/secrecy';
import { asProgram, keyProblems } from './stackFileInput';
import type { Path, Problem } from './settings/problem';
import { encryptedOnly, formatProblem, project, shown } from './settings/problem';
import { fieldsOf, isRecord } from '../components/resource/fields';
import { besideConfig } from './settings/unknownKey';
import { ambiguousIn, readYaml } from './settings/yamlPlaces';

// Checks a stack file without an engine, in the same way as the program. Encrypted values stay encrypted.

/** A problem at its place in a file. */
export interface PlacedProblem {
  /** Path relative to the project. */
  readonly file: string;
  /** Line number; the first is 1. */
  readonly line: number;
  /** Column of a syntax error. */
  readonly column?: number;
  /** Place, value, problem, allowed values and hint, on one line. */
  readonly message: string;
}

/** Result of the check of a stack file. */
export interface StackFileCheck {
  /** Undefined if there is a problem. */
  readonly configuration?: Configuration;
  /** Returns the part of the configuration that a cell deploys. Absent if there is a problem, and for a cell. */
  readonly ofCell?: OfCell | undefined;
  /** In the order of the files and their lines. */
  readonly problems: readonly PlacedProblem[];
  /** The parts that could not be checked, as sentences. */
  readonly notes: readonly string[];
}

/** A stack file. */
export interface StackFileText {
  /** Name of the stack. */
  readonly environment: string;
  /** The file's path relative to the project, for messages. */
  readonly file: string;
  readonly text: string;
}

/** Returns `Pulumi.dev.yaml:14: aks-workload-identity:…`, which editors and terminals turn into a link. */
export function formatPlaced({ file, line, column, message }: PlacedProblem): string {
  return [file, line, column].filter((part) => part !== undefined).join(':') + `: ${message}`;
}

/** Maximum number of characters. No real file has more, and checking more would take minutes. */
const longest = 4_000_000;

/**
 * Checks a whole stack file and the release files that it names.
 * @param now determines which certificates exist and what has expired
 * @default the time of the call
 */
export function checkStackFile(
  { environment, file, text }: StackFileText,
  readFile: ReadFile,
  now?: Date,
): StackFileCheck {
  if (text.length > longest) {
    const size = `${(text.length / 1e6).toFixed(1)} MB`;
    const message = `has ${size}. Allowed: up to ${longest / 1e6} MB, some 40,000 applications. Split it into several stacks.`;
    return { problems: [{ file, line: 1, message }], notes: [] };
  }
  const { content, errors, lineOf } = readYaml(text);
  if (errors.length > 0) {
    const problems = errors.map(({ message, ...place }) => ({
      file,
      ...place,
      message: `is not YAML: ${message}. Correct it.`,
    }));
    return { problems, notes: [] };
  }
  const top = fieldsOf(content);
  const beside = besideConfig(Object.keys(top)).map(([key, message]) => ({
    file,
    line: lineOf([key]),
    message,
  }));
  const { config } = top;
  if (!isRecord(config)) {
    const message = `has no \`config\`. Allowed: the key \`config\` and, indented below it, the settings, such as \`${project}:location: westeurope\`. Add it.`;
    return { problems: [...beside, { file, line: lineOf(['config']), message }], notes: [] };
  }
  const program = asProgram(config);
  const { input, encrypted, unknown } = program;
  const validation = validateStack(environment, input, readFile, unknown, now);
  const exposed = encrypted.filter(([key]) => !encryptedOnly.includes(String(key)));
  const judged = (validation.ok ? [] : validation.problems).filter(
    ({ path }) => !exposed.some((other) => isWithin(path, other)),
  );
  const lineInFile = ([key, ...rest]: Path, namespace?: string): number => {
    const name = String(key);
    const isBare = namespace === undefined && Object.hasOwn(config, name);
    return lineOf(['config', isBare ? name : `${namespace ?? project}:${name}`, ...rest]);
  };
  const place = (problem: Problem): PlacedProblem => {
    const { path, namespace, file: other } = problem;
    const message = formatProblem(problem);
    if (other === undefined) return { file, line: lineInFile(path, namespace), message };
    const line = readYaml(readFile(other) ?? '').lineOf(path);
    return { file: other, line, message: message.slice(`${other}: `.length) };
  };
  const found = [...judged, ...keyProblems(config, program)];
  const ambiguous = ambiguousIn(text).map(({ line, path: [top, key, ...rest], source }) => {
    const [name = '', namespace = project] = String(key ?? top ?? '')
      .split(':')
      .toReversed();
    const path = [name, ...rest];
    const isSecret = source !== undefined && shown(path, source) === undefined;
    const problem = {
      ...{ path, namespace, value: isSecret ? undefined : source },
      what: 'is a value that YAML parsers read differently, like a date, yes or 012',
      hint: 'Put it in quotes, without a tag.',
    };
    return { file, line, message: formatProblem(problem) };
  });
  const problems = sorted([...beside, ...ambiguous, ...found.map(place)], file);
  const notes = [
    ...(validation.ok || validation.compared ? [] : [notCompared]),
    ...unknown.map(
      (key) => `${project}:${key} is encrypted as a whole: only the Pulumi engine checks its names.`,
    ),
    ...(top.environment !== undefined
      ? [`${file} imports an environment of Pulumi ESC, which is not read here.`]
      : []),
  ];
  return {
    ...(validation.ok &&
      problems.length === 0 && {
        configuration: validation.configuration,
        ofCell: validation.ofCell,
      }),
    problems,
    notes,
  };
}

/** Returns the problems of the stack file first, then those of other files, each in the order of lines. */
function sorted(problems: readonly PlacedProblem[], stackFile: string): PlacedProblem[] {
  const rank = ({ file }: PlacedProblem) => (file === stackFile ? '' : file);
  return problems.toSorted((one, other) => rank(one).localeCompare(rank(other)) || one.line - other.line);
}
