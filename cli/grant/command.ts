import path from 'node:path';
import { Command } from 'commander';
import { assignmentUrl } from '../../components/accessWindows/assignment';
import { readService } from '../azureReader';
import { stackCloud } from '../azureTarget';
import { example } from '../example';
import { findProject } from '../project';
import { revokedInFile } from '../revoke/stackFile';
import { readStackOutputs } from '../stackOutputs';
import { grantOf } from './grants';
import { print } from '../print';
import { inJson } from '../json';
import { confirmed, withChangeFlags, type ChangeFlags } from '../change';

interface GrantFlags extends ChangeFlags {
  stack: string;
  application: string;
  secret?: string;
  role?: string;
  scope?: string;
  for: string;
  reason: string;
  cluster?: string;
  json: boolean;
}

export function grantCommand(): Command {
  return withChangeFlags(new Command('grant'))
    .requiredOption('--stack <name>', 'name of the stack')
    .requiredOption('--application <name>', 'application')
    .option('--secret <name>', 'secret (of an access window with `onDemand`)')
    .option('--role <role>', 'role of an access window with `onDemand`, instead of a secret')
    .option('--scope <id>', 'scope of the role (default: the only one)')
    .requiredOption('--for <duration>', 'minutes or hours, such as 30m or 4h')
    .requiredOption('--reason <text>', 'reason (written into the description of the role assignment)')
    .option('--cluster <name>', 'cluster (default: all clusters of the application)')
    .option(
      '--json',
      'print JSON: {"until","granted":[{"identity","id","end"}]}; with --dry-run, "wouldGrant" instead',
      false,
    )
    .addHelpText(
      'after',
      example('grant --stack prod --application orders --secret orders-db --for 30m --reason INC-1042'),
    )
    .action(async (flags: GrantFlags) => {
      await grant(flags);
    });
}

async function grant(flags: GrantFlags): Promise<void> {
  const { env } = process;
  const stack = { name: flags.stack, cwd: findProject(process.cwd()) };
  // Pulumi also accepts a name with organization and project.
  const isRevoked = revokedInFile(stack.cwd, path.posix.basename(stack.name));
  const { until, assignments } = grantOf(await readStackOutputs(stack), flags, new Date(), isRevoked);
  const cloud = await stackCloud(stack, env);
  const { endpoint, write } = readService(cloud, env, 'resourceManager');
  const permission =
    flags.role === undefined ? `may read ${flags.secret ?? ''}` : `has the role ${flags.role}`;
  const plain = assignments.map(({ identity, id, end }) => ({ identity, id, end }));
  const line = `${permission} until ${until.toISOString()}`;
  if (!flags.yes || flags.dryRun) {
    if (flags.json) print(inJson({ until, wouldGrant: plain }));
    const identities = [...new Set(assignments.map(({ identity }) => identity))].join(', ');
    if (!(await confirmed(flags, 'granted', `this would be granted: ${identities} ${line}`))) return;
  }
  for (const { id, properties, identity, end } of assignments) {
    await write('PUT', assignmentUrl(endpoint, id), { properties });
    if (!flags.json) print(`${identity} ${line}; to end it earlier: ${end}\n`);
  }
  if (flags.json) print(inJson({ until, granted: plain }));
  else print('Azure takes up to 10 minutes to open the access, and up to 10 minutes to close it.\n');
}
