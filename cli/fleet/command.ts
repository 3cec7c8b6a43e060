import { Command } from 'commander';
import { example } from '../example';
import { assignCommand } from './assign';
import { moveCommand } from './move';
import { planCommand } from './plan';
import { renderCommand } from './render';
import { statusCommand } from './status';
import { upCommand } from './up';

/** The commands for environments with cells. */
export function fleetCommand(): Command {
  return new Command('fleet')
    .addCommand(assignCommand())
    .addCommand(planCommand())
    .addCommand(renderCommand())
    .addCommand(moveCommand())
    .addCommand(upCommand())
    .addCommand(statusCommand())
    .addHelpText('after', example('fleet plan --stack prod'));
}
