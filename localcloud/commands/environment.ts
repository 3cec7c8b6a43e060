import path from 'node:path';
import type { Instance } from '../daemon/instance';
import type { RunRecord } from '../daemon/runFile';
import { languageHostVariables } from '../toolchain';
import { backendUrl } from './backendFiles';
import type { AdministratorCredentials } from './credentials';
import { installation, variable } from '../project';

/**
 * Variables that a client needs to reach the local cloud under Azure's public names. Two variables place another proxy, which
 * records, in front of that of the local cloud: its URL, and a file of the certificates that a client then has to trust.
 */
function trustVariables(
  instance: Pick<Instance, 'caFile'>,
  run: Pick<RunRecord, 'proxyPort'>,
): Record<string, string> {
  const proxy = process.env[variable('RECORDER')] ?? `http://127.0.0.1:${run.proxyPort}`;
  const caFile = process.env[variable('RECORDER_CA')] ?? instance.caFile;
  const direct = '127.0.0.1,localhost';
  return {
    HTTPS_PROXY: proxy,
    https_proxy: proxy,
    NO_PROXY: direct,
    no_proxy: direct,
    NODE_EXTRA_CA_CERTS: caFile,
    SSL_CERT_FILE: caFile,
  };
}

function administratorVariables(credentials: AdministratorCredentials): Record<string, string> {
  const { tenantId, subscriptionId, clientId, clientSecret } = credentials;
  return {
    AZURE_TENANT_ID: tenantId,
    AZURE_SUBSCRIPTION_ID: subscriptionId,
    AZURE_CLIENT_ID: clientId,
    AZURE_CLIENT_SECRET: clientSecret,
    ARM_TENANT_ID: tenantId,
    ARM_SUBSCRIPTION_ID: subscriptionId,
    ARM_CLIENT_ID: clientId,
    ARM_CLIENT_SECRET: clientSecret,
  };
}

/**
 * Variables for any vendor's client (`cloud env`). Public names lead to the local cloud through the proxy.
 * Endpoints are also set directly, for clients without proxy support.
 */
export function clientEnvironment(
  instance: Pick<Instance, 'caFile'>,
  run: Pick<RunRecord, 'azurePort' | 'proxyPort'>,
  credentials: AdministratorCredentials,
): Record<string, string> {
  const endpoint = `https://127.0.0.1:${run.azurePort}`;
  return {
    AZURE_AUTHORITY_HOST: `${endpoint}/`,
    AZURE_RESOURCE_MANAGER_ENDPOINT: endpoint,
    ARM_ENDPOINT: endpoint,
    AZURE_RESOURCE_MANAGER_AUDIENCE: 'https://management.azure.com/',
    ...administratorVariables(credentials),
    ...trustVariables(instance, run),
    REQUESTS_CA_BUNDLE: instance.caFile,
  };
}

/** Executables of the engine. */
export interface PulumiTools {
  /** Path of pulumi, with the language host in the same folder. */
  pulumi: string;
  helm: string;
}

/**
 * Variables for the engine, the program, plugins and the verification. They use public names only, so that
 * nothing in the state depends on a port.
 */
export function pulumiEnvironment(
  instance: Instance,
  run: Pick<RunRecord, 'proxyPort'>,
  credentials: AdministratorCredentials,
  tools: PulumiTools,
  stack: string,
  inherited: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const folder = path.dirname(tools.pulumi);
  return {
    ...administratorVariables(credentials),
    ...trustVariables(instance, run),
    PATH: [folder, ...(inherited.PATH ?? '').split(path.delimiter).filter((other) => other !== folder)].join(
      path.delimiter,
    ),
    PULUMI_HOME: instance.pulumiHome,
    // From Node 22.1 on, plugins and the program start faster with it.
    NODE_COMPILE_CACHE: path.join(instance.pulumiHome, 'compile-cache'),
    PULUMI_BACKEND_URL: backendUrl(instance),
    PULUMI_CONFIG_PASSPHRASE: credentials.pulumiPassphrase,
    PULUMI_STACK: stack,
    PULUMI_SKIP_UPDATE_CHECK: 'true',
    // The plugins are installed already; the engine must not search for others.
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
    [variable('HELM')]: tools.helm,
    ...languageHostVariables(installation),
    // Seconds; few, because nothing has to propagate here. The user's value takes precedence.
    [variable('VERIFY_TIMEOUT')]: inherited[variable('VERIFY_TIMEOUT')] ?? '5',
  };
}

/**
 * Returns the environment without the variables of this local cloud, for programs that need the internet: after `eval
 * "$(… cloud env)"`, Go would download modules through the local proxy.
 */
export function outsideEnvironment(
  env: NodeJS.ProcessEnv,
  instance: Pick<Instance, 'caFile'>,
): NodeJS.ProcessEnv {
  if (env.SSL_CERT_FILE !== instance.caFile) return env;
  const inside = new Set(Object.keys(trustVariables(instance, { proxyPort: 0 })));
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !inside.has(name) && name !== 'REQUESTS_CA_BUNDLE'),
  );
}

/** Returns `export` lines for a POSIX shell. */
export function renderExports(variables: Record<string, string>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${quote(value)}\n`)
    .join('');
}

function quote(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
