import { readFile } from 'node:fs/promises';
import type { SettingsReader } from './configuration';

/**
 * Environment variables of the sign-in by federation, by setting (pulumi-azure-native and pulumi-azuread,
 * installation-configuration).
 */
export const federationVariables: Record<string, readonly string[]> = {
  useOidc: ['ARM_USE_OIDC'],
  oidcToken: ['ARM_OIDC_TOKEN'],
  oidcTokenFilePath: ['ARM_OIDC_TOKEN_FILE_PATH'],
  oidcRequestUrl: ['ARM_OIDC_REQUEST_URL', 'ACTIONS_ID_TOKEN_REQUEST_URL'],
  oidcRequestToken: ['ARM_OIDC_REQUEST_TOKEN', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN'],
};

/** The audience of the tokens that Entra exchanges. */
const AUDIENCE = 'api://AzureADTokenExchange';

/**
 * Returns a function for the token to exchange: the configured one, the content of a file, which is read again for each
 * exchange, or one from GitHub Actions.
 *
 * @returns undefined if sign-in by federation is not configured
 * @throws if it is configured without a source of tokens
 */
export function assertionOf(settings: SettingsReader): (() => Promise<string>) | undefined {
  if (settings.read('useOidc') !== 'true') return undefined;
  const token = settings.read('oidcToken');
  if (token !== '') return () => Promise.resolve(token);
  const file = settings.read('oidcTokenFilePath');
  if (file !== '') return async () => (await readFile(file, 'utf8')).trim();
  const [url, requestToken] = [settings.read('oidcRequestUrl'), settings.read('oidcRequestToken')];
  if (url !== '' && requestToken !== '') return () => requested(url, requestToken);
  throw new Error(
    'useOidc needs a token: set ARM_OIDC_TOKEN, ARM_OIDC_TOKEN_FILE_PATH, or ARM_OIDC_REQUEST_URL and ARM_OIDC_REQUEST_TOKEN',
  );
}

async function requested(url: string, token: string): Promise<string> {
  const address = new URL(url);
  address.searchParams.set('audience', AUDIENCE);
  const response = await fetch(address, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(60_000),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (typeof answer === 'object' && answer !== null && 'value' in answer) return String(answer.value);
  throw new Error(`${address.origin} answered ${response.status} without a token`);
}
