// Azure CLI commands that remove access.

/** Access that was granted outside the stack. */
export interface ForeignAccess {
  /** Name of the affected vault, identity or group. */
  on: string;
  /** Resource id; undefined if there is none. */
  id?: string;
  /** Describes the access, as a clause. */
  what: string;
  /** The command that removes it. */
  removal: string;
}

export function describeForeign({ what, removal }: ForeignAccess): string {
  return `${what}; remove it: ${removal}`;
}

/** Tells whether an identity's id is that of an application in Entra, not of a managed identity. */
export function isInEntra(id: string): boolean {
  return id.startsWith('/applications/');
}

/**
 * Returns the command that recovers a deleted secret, and the role that it needs. The resource manager cannot recover
 * secrets, and a deployment needs no role on the secrets themselves.
 */
export function secretRecovery(vault: string, secret: string): string {
  return `az keyvault secret recover --vault-name ${vault} --name ${secret} (needs Key Vault Secrets Officer on the vault, which deploying does not)`;
}

export function assignmentRemoval(id: string): string {
  return `az role assignment delete --ids ${id}`;
}

/** @param vault its resource id */
export function policyRemoval(vault: string, objectId: string): string {
  const [, , subscription = '', , , , , , name = ''] = vault.split('/');
  return `az keyvault delete-policy --subscription ${subscription} --name ${name} --object-id ${objectId}`;
}

/** Options of the Azure CLI that select a managed identity. */
export function identityOptions(id: string): string {
  const [, , subscription = '', , group = '', , , , name = ''] = id.split('/');
  return `--subscription ${subscription} --resource-group ${group} --identity-name ${name}`;
}

/** @param identity resource id of a managed identity */
export function credentialRemoval(identity: string, name: string): string {
  return `az identity federated-credential delete ${identityOptions(identity)} --name ${name}`;
}

/** @param application client id or object id of an application in Entra */
export function applicationCredentialRemoval(application: string, name: string): string {
  return `az ad app federated-credential delete --id ${application} --federated-credential-id ${name}`;
}

export function passwordRemoval(clientId: string, keyId: string): string {
  return `az ad app credential delete --id ${clientId} --key-id ${keyId}`;
}

export function certificateRemoval(clientId: string, keyId: string): string {
  return `${passwordRemoval(clientId, keyId)} --cert`;
}
