import { Command } from 'commander';
import { moveCommand } from './move';

/** The commands for environments with cells. */
export function fleetCommand(): Command {
  return new Command('fleet').addCommand(moveCommand());
}
