import { Command } from 'commander';

interface Listed {
  readonly name: string;
  readonly description: string;
  /** Loads the command with everything that it needs. Loading all commands takes several times as long as any of them. */
  readonly load: () => Promise<Command>;
}

const listed: readonly Listed[] = [
  {
    name: 'init',
    description:
      'make a repository of your own from packages, or write a stack file from an Azure subscription (--from-azure)',
    load: async () => (await import('./init/command.ts')).initCommand(),
  },
  {
    name: 'validate',
    description:
      'check stack files and the release files that they name, without Azure and without the Pulumi engine',
    load: async () => (await import('./validate/command.ts')).validateCommand(),
  },
  {
    name: 'verify',
    description:
      'check with the real client libraries which secrets the workloads of a deployed stack can and cannot read',
    load: async () => (await import('./verify/command.ts')).verifyCommand(),
  },
  {
    name: 'access',
    description: 'show who can use which secret and role and why, and what a change grants and revokes',
    load: async () => (await import('./access/command.ts')).accessCommand(),
  },
  {
    name: 'import',
    description:
      'import existing Azure resources into the stack: the next update then neither creates nor replaces them; Azure is only read',
    load: async () => (await import('./import/command.ts')).importCommand(),
  },
  {
    name: 'orphans',
    description:
      'list the resources in Azure and Entra that a stack created but no longer has, with the commands that delete them',
    load: async () => (await import('./orphans/command.ts')).orphansCommand(),
  },
  {
    name: 'revoke',
    description:
      'remove all access of an application, a cluster or an identity immediately, and record the revocation in the stack file; otherwise, an update would restore the access',
    load: async () => (await import('./revoke/command.ts')).revokeCommand(),
  },
  {
    name: 'grant',
    description:
      'open an on-demand access window: an application gets a secret or a role for a limited time, which the reconciler ends',
    load: async () => (await import('./grant/command.ts')).grantCommand(),
  },
  {
    name: 'promote',
    description: 'promote verified releases from one environment to another',
    load: async () => (await import('./promote/command.ts')).promoteCommand(),
  },
  {
    name: 'migrate',
    description:
      'guide the migration from aad-pod-identity to workload identity: show its state and the next step; it changes neither the cluster nor Azure',
    load: async () => (await import('./migrate/command.ts')).migrateCommand(),
  },
  {
    name: 'hosted-clusters',
    description:
      'show the secret, identity and certificate expiry of each component of the hosted clusters of a deployed stack; the exit code is 1 if a certificate has expired',
    load: async () => (await import('./hostedClusters/command.ts')).hostedClustersCommand(),
  },
  {
    name: 'audit',
    description:
      'show who read which secrets of a deployed stack, when, and through which grant; which grants are unused; and who granted and removed access',
    load: async () => (await import('./audit/command.ts')).auditCommand(),
  },
  {
    name: 'drift',
    description:
      'show what was changed outside a deployed stack, and which access others granted; it changes nothing',
    load: async () => (await import('./drift/command.ts')).driftCommand(),
  },
  {
    name: 'fleet',
    description: 'plan, deploy and watch an environment whose clusters are in cells, each a stack',
    load: async () => (await import('./fleet/command.ts')).fleetCommand(),
  },
  {
    name: 'doctor',
    description:
      'check the workstation, a deployed stack and its clusters, and say what is wrong and what to do; or explain an error code',
    load: async () => (await import('./doctor/command.ts')).doctorCommand(),
  },
  {
    name: 'completion',
    description: 'print the completion of commands, options and stacks for a shell',
    load: async () => (await import('./completion/command.ts')).completionCommand(),
  },
  {
    name: 'azure-run',
    description:
      'deploy the smallest stack to Azure, verify it, remove all of it, and report where Azure answers differently than the local cloud',
    load: async () => (await import('./azureRun/command.ts')).azureRunCommand(),
  },
  {
    name: 'pipeline',
    description: 'the steps of the pipelines in azure-pipelines.yml and .github/workflows',
    load: async () => (await import('./pipeline/command.ts')).pipelineCommand(),
  },
];

/**
 * Returns the product's commands. Only those named in `args` are loaded; the others have a name and a description, for the
 * help and for suggestions.
 *
 * @param args command line; without it, all commands are loaded
 */
export function loadCommands(args?: readonly string[]): Promise<readonly Command[]> {
  return Promise.all(
    listed.map(async ({ name, description, load }) => {
      const command = args === undefined || args.includes(name) ? await load() : new Command(name);
      return command.description(description);
    }),
  );
}
