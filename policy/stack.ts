import { partOfOwnStack, textWithSettings } from '../stacks/cells';
import { checkStackFile } from '../stacks/stackFile';
import { everyIdentity, namedBy, type Configuration } from '../stacks/plan';
import { roleGuidOf } from '../components/azure/roles';
import { wideRoles } from '../stacks/plan/roles';
import { readPolicySettings, type PolicySettings } from '../stacks/settings/schema/policies';
import { settingIn } from '../stacks/settings/settingIn';
import type { ReadFile } from '../stacks/settings/projectFiles';
import type { Environment } from './rules/rule';

/** Project of the stack that creates the pipelines' identities. */
export const bootstrapProject = 'aks-workload-identity-bootstrap';

/** The parts of a stack that policies need. */
export interface PolicyStack {
  readonly settings: PolicySettings;
  /** True if it is a cell or has cells: then the settings are also those of other stacks. */
  readonly isPart: boolean;
  readonly environment: Environment;
  /** The workloads of the settings, with their grants. */
  readonly workloads: readonly Readonly<Record<string, unknown>>[];
}

/** A stack file. The engine passes no configuration to a policy pack. */
export interface StackFile {
  /** Name of the stack. */
  readonly environment: string;
  /** Its project. Default: the main project. */
  readonly project?: string;
  /** Empty if the file does not exist: then no exception applies. */
  readonly text: string;
  /** Policy settings as JSON that replace those of the file. */
  readonly policies?: string | undefined;
}

/** Reads a stack file. It ignores configuration from elsewhere (`--config`, Pulumi ESC). */
export function readStack(
  { environment, project, text, policies }: StackFile,
  readFile: ReadFile,
): PolicyStack {
  const whole = textWithSettings(text, readFile);
  const settings = readPolicySettings(
    policies === undefined ? settingIn(whole, 'policies') : JSON.parse(policies),
  );
  const { configuration: checked } = checkStackFile({ environment, file: '', text }, readFile);
  const configuration = checked && partOfOwnStack(checked);
  return {
    settings,
    isPart: whole !== text || settingIn(text, 'cells') !== undefined,
    environment: {
      ...environmentOf(settings, configuration),
      isBootstrap: project === bootstrapProject,
    },
    workloads: configuration === undefined ? [] : workloadsOf(configuration),
  };
}

/** @param configuration undefined if missing or invalid; the program reports that */
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

/** The workloads of the settings, in the form of the stack's outputs. */
function workloadsOf({ plan }: Configuration): PolicyStack['workloads'] {
  return plan.clusters.flatMap(({ settings: { name: cluster }, workloads }) =>
    workloads.map((workload) => {
      const { application, namespace, serviceAccount, serviceAccounts } = workload;
      return {
        ...{ cluster, application: application.name, namespace, serviceAccount, serviceAccounts },
        ...namedBy(workload),
      };
    }),
  );
}
