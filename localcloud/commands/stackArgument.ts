import type { StackChoice } from './localStack';

/** Returns the value of `--stack` or `-s` in a command line. */
export function stackOf(args: string[]): string | undefined {
  return optionOf(args, '--stack', '-s');
}

/** Commands of pulumi with an option `--file` of their own (pulumi 3.257): a file of resources, of a state, or of a plugin. */
const withOwnFile = new Set(['import', 'plugin', 'stack']);

/**
 * Splits a command line of pulumi into stack options and pulumi's arguments. It removes this project's own options
 * `--file` and `--stack-file`, and a `--stack` before the command, where pulumi does not accept it. After the commands that have
 * a `--file` of their own, it is theirs.
 */
export function splitStackChoice(args: string[]): { choice: StackChoice; rest: string[] } {
  const rest: string[] = [];
  let command: string | undefined;
  let stackFile: string | undefined;
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index] ?? '';
    // The arguments after `--` are for a program that pulumi runs.
    if (argument === '--') {
      rest.push(...args.slice(index));
      break;
    }
    const [, name, value] = /^(--file|--stack-file|--stack|-s)(?:=(.*))?$/.exec(argument) ?? [];
    const isFile = name === '--stack-file' || (name === '--file' && !withOwnFile.has(command ?? ''));
    if (isFile || (name !== undefined && name !== '--file' && command === undefined)) {
      if (value === undefined) index += 1;
      if (isFile) stackFile ??= value ?? args[index];
      continue;
    }
    if (!argument.startsWith('-')) command ??= argument;
    rest.push(argument);
  }
  return { choice: { stack: stackOf(args), stackFile }, rest };
}

/** Returns the value of an option in a command line, under any of its names; the first occurrence counts. */
export function optionOf(args: string[], ...names: string[]): string | undefined {
  for (const [index, argument] of args.entries()) {
    if (argument === '--') return undefined;
    for (const name of names) {
      if (argument === name) return args[index + 1];
      if (argument.startsWith(`${name}=`)) return argument.slice(name.length + 1);
    }
  }
  return undefined;
}
