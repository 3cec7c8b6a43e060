import path from 'node:path';
import { Command } from 'commander';
import { example } from '../example';
import { print } from '../print';
import { UserError } from '../userError';
import { initFromAzure, withFromAzureOptions, type FromAzureFlags } from './fromAzure';
import { writeRepository } from './repository';

interface InitFlags extends FromAzureFlags {
  fromAzure: boolean;
}

export function initCommand(): Command {
  return withFromAzureOptions(
    new Command('init')
      .argument('[folder]', 'new or existing folder of a repository; existing files are never changed')
      .option(
        '--from-azure',
        'in a repository, write a first stack file from what exists in a subscription; Azure and the clusters are only read',
        false,
      ),
  )
    .addHelpText('after', example('init --from-azure --stack prod --dry-run'))
    .action(init);
}

async function init(
  folder: string | undefined,
  { fromAzure, ...flags }: InitFlags,
  command: Command,
): Promise<void> {
  if (fromAzure && folder === undefined) return initFromAzure(flags);
  if (fromAzure || folder === undefined)
    throw new UserError(
      'init takes either a folder or --from-azure.',
      'For example, `aks-wi init my-identities` makes a repository, and in it, `aks-wi init --from-azure --stack dev` writes a stack file.',
    );
  const ofAzure = command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .map(({ long }) => long)
    .filter((name) => name !== '--dry-run' && name !== '--quiet');
  if (ofAzure.length > 0)
    throw new UserError(
      `${ofAzure.join(' and ')} only ${ofAzure.length === 1 ? 'belongs' : 'belong'} to --from-azure.`,
      'Remove them.',
    );
  const files = writeRepository(path.resolve(folder), flags.dryRun);
  const effect = flags.dryRun ? `would get ${files.length} files` : `has ${files.length} new files`;
  print([`${folder} ${effect}:`, ...files.map((file) => `  ${file}`), ''].join('\n'));
  if (flags.dryRun) return;
  print(
    [
      '',
      'Next:',
      `  cd ${folder} && git init --initial-branch main`,
      '  mkdir packages && cp CLONE/dist/packages/*.tgz packages',
      '  npm install ./packages/*.tgz',
      '  npx aks-wi up                     deploy and verify it on this machine, without a cloud account',
      '  edit Pulumi.dev.yaml              then: npx aks-wi validate, and pulumi up --stack dev',
      '  edit bootstrap/Pulumi.pipelines.yaml  for the pipelines, whose identities a person deploys (docs/pipelines.md)',
      '',
      'The packages are not published yet, so `npm install` alone does not find them. In a clone of the project (CLONE),',
      '`npm run packages` writes these archives. Commit them, for the pipelines (docs/packages.md).',
      '',
    ].join('\n'),
  );
}
