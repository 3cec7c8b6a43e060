import type { Command } from 'commander';
import { fleetCommand } from '../../../cli/fleet/command';
import { reviewed } from '../support/reviewed';

const shows = reviewed(__filename);

/** The help of a command of `fleet`, as wide as a wide terminal. */
function helpOf(...names: string[]): string {
  const command = names.reduce<Command | undefined>(
    (parent, name) => parent?.commands.find((candidate) => candidate.name() === name),
    fleetCommand(),
  );
  return command?.configureHelp({ helpWidth: 120 }).helpInformation() ?? 'no such command';
}

for (const names of [
  ['plan'],
  ['assign'],
  ['render'],
  ['render', 'github'],
  ['render', 'azure'],
  ['render', 'jobset'],
  ['render', 'pko'],
])
  shows(names.join(' '), () => helpOf(...names));
