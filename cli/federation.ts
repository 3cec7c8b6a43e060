import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { defaultAudience } from '../components/identity/subjects';
import { jsonClient } from './jsonClient';
import { UserError } from './userError';

/**
 * Returns the source of the token that is exchanged at Entra, from the same variables as azure-native with ARM_USE_OIDC;
 * undefined without sign-in by federation.
 */
export function assertionFrom(env: NodeJS.ProcessEnv): (() => Promise<string>) | undefined {
  if (env.ARM_USE_OIDC !== 'true') return undefined;
  const { ARM_OIDC_TOKEN: token, ARM_OIDC_TOKEN_FILE_PATH: file } = env;
  const url = env.ARM_OIDC_REQUEST_URL ?? env.ACTIONS_ID_TOKEN_REQUEST_URL;
  const bearer = env.ARM_OIDC_REQUEST_TOKEN ?? env.ACTIONS_ID_TOKEN_REQUEST_TOKEN;
  if (token) return () => Promise.resolve(token);
  if (file) return async () => (await readFile(file, 'utf8')).trim();
  if (url && bearer) return () => requestToken(url, bearer);
  throw new UserError(
    'ARM_USE_OIDC is true, but no variable provides a token to exchange.',
    'Set ARM_OIDC_TOKEN, ARM_OIDC_TOKEN_FILE_PATH, or ARM_OIDC_REQUEST_URL and ARM_OIDC_REQUEST_TOKEN.',
  );
}

/** Requests a token from GitHub Actions. */
async function requestToken(url: string, bearer: string): Promise<string> {
  const address = new URL(url);
  address.searchParams.set('audience', defaultAudience);
  const send = jsonClient(
    { authorization: `Bearer ${bearer}` },
    'Give the job `permissions: id-token: write`.',
  );
  return z.object({ value: z.string() }).parse(await send('GET', address.href)).value;
}
