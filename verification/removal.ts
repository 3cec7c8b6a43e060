import { builtInRoles } from '../stacks/offline';

// The commands of the Azure CLI by which people take access away.

/** Access that somebody gave beside the stack. */
export interface ForeignAccess {
  /** Name of the vault, the identity or the group that it concerns. */
  on: string;
  /** Resource id; undefined if it has none of its own. */
  id?: string;
  /** What it is, as a clause. */
  what: string;
  /** The command that removes it. */
  removal: string;
}

export function describeForeign({ what, removal }: ForeignAccess): string {
  return `${what}; remove it: ${removal}`;
}

type BuiltInRole = keyof typeof builtInRoles;

const roleNames = new Map<string, BuiltInRole>(
  Object.entries(builtInRoles).map(([name, id]) => [id, name as BuiltInRole]),
);

/** Name of a role that this program assigns, by its GUID. */
export function builtInRoleName(guid: string): BuiltInRole | undefined {
  return roleNames.get(guid);
}

/** Whether the id of an identity is that of an application in Entra, and not of a managed identity. */
export function isInEntra(id: string): boolean {
  return id.startsWith('/applications/');
}

/**
 * The command that brings a deleted secret back, and who may: the resource manager does not, and who deploys needs no role on
 * the secrets themselves.
 */
export function secretRecovery(vault: string, secret: string): string {
  return `az keyvault secret recover --vault-name ${vault} --name ${secret} (by who has Key Vault Secrets Officer on the vault, which deploying does not need)`;
}

export function assignmentRemoval(id: string): string {
  return `az role assignment delete --ids ${id}`;
}

/** @param vault its resource id */
export function policyRemoval(vault: string, objectId: string): string {
  const [, , subscription = '', , , , , , name = ''] = vault.split('/');
  return `az keyvault delete-policy --subscription ${subscription} --name ${name} --object-id ${objectId}`;
}

/** Options by which the Azure CLI finds a managed identity. */
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
