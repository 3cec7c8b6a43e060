import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A token of GitHub Actions is valid for five minutes. */
const renewal = 4 * 60_000;

/**
 * Returns the variables for two sign-ins: Pulumi's own, to the state and to the key that encrypts it, and that of
 * `kubelogin`, to clusters without local accounts. They do not read ARM_…, and GitHub Actions has not run `az login`. Each
 * command signs in again, so the token in the file is renewed.
 * @param assertion requests a token
 */
export async function stateVariables(
  {
    ARM_CLIENT_ID = '',
    ARM_TENANT_ID = '',
    AZURE_CLIENT_ID,
    AAD_LOGIN_METHOD,
    RUNNER_TEMP = tmpdir(),
  }: NodeJS.ProcessEnv,
  assertion: () => Promise<string>,
): Promise<Record<string, string>> {
  // The workflow has a separate identity for this.
  if (AZURE_CLIENT_ID) return {};
  const folder = mkdtempSync(path.join(RUNNER_TEMP, 'aks-wi-'));
  const file = path.join(folder, 'token');
  const write = async () => writeFileSync(file, await assertion());
  await write();
  // The next renewal makes up for a failed one.
  setInterval(() => void write().catch(() => undefined), renewal).unref();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return {
    AZURE_CLIENT_ID: ARM_CLIENT_ID,
    AZURE_TENANT_ID: ARM_TENANT_ID,
    AZURE_FEDERATED_TOKEN_FILE: file,
    // A variable of the workflow that is not set is empty.
    AAD_LOGIN_METHOD: AAD_LOGIN_METHOD || 'workloadidentity',
  };
}
