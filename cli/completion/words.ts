import type { Command, Option } from 'commander';

/** A word that the shell offers at a place of a command line. */
interface Word {
  readonly name: string;
  readonly description: string;
}

/** Value of an option: a stack, a path, one of a list, or anything, which is not completed. */
export type Value = 'stack' | 'path' | 'any' | readonly string[];

/** A command with what can follow it. */
export interface Place {
  /** Names of the command and those above it, without the program's, such as `cloud start`. Empty for the program. */
  readonly path: string;
  /** Subcommands, and values of its argument. */
  readonly words: readonly Word[];
  readonly options: readonly (Word & { readonly value?: Value })[];
}

/** Returns the commands of a program, each before those in it. */
export function placesIn(command: Command, path: readonly string[] = []): Place[] {
  const help = command.createHelp();
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const own: Place = {
    path: path.join(' '),
    words: [
      ...help
        .visibleCommands(command)
        .map((visible) => ({ name: visible.name(), description: visible.description() })),
      ...choices.map((name) => ({ name, description: '' })),
    ],
    options: help.visibleOptions(command).flatMap(optionWords),
  };
  return [
    own,
    ...command.commands.flatMap((subcommand) => placesIn(subcommand, [...path, subcommand.name()])),
  ];
}

function optionWords(option: Option): Place['options'] {
  const { short, long, description } = option;
  const takesValue = option.required || option.optional;
  return [short, long].flatMap((name) =>
    name === undefined || !name.startsWith('--')
      ? []
      : { name, description, ...(takesValue && { value: valueOf(option) }) },
  );
}

function valueOf({ flags, argChoices }: Option): Value {
  if (argChoices !== undefined) return argChoices;
  if (/^--(stack|from|to) /.test(flags)) return 'stack';
  return /<(file|folder|path)\W/.test(flags) ? 'path' : 'any';
}
