import { isAtTerminal } from '../ask';
import { UserError } from '../userError';
import { ownVariables } from '../../stacks/settings/ownVariables';

/** The system that runs a step of a pipeline. */
export type PipelineSystem = 'GitHub Actions' | 'Azure DevOps' | 'Kubernetes' | 'workstation';

export function systemOf(env: NodeJS.ProcessEnv): PipelineSystem {
  if (env.GITHUB_ACTIONS === 'true') return 'GitHub Actions';
  if (env.TF_BUILD?.toLowerCase() === 'true') return 'Azure DevOps';
  // A workstation may be a pod as well. This is one with workload identity, or of an Indexed Job.
  const isStep = env.KUBERNETES_SERVICE_HOST && (env.AZURE_FEDERATED_TOKEN_FILE || env.JOB_COMPLETION_INDEX);
  return isStep ? 'Kubernetes' : 'workstation';
}

/** Tells whether a step asks no one: in a pipeline. A person may work in a pod with workload identity. */
export function asksNobody(env: NodeJS.ProcessEnv): boolean {
  const system = systemOf(env);
  if (system === 'Kubernetes') return Boolean(env.JOB_COMPLETION_INDEX) || !isAtTerminal();
  return system !== 'workstation';
}

/**
 * Removes values `$(NAME)`, which Azure DevOps leaves if no variable has the name: Pulumi would use them, for example as a
 * passphrase.
 */
export function removePlaceholders(env: NodeJS.ProcessEnv): void {
  if (systemOf(env) !== 'Azure DevOps') return;
  for (const [name, value = ''] of Object.entries(env))
    if (/^\$\([\w.]+\)$/.test(value)) Reflect.deleteProperty(env, name);
}

/** Returns variables that a system sets by itself or that the step must pass. */
export function required<T extends string>(
  env: NodeJS.ProcessEnv,
  names: readonly T[],
  hint: string,
): Record<T, string> {
  const missing = names.filter((name) => !env[name]);
  if (missing.length > 0) throw new UserError(`The step lacks ${missing.join(', ')}.`, hint);
  return Object.fromEntries(names.map((name) => [name, env[name] ?? ''])) as Record<T, string>;
}

/** Places where a system gets what a step needs, and the hint for a step that lacks something. */
interface Places {
  readonly settings: string;
  readonly secrets: string;
  readonly signIn: string;
  readonly hint: string;
}

function placesOf(system: Exclude<PipelineSystem, 'workstation'>, environment: string): Places {
  if (system === 'Kubernetes')
    return {
      settings: '`fleet render jobset`, with --env or --env-secret',
      secrets: '`fleet render jobset`, with --env-secret',
      signIn: 'the webhook of workload identity',
      hint: 'Annotate the service account with azure.workload.identity/client-id, and apply the JobSet again; the cluster must have workload identity enabled.',
    };
  if (system === 'Azure DevOps') {
    const group = `aks-workload-identity-${environment}`;
    return {
      settings: `the variable group ${group}`,
      secrets: `the variable group ${group}, as a secret`,
      signIn: 'the service connection of the task AzureCLI@2, with addSpnToEnvironment: true',
      hint: `Create the variable group (Pipelines → Library → ${group}), allow this pipeline to use it, and run it again.`,
    };
  }
  return {
    settings: `the environment ${environment}`,
    secrets: `the environment ${environment}, as a secret`,
    signIn: `the environment ${environment}`,
    hint: 'Set them (Settings → Environments), and run the workflow again. Workflows of pull requests from forks do not get them.',
  };
}

/**
 * Returns the variables that a step needs to sign in and to find the state.
 * @param encrypted whether the values of the stack file are encrypted with a passphrase
 * @throws UserError that names all missing variables, and where they are set
 */
