import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { TokenCredential, WorkloadIdentityCredentialOptions } from '@azure/identity';
import { DefaultAzureCredential, EnvironmentCredential, WorkloadIdentityCredential } from '@azure/identity';
import { SecretClient } from '@azure/keyvault-secrets';
import type { Settings } from './settings';

/** Reads secrets by name. */
export interface SecretSource {
  read(name: string): Promise<string>;
}

/** Functions that read the expected secrets, by name in the log. */
export type Proofs = ReadonlyMap<string, () => Promise<string>>;

/** Returns the configured secrets in the vault, in files and in environment variables. */
export function proofsOf(
  settings: Pick<Settings, 'vaultUri' | 'secretNames' | 'filesFolder' | 'variables'>,
  env: NodeJS.ProcessEnv,
  openVault: (vaultUri: string) => SecretSource = vaultSource,
): Proofs {
  const { vaultUri, secretNames, filesFolder, variables } = settings;
  const proofs = new Map<string, () => Promise<string>>();
  if (vaultUri !== undefined) {
    const vault = openVault(vaultUri);
    for (const name of secretNames) proofs.set(name, () => vault.read(name));
  }
  if (filesFolder !== undefined) {
    for (const name of secretNames) {
      const file = path.join(filesFolder, name);
      proofs.set(`file ${name}`, async () => presentIn(`file ${file}`, await readFile(file, 'utf8')));
    }
  }
  for (const name of variables) {
    proofs.set(
      `variable ${name}`,
      () =>
        new Promise((resolve) => {
          resolve(presentIn(`variable ${name}`, env[name] ?? ''));
        }),
    );
  }
  return proofs;
}

function presentIn(place: string, value: string): string {
  if (value === '') throw new Error(`${place} is empty`);
  return value;
}

/**
 * Returns a stored credential, if there is one, or else the identity that the webhook injects. Both read client id, tenant and
 * authority only from AZURE_* variables, and DefaultAzureCredential would try them in this order. AZURE_TOKEN_CREDENTIALS, a
 * variable of the library, selects the credentials: `prod` also allows the identity of the metadata service.
 */
function credential(): TokenCredential {
  const { AZURE_CLIENT_SECRET, AZURE_CLIENT_CERTIFICATE_PATH, AZURE_TOKEN_CREDENTIALS } = process.env;
  if (AZURE_TOKEN_CREDENTIALS !== undefined) return new DefaultAzureCredential();
  const isStored = AZURE_CLIENT_SECRET !== undefined || AZURE_CLIENT_CERTIFICATE_PATH !== undefined;
  return isStored ? new EnvironmentCredential() : new WorkloadIdentityCredential(identityBinding());
}

/**
 * Returns the options with which a pod with an identity binding gets its tokens from its cluster. Without a binding, they are
 * empty. A proxy in HTTPS_PROXY is left out: it does not lead to the cluster, and the library would trust the wrong authority.
 */
function identityBinding(): WorkloadIdentityCredentialOptions {
  if (process.env.AZURE_KUBERNETES_TOKEN_PROXY === undefined) return {};
  return {
    enableAzureProxy: true,
    additionalPolicies: [
      {
        position: 'perRetry',
        policy: {
          name: 'withoutHttpsProxy',
          sendRequest: (request, next) => {
            request.agent = undefined;
            return next(request);
          },
        },
      },
    ],
  };
}

/** Reads from a vault as the pod's identity. */
function vaultSource(vaultUri: string): SecretSource {
  const client = new SecretClient(vaultUri, credential());
  return {
    async read(name) {
      const { value } = await client.getSecret(name);
      if (value === undefined) throw new Error(`secret ${name} has no value`);
      return value;
    },
  };
}
