/** Settings of the example application. The webhook's variables provide its identity. */
export interface Settings {
  /** Undefined if secrets are only in files and environment variables. */
  vaultUri: string | undefined;
  secretNames: string[];
  /** Folder with a file named like each secret. */
  filesFolder: string | undefined;
  /** Names of environment variables with secrets. */
  variables: string[];
  port: number;
  /** Address to listen on. Default: all addresses, which a pod needs for its probes. */
  host: string | undefined;
  /** Milliseconds between two readings of all secrets. */
  refreshEvery: number;
}

/** Reads the settings. @throws an error with all problems */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const problems: string[] = [];
  const filesFolder = env.SECRET_FILES || undefined;
  const variables = listOf(env.SECRET_ENVIRONMENT);
  const hasOtherSources = filesFolder !== undefined || variables.length > 0;
  const vaultUri = env.KEY_VAULT_URI || undefined;
  if ((vaultUri !== undefined || !hasOtherSources) && !/^https:\/\/[^/]+\/?$/.test(vaultUri ?? '')) {
    problems.push(`KEY_VAULT_URI is '${vaultUri ?? ''}', expected https://<vault>.vault.azure.net/`);
  }
  const secretNames = listOf(env.SECRET_NAMES);
  const named = vaultUri !== undefined || filesFolder !== undefined || !hasOtherSources;
  if (named && secretNames.length === 0)
    problems.push('SECRET_NAMES is empty, expected names separated by commas');
  const wrong = secretNames.filter((name) => !/^[0-9A-Za-z-]{1,127}$/.test(name));
  if (wrong.length > 0) {
    problems.push(`SECRET_NAMES has ${wrong.join(', ')}: a name has letters, digits and hyphens only`);
  }
  const port = integerIn(env.PORT, 8080, 1, 65_535);
  if (port === undefined) problems.push(`PORT is '${env.PORT ?? ''}', expected 1 to 65535`);
  const seconds = integerIn(env.REFRESH_SECONDS, 300, 1, 86_400);
  if (seconds === undefined) {
    problems.push(`REFRESH_SECONDS is '${env.REFRESH_SECONDS ?? ''}', expected 1 to 86400`);
  }
  if (problems.length > 0 || port === undefined || seconds === undefined)
    throw new Error(problems.join('; '));
  const refreshEvery = seconds * 1000;
  return { vaultUri, secretNames, filesFolder, variables, port, host: env.HOST, refreshEvery };
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function integerIn(
  text: string | undefined,
  fallback: number,
  least: number,
  most: number,
): number | undefined {
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  return Number.isInteger(value) && value >= least && value <= most ? value : undefined;
}
