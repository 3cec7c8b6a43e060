import {
  checkStackFile,
  everyIdentity,
  roleGuidOf,
  wideRoles,
  readPolicySettings,
  settingIn,
  type Configuration,
  type PolicySettings,
  type ReadFile,
} from '../stacks/offline';
import type { Environment } from './rules/rule';

/** Project of the stack that makes what pipelines sign in as. */
export const bootstrapProject = 'aks-workload-identity-bootstrap';

/** A stack, as far as policies need it. */
export interface PolicyStack {
  readonly settings: PolicySettings;
  readonly environment: Environment;
  /** The workloads of the settings, with what they name. */
  readonly workloads: readonly Readonly<Record<string, unknown>>[];
}

/** A stack file, because the engine gives a policy pack no configuration. */
export interface StackFile {
  /** Name of the stack. */
  readonly environment: string;
  /** Its project, if it is not that of the environments. */
  readonly project?: string;
  /** Empty without a file: then no exception applies. */
  readonly text: string;
  /** The settings of the policies as JSON, if they are not those of the file. */
  readonly policies?: string | undefined;
}

/** Reads a stack file. What comes from elsewhere (options of the command line, Pulumi ESC) is not seen. */
export function readStack(
  { environment, project, text, policies }: StackFile,
  readFile: ReadFile,
): PolicyStack {
  const settings = readPolicySettings(
    policies === undefined ? settingIn(text, 'policies') : JSON.parse(policies),
  );
  const { configuration } = checkStackFile({ environment, file: '', text }, readFile);
  return {
    settings,
    environment: {
      ...environmentOf(settings, configuration),
      isBootstrap: project === bootstrapProject,
    },
    workloads: configuration === undefined ? [] : workloadsOf(configuration),
  };
}

/** @param configuration undefined if it is not known, or wrong: then the program refuses it */
function environmentOf(
  { production = false, requiredTags }: PolicySettings,
  configuration: Configuration | undefined,
): Omit<Environment, 'isBootstrap'> {
  const identities = configuration?.plan.clusters.flatMap(everyIdentity) ?? [];
  return {
    production,
    requiredTags,
    acceptedPasswords: identities
      .filter(({ credential }) => credential?.kind === 'password')
      .map(({ key }) => key),
    acceptedRoles: (configuration === undefined ? [] : wideRoles(configuration.settings))
      .filter(({ scopeWiderThanResource }) => scopeWiderThanResource !== undefined)
      .map(({ role, scope }) => `${roleGuidOf(role) ?? role} ${scope}`.toLowerCase()),
    issuers: (configuration?.settings.hostedClusters ?? []).map(({ issuer }) => issuer),
  };
}

/** The workloads of the settings, with what they name: in the form of the stack's outputs. */
function workloadsOf({ plan }: Configuration): PolicyStack['workloads'] {
  return plan.clusters.flatMap(({ settings: { name: cluster }, workloads }) =>
    workloads.map(({ application, namespace, serviceAccount, serviceAccounts, vault, ...named }) => ({
      ...{ cluster, application: application.name, namespace, serviceAccount, serviceAccounts },
      grants: [
        ...named.secrets.map((secret) => ({ vault, secret })),
        ...named.elsewhere,
        ...named.byGroup.map((one) => ({ vault, ...one })),
        ...named.windows,
        ...named.roles,
        ...named.rolesByGroup,
      ],
    })),
  );
}
