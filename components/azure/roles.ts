import { v5 as uuid } from 'uuid';
import named from './builtInRoles.json';
import { guidPattern } from './guid';
import { scopeForms, scopeKind } from './scope';

/** Built-in roles of Azure (MicrosoftDocs/azure-docs articles/role-based-access-control/built-in-roles). */
export const builtInRoles = {
  aksClusterAdmin: '0ab0b1a8-8aac-4efd-b8c2-3ee1fb270be8',
  aksClusterUser: '4abbcc35-e782-43d8-92c5-2d3f1bd2253f',
  contributor: 'b24988ac-6180-42a0-ab88-20f7382dd24c',
  keyVaultContributor: 'f25e0fa2-a7c8-4377-a976-54943a77a395',
  keyVaultSecretsOfficer: 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7',
  keyVaultSecretsUser: '4633458b-17de-408a-b874-0445c86b69e6',
  keyVaultCryptoUser: '12338af0-0e69-4776-bea7-57ae8d297424',
  managedIdentityContributor: 'e40ec5ca-96e0-45a2-b4ff-59039f2c2b59',
  managedIdentityOperator: 'f1a07417-d97a-45cb-824c-7a7467783830',
  openShiftCloudControllerManager: 'a1f96423-95ce-4224-ab27-4e3dc72facd4',
  openShiftClusterApiProvider: '88366f10-ed47-4cc0-9fab-c8a06148393e',
  openShiftControlPlaneOperator: 'fc0c873f-45e9-4d0d-a7d1-585aab30c6ed',
  openShiftDiskStorageOperator: '5b7237c5-45e1-49d6-bc18-a1f62f400748',
  openShiftFileStorageOperator: '0d7aedc0-15fd-4a67-a412-efad370c947e',
  openShiftImageRegistryOperator: '8b32b316-c2f5-4ddf-b05b-83dacd2d08b5',
  openShiftIngressOperator: '0336e1d3-7a87-462b-b6db-342b63f7802c',
  openShiftNetworkOperator: 'be7a6435-15ae-4171-8f30-4a343eff9e8f',
  rbacAdministrator: 'f58310d9-a9f6-439a-9e8d-f62e7b41a168',
  reader: 'acdd72a7-3385-48ef-bd42-f606fba81ae7',
  redisCacheContributor: 'e0f68234-74aa-48ed-b826-c38b57376e17',
  serviceBusDataOwner: '090c5cfd-751d-490a-894a-3ce6f1109419',
  serviceBusDataReceiver: '4f6d3b9b-027b-4f4c-9142-0e5a2a2247e0',
  serviceBusDataSender: '69a216fc-b8fb-44d8-bc22-1f3c2cd27a39',
  storageAccountContributor: '17d1049b-9a84-46fb-8f53-869881c3d3ab',
  storageBlobDataContributor: 'ba92f5b4-2d11-453d-a403-e96b0029c9fe',
  storageQueueDataContributor: '974c5e8b-45b9-4653-ba55-5f855dd0fb88',
  storageTableDataContributor: '0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3',
  virtualMachineContributor: '9980e02c-c2be-4d73-94e8-173b1dc7cf3c',
} as const;

/** Roles that can grant access, by their GUIDs (same page). */
export const rolesGivingAccess: Readonly<Record<string, string>> = {
  '8e3af657-a8ff-443c-a75c-2fe8c4bcb635': 'Owner',
  '18d7d88d-d35e-4fb5-a5c3-7773c20a72d9': 'User Access Administrator',
  [builtInRoles.rbacAdministrator]: 'Role Based Access Control Administrator',
  '8b54135c-b56d-4d72-a534-26097cfdc8d8': 'Key Vault Data Access Administrator',
};

/** Names of the roles that can read the values of secrets, by their GUIDs (same page). */
export const rolesReadingSecrets: Readonly<Record<string, string>> = {
  '00482a5a-887f-4fb3-b363-3b7fe8e74483': 'Key Vault Administrator',
  [builtInRoles.keyVaultSecretsOfficer]: 'Key Vault Secrets Officer',
  [builtInRoles.keyVaultSecretsUser]: 'Key Vault Secrets User',
  'db79e9a7-68ee-4b58-9aeb-b90e7c24fcba': 'Key Vault Certificate User',
};

/**
 * GUIDs of the built-in roles that have names here, from builtInRoles.json: those that applications need most (same page,
 * as of 2026-04-09). Other roles are named by their ids.
 */
const guids: ReadonlyMap<string, string> = new Map(Object.entries(named));
const namesByGuid = new Map(Object.entries(named).map(([name, guid]) => [guid, name]));

/** Names of the built-in roles that settings can use. */
export const roleNames: readonly string[] = Object.keys(named);

/** Returns the name in Azure of a built-in role; undefined for a role without a name in the table. */
export function roleName(guid: string): string | undefined {
  return namesByGuid.get(guid.toLowerCase());
}

const roleId = new RegExp(`^(?:/.*/roleDefinitions/)?(${guidPattern})$`, 'i');

/**
 * Returns the GUID of a role from its name or from the id of its definition, in full or as a GUID; undefined for an unknown
 * name.
 */
export function roleGuidOf(nameOrId: string): string | undefined {
  const [, guid] = roleId.exec(nameOrId) ?? [];
  if (guid !== undefined) return guid.toLowerCase();
  // Azure compares names of roles case-insensitively.
  const name = roleNames.find((known) => known.toLowerCase() === nameOrId.toLowerCase());
  return name === undefined ? undefined : guids.get(name);
}

/** A role that the components assign. */
export type BuiltInRole = keyof typeof builtInRoles;

/** A built-in role by its name here, or any role by its GUID. */
export type Role = BuiltInRole | { readonly guid: string };

export function roleGuid(role: Role): string {
  return typeof role === 'string' ? builtInRoles[role] : role.guid;
}

/**
 * Returns the full id of a role definition with the subscription of the scope, as the resource manager returns it: the
 * short form would show a difference at every update. On a management group, there is no subscription.
 */
export function roleDefinitionId(scope: string, role: Role): string {
  const [subscription] = /^\/subscriptions\/[^/]+/i.exec(scope) ?? [];
  // A truncated id, for example of a secret without a name, would widen the scope of the role.
  if (scopeKind(scope) === undefined)
    throw new Error(`"${scope}" is not a scope for role assignments. Allowed: ${scopeForms}`);
  return `${subscription ?? ''}/providers/Microsoft.Authorization/roleDefinitions/${roleGuid(role)}`;
}

/** Namespace of the name-based UUIDs. Changing it would replace every role assignment. */
export const roleAssignmentNamespace = 'a3e5b9de-7cbb-4f6f-9b0e-0f2c5d1c6a47';

/**
 * Returns the name of a role assignment: a GUID (RFC 9562 version 5) derived from scope, principal and role. The properties
 * of an assignment cannot be changed. If a new identity got the assignment name of an old one, Azure would refuse it with
 * RoleAssignmentUpdateNotPermitted.
 */
export function roleAssignmentName(scope: string, principalId: string, role: Role): string {
  // Resource ids and GUIDs are case-insensitive.
  return uuid([scope, principalId, roleGuid(role)].join('|').toLowerCase(), roleAssignmentNamespace);
}
