import { parse } from 'yaml';
import { UserError } from '../resource/errors';
import { fieldsOf, isRecord, textOf, textsOf } from '../resource/fields';

/** The variable that names the method of `kubelogin`. */
const methodVariable = 'AAD_LOGIN_METHOD';

/**
 * Methods of `kubelogin` that need a person: at a browser, with or without a code. Neither the engine nor the Kubernetes
 * client shows the program's output while it waits.
 */
const interactive: readonly string[] = ['devicecode', 'interactive'];
/** The default method of `kubelogin`. */
const showsCode = 'devicecode';

/** An interactive sign-in. */
export interface InteractiveSignIn {
  /** The problem, as a clause that follows the kubeconfig. */
  readonly what: string;
  /** Instruction for the user, as a sentence. */
  readonly hint: string;
}

/**
 * Returns why the user of a kubeconfig cannot sign in unattended; undefined if the user can, or if the string is not a
 * kubeconfig.
 * @param env the variables that the sign-in gets
 */
export function interactiveSignIn(
  kubeconfig: string,
  env: NodeJS.ProcessEnv = process.env,
): InteractiveSignIn | undefined {
  const exec = execOf(kubeconfig);
  const args = textsOf(exec.args);
  if (!isAzureKubelogin(textOf(exec.command), args)) return undefined;
  const own = variableIn(exec.env);
  // kubelogin prefers the variable (its pkg/internal/token/options.go).
  return byMethod(own ?? env[methodVariable] ?? flagIn(args) ?? showsCode, own !== undefined);
}

/** Returns why the user of the kubeconfig that AKS gives for sign-in to Entra could not sign in unattended. */
export function interactiveSignInOfAks(): InteractiveSignIn | undefined {
  return byMethod(process.env[methodVariable] ?? showsCode, false);
}

function byMethod(method: string, isInKubeconfig: boolean): InteractiveSignIn | undefined {
  if (!interactive.includes(method)) return undefined;
  const choices =
    '`azurecli` after `az login`, `workloadidentity` with AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_FEDERATED_TOKEN_FILE, or `spn` with AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_CLIENT_SECRET';
  return {
    what: `signs in to Entra with the method \`${method}\` of kubelogin, which would wait, unseen, for a person at a browser`,
    hint: `Set ${methodVariable}${isInKubeconfig ? ', which `env` in the kubeconfig sets,' : ''} to one of: ${choices}.`,
  };
}

/** Returns the kubeconfig of a cluster if its user can sign in unattended. @throws UserError if a person must sign in */
export function unattended(cluster: string, kubeconfig: string): string {
  const { what, hint } = interactiveSignIn(kubeconfig) ?? {};
  if (what !== undefined)
    throw new UserError(`The kubeconfig of the cluster ${cluster} ${what}. ${hint ?? ''}`);
  return kubeconfig;
}

/** The `exec` section of the current context's user. */
function execOf(kubeconfig: string): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = parse(kubeconfig, { logLevel: 'silent' });
  } catch {
    return {};
  }
  const { contexts, users, 'current-context': current } = fieldsOf(parsed);
  const { user } = fieldsOf(named(contexts, current).context);
  return fieldsOf(fieldsOf(named(users, user).user).exec);
}

function named(list: unknown, name: unknown): Readonly<Record<string, unknown>> {
  return fieldsOf(
    Array.isArray(list) ? list.find((entry) => isRecord(entry) && entry.name === name) : undefined,
  );
}

/** Another program with this name signs in to any OpenID Connect issuer and has no methods. */
function isAzureKubelogin(command: string, args: readonly string[]): boolean {
  return /(^|[\\/])kubelogin(\.exe)?$/i.test(command) && !args.some((arg) => arg.startsWith('--oidc-'));
}

/** The method among the variables of an `exec` section, which win over those of the process. */
function variableIn(env: unknown): string | undefined {
  const { value } = named(env, methodVariable);
  return typeof value === 'string' ? value : undefined;
}

/** The method of the flag: `--login X`, `--login=X`, `-l X`. */
function flagIn(args: readonly string[]): string | undefined {
  const index = args.findIndex((arg) => /^(--login|-l)(=|$)/.test(arg));
  return index < 0 ? undefined : (/=(.*)$/.exec(args[index] ?? '')?.[1] ?? args[index + 1]);
}
