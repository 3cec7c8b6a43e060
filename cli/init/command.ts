import { Command } from 'commander';
import { UserError } from '../userError';
import { initFromAzure, withFromAzureOptions, type FromAzureFlags } from './fromAzure';

interface InitFlags extends FromAzureFlags {
  fromAzure: boolean;
}

export function initCommand(): Command {
  return withFromAzureOptions(
    new Command('init').option(
      '--from-azure',
      'write a first stack file from what exists in a subscription; Azure and the clusters are only read',
      false,
    ),
  ).action(init);
}

async function init({ fromAzure, ...flags }: InitFlags): Promise<void> {
  if (!fromAzure) throw new UserError('The source of the stack file is not named.', 'Add --from-azure.');
  await initFromAzure(flags);
}
