import type { StackChoice } from './localStack';

/** Returns the value of `--stack` or `-s` in a command line. */
export function stackOf(args: string[]): string | undefined {
  return optionOf(args, '--stack', '-s');
}

/**
 * Splits a command line of pulumi into stack options and pulumi's arguments. It removes this project's own option
 * `--stack-file`, and a `--stack` before the command, where pulumi does not accept it.
 */
export function splitStackChoice(args: string[]): { choice: StackChoice; rest: string[] } {
  const rest: string[] = [];
  let command = false;
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index] ?? '';
    // The arguments after `--` are for a program that pulumi runs.
    if (argument === '--') {
      rest.push(...args.slice(index));
      break;
    }
    const option = /^(--stack-file|--stack|-s)(=.*)?$/.exec(argument);
    if (option !== null && (option[1] === '--stack-file' || !command)) {
      if (option[2] === undefined) index += 1;
      continue;
    }
    command ||= !argument.startsWith('-');
    rest.push(argument);
  }
  return { choice: { stack: stackOf(args), stackFile: optionOf(args, '--stack-file') }, rest };
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
