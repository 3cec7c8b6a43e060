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
  /** Empty without a file: then no exception applies. */
  readonly text: string;
}

/** Reads a stack file. What comes from elsewhere (options of the command line, Pulumi ESC) is not seen. */
export function readStack({ environment, text }: StackFile, readFile: ReadFile): PolicyStack {
  const settings = readPolicySettings(settingIn(text, 'policies'));
  const { configuration } = checkStackFile({ environment, file: '', text }, readFile);
  return {
    settings,
    environment: environmentOf(environment, settings, configuration),
    workloads: configuration === undefined ? [] : workloadsOf(configuration),
  };
}

/** @param configuration undefined if it is not known, or wrong: then the program refuses it */
function environmentOf(
  name: string,
  { production = name.startsWith('prod'), requiredTags }: PolicySettings,
  configuration: Configuration | undefined,
): Environment {
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
      ],
    })),
  );
}
