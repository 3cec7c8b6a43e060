import path from 'node:path';
import { Command } from 'commander';
import { example } from '../example';
import { inJson } from '../json';
import { print } from '../print';
import { UserError } from '../userError';
import { initFromAzure, withFromAzureOptions, type FromAzureFlags } from './fromAzure';
import { writeRepository, type RepositoryFile } from './repository';

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
    .filter((name) => !['--dry-run', '--quiet', '--json'].includes(name ?? ''));
  if (ofAzure.length > 0)
    throw new UserError(
      `${ofAzure.join(' and ')} only ${ofAzure.length === 1 ? 'belongs' : 'belong'} to --from-azure.`,
      'Remove them.',
    );
  const files = writeRepository(path.resolve(folder), flags.dryRun);
  if (flags.json) {
    print(inJson({ folder, files }));
    return;
  }
  const named = (state: RepositoryFile['state']) =>
    files.filter((file) => file.state === state).map((file) => `  ${file.path}`);
  const list = (sentence: string, paths: readonly string[]) =>
    paths.length === 0 ? [] : [`${folder} ${sentence}:`, ...paths];
  const isNew = files.every(({ state }) => state === 'new');
  const missing = isNew ? 'would get these files' : 'lacks these files of this version';
  print(
    [
      ...list(flags.dryRun ? missing : 'has these new files', named('new')),
      ...list('has these files, which differ from those of this version', named('different')),
      ...list('has these files as this version has them', named('same')),
      '',
    ].join('\n'),
  );
  if (flags.dryRun) return;
  print(
    [
      '',
      'Next:',
      `  cd ${folder} && git init --initial-branch main`,
      '  mkdir packages && cp CLONE/dist/packages/*.tgz packages',
      '  npm install ./packages/*.tgz',
      '  npx aks-wi up                     deploy and verify it on this machine, without a cloud account',
      '  then README.md                    the first stack on Azure, and the pipelines',
      '',
      'The packages are not published yet, so `npm install` alone does not find them. In a clone of the project (CLONE),',
      '`npm run packages` writes these archives. Commit them, for the pipelines (docs/packages.md).',
      '',
    ].join('\n'),
  );
}