export function stepVariables(
  stack: string,
  env: NodeJS.ProcessEnv,
  { encrypted }: { encrypted: boolean },
): Record<string, string> {
  const system = systemOf(env);
  if (system === 'workstation') return {};
  const valueOf = (name: string) => env[name] || undefined;
  const onDevOps = system === 'Azure DevOps';
  const inPod = system === 'Kubernetes';
  // The task AzureCLI sets these from a service connection, and the webhook of workload identity in a pod.
  const client = valueOf('ARM_CLIENT_ID') ?? valueOf(inPod ? 'AZURE_CLIENT_ID' : 'servicePrincipalId');
  const tenant = valueOf('ARM_TENANT_ID') ?? valueOf(inPod ? 'AZURE_TENANT_ID' : 'tenantId');
  const subscription = valueOf('ARM_SUBSCRIPTION_ID');
  const state = valueOf('PULUMI_BACKEND_URL') ?? valueOf('PULUMI_ACCESS_TOKEN');
  const token = onDevOps ? (valueOf('ARM_OIDC_TOKEN') ?? valueOf('idToken')) : undefined;
  const tokenSource = valueOf('ACTIONS_ID_TOKEN_REQUEST_URL') ?? valueOf('ARM_OIDC_TOKEN');
  const tokenFile = inPod ? valueOf('AZURE_FEDERATED_TOKEN_FILE') : undefined;

  // Previews have their own settings.
  const environment = valueOf(ownVariables.environment) ?? stack;
  const { settings, secrets, signIn, hint } = placesOf(system, environment);
  const passphrase = valueOf('PULUMI_CONFIG_PASSPHRASE') ?? valueOf('PULUMI_CONFIG_PASSPHRASE_FILE');
  const missing = [
    client === undefined && `${inPod ? 'AZURE_CLIENT_ID' : 'ARM_CLIENT_ID'}: ${signIn}`,
    tenant === undefined && `${inPod ? 'AZURE_TENANT_ID' : 'ARM_TENANT_ID'}: ${signIn}`,
    subscription === undefined && `ARM_SUBSCRIPTION_ID: ${settings}`,
    state === undefined && `PULUMI_BACKEND_URL (or PULUMI_ACCESS_TOKEN): ${settings}`,
    encrypted && passphrase === undefined && `PULUMI_CONFIG_PASSPHRASE: ${secrets}`,
    onDevOps && token === undefined && `idToken: ${signIn} and workload identity federation`,
    inPod && tokenFile === undefined && `AZURE_FEDERATED_TOKEN_FILE: ${signIn}`,
    system === 'GitHub Actions' &&
      tokenSource === undefined &&
      'the token of the job: `permissions: id-token: write`',
  ].filter((line) => line !== false);
  if (missing.length > 0) {
    throw new UserError(
      `The pipeline lacks ${missing.length} of what stack ${stack} needs; nothing was changed. Where each is set:\n${missing.map((line) => `  ${line}`).join('\n')}`,
      hint,
    );
  }
  return Object.fromEntries(
    Object.entries({
      ...{ ARM_CLIENT_ID: client, ARM_TENANT_ID: tenant, ARM_SUBSCRIPTION_ID: subscription },
      ...{ ARM_USE_OIDC: 'true', ARM_OIDC_TOKEN: token, ARM_OIDC_TOKEN_FILE_PATH: tokenFile },
      // `kubelogin` signs in to clusters without local accounts: as the task AzureCLI has, or as the pod.
      AAD_LOGIN_METHOD:
        valueOf('AAD_LOGIN_METHOD') ??
        (inPod ? 'workloadidentity' : onDevOps && valueOf('idToken') !== undefined ? 'azurecli' : undefined),
      // Not all other providers read the variables of GitHub Actions.
      ARM_OIDC_REQUEST_URL: env.ACTIONS_ID_TOKEN_REQUEST_URL,
      ARM_OIDC_REQUEST_TOKEN: env.ACTIONS_ID_TOKEN_REQUEST_TOKEN,
    }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
