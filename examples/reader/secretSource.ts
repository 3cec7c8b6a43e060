import { WorkloadIdentityCredential } from '@azure/identity';
import { SecretClient } from '@azure/keyvault-secrets';

/** Where the reader gets its secrets from. */
export interface SecretSource {
  read(name: string): Promise<string>;
}

/**
 * The vault, as the identity that the webhook injected: the credential takes the client id, the tenant, the
 * token file and the authority from AZURE_* and from nowhere else.
 */
export function vaultSource(vaultUri: string): SecretSource {
  const client = new SecretClient(vaultUri, new WorkloadIdentityCredential());
  return {
    async read(name) {
      const { value } = await client.getSecret(name);
      if (value === undefined) throw new Error(`secret ${name} has no value`);
      return value;
    },
  };
}
