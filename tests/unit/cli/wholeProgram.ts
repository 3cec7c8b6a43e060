import type { Command } from 'commander';
import { createProgram } from '../../../cli/main';
import * as product from '../../../cli/localProduct';
import { addLocalCloudCommands } from '../../../localcloud/commands/main';
import { projectRoot } from '../../support/command';

/** The command with those of the local cloud, all loaded. @param args command line, of which the nearest options are known */
export async function wholeProgram(args: readonly string[] = []): Promise<Command> {
  const program = await createProgram(args, true);
  const confirmed = () => Promise.resolve(false);
  await addLocalCloudCommands(program.version('0.0.0'), { projectRoot, confirmed, product });
  return program;
}

/** A command below a program, by its name with those of the commands above it. */
export interface NamedCommand {
  readonly path: string;
  readonly command: Command;
}

/** All groups of commands below a program. */
export function groupsIn(command: Command, path: readonly string[] = []): NamedCommand[] {
  return command.commands
    .filter(({ commands }) => commands.length > 0)
    .flatMap((group) => {
      const names = [...path, group.name()];
      return [{ path: names.join(' '), command: group }, ...groupsIn(group, names)];
    });
}

/** All commands that do something, without groups of commands. */
export function commandsIn(command: Command, path: readonly string[] = []): NamedCommand[] {
  const isGroup = command.commands.length > 0 && command.name() !== 'toolchain';
  return [
    ...(isGroup ? [] : [{ path: path.join(' '), command }]),
    ...command.commands.flatMap((subcommand) => commandsIn(subcommand, [...path, subcommand.name()])),
  ];
}
