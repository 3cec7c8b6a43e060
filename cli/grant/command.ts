import path from 'node:path';
import { Command } from 'commander';
import { assignmentUrl } from '../../stacks/offline';
import { readService } from '../azureReader';
import { stackCloud } from '../azureTarget';
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
    .description(
      'let an application read a secret, or have a role, for a while, which it may on demand only: the reconciler of access windows ends it',
    )
    .requiredOption('--stack <name>', 'deployed stack')
    .requiredOption('--application <name>', 'application')
    .option('--secret <name>', 'secret, of an access window with `onDemand`')
    .option('--role <role>', 'role, of an access window with `onDemand`, in place of a secret')
    .option('--scope <id>', 'what the role is on (default: the only one)')
    .requiredOption('--for <duration>', 'minutes or hours, such as 30m or 4h')
    .requiredOption('--reason <text>', 'why; it is in the description of the role assignment')
    .option('--cluster <name>', 'cluster (default: each one that the application runs on)')
    .option(
      '--json',
      'print {"until","granted":[{"identity","id","end"}]}; with --dry-run, "wouldGrant" in its place',
      false,
    )
    .action(async (flags: GrantFlags) => {
      await grant(flags);
    });
}

async function grant(flags: GrantFlags): Promise<void> {
  const { env } = process;
  const stack = { name: flags.stack, cwd: findProject(process.cwd()) };
  // Pulumi takes a name with its organization and project as well.
  const isRevoked = revokedInFile(stack.cwd, path.posix.basename(stack.name));
  const { until, assignments } = grantOf(await readStackOutputs(stack), flags, new Date(), isRevoked);
  const cloud = await stackCloud(stack, env);
  const { endpoint, write } = readService(cloud, env, 'resourceManager');
  const what = flags.role === undefined ? `may read ${flags.secret ?? ''}` : `has the role ${flags.role}`;
  const plain = assignments.map(({ identity, id, end }) => ({ identity, id, end }));
  const line = `${what} until ${until.toISOString()}`;
  if (!flags.yes || flags.dryRun) {
    if (flags.json) print(inJson({ until, wouldGrant: plain }));
    const identities = [...new Set(assignments.map(({ identity }) => identity))].join(', ');
    if (!(await confirmed(flags, 'granted', `this would be given: ${identities} ${line}`))) return;
  }
  for (const { id, properties, identity, end } of assignments) {
    await write('PUT', assignmentUrl(endpoint, id), { properties });
    if (!flags.json) print(`${identity} ${line}; to end it earlier: ${end}\n`);
  }
  if (flags.json) print(inJson({ until, granted: plain }));
  else print('Azure takes up to 10 minutes to open it, and up to 10 minutes to close it then.\n');
}
