import {
  accessOf,
  checkStackFile,
  everyIdentity,
  grantedName,
  isRole,
  roleGuidOf,
  wideRoles,
  firstFew,
  plannedAccess,
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
    overreach: configuration === undefined ? new Map() : overreachOf(configuration),
  };
}

/** What workloads can read and do not name, by the name of the workload in the stack. */
export function overreachOf(configuration: Configuration): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Map<string, string[]>>();
  for (const entry of accessOf(plannedAccess(configuration)).entries) {
    const { cluster, reader, because, overreach } = entry;
    if (!overreach) continue;
    const what = isRole(entry) ? grantedName(entry) : entry.secret;
    const workload = `${cluster}-${reader}`;
    const reasons = found.get(workload) ?? new Map<string, string[]>();
    found.set(workload, reasons.set(because, [...(reasons.get(because) ?? []), what]));
  }
  const remedy =
    'Set `identity: application`, and on its vault `access: rbac` or `placement: perApplication`.';
  const sentences = (reasons: ReadonlyMap<string, readonly string[]>) =>
    [...reasons].map(([because, secrets]) => `It can read ${firstFew(secrets)}: ${because}. ${remedy}`);
  return new Map([...found].map(([workload, reasons]) => [workload, sentences(reasons)]));
}
