import { Argument, Command } from 'commander';
import { example } from '../example';
import { print } from '../print';
import { completionScript, type Shell } from './scripts';
import { placesIn } from './words';

export function completionCommand(): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `${example('completion bash > ~/.aks-wi-completion')}\n\nIts first lines are for ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish.`,
    )
    .action((shell: Shell, _: unknown, command: Command) => {
      print(completionScript(shell, placesIn(command.parent ?? command)));
    });
}
