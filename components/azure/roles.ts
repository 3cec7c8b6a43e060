import { v5 as uuid } from 'uuid';
import named from './builtInRoles.json';
import { guidPattern } from './guid';
import { scopeForms, scopeKind } from './scope';

/** GUIDs of the built-in roles that the components assign or name, by their keys here. */
export const builtInRoles = {
  aksClusterAdmin: named['Azure Kubernetes Service Cluster Admin Role'],
  aksClusterUser: named['Azure Kubernetes Service Cluster User Role'],
  contributor: named['Contributor'],
  keyVaultContributor: named['Key Vault Contributor'],
  keyVaultSecretsOfficer: named['Key Vault Secrets Officer'],
  keyVaultSecretsUser: named['Key Vault Secrets User'],
  keyVaultCryptoUser: named['Key Vault Crypto User'],
  managedIdentityContributor: named['Managed Identity Contributor'],
  managedIdentityOperator: named['Managed Identity Operator'],
  openShiftCloudControllerManager: named['Azure Red Hat OpenShift Cloud Controller Manager'],
  openShiftClusterApiProvider: named['Azure Red Hat OpenShift Hosted Control Planes Cluster API Provider'],
  openShiftControlPlaneOperator:
    named['Azure Red Hat OpenShift Hosted Control Planes Control Plane Operator'],
  openShiftDiskStorageOperator: named['Azure Red Hat OpenShift Disk Storage Operator'],
  openShiftFileStorageOperator: named['Azure Red Hat OpenShift File Storage Operator'],
  openShiftImageRegistryOperator: named['Azure Red Hat OpenShift Image Registry Operator'],
  openShiftIngressOperator: named['Azure Red Hat OpenShift Cluster Ingress Operator'],
  openShiftNetworkOperator: named['Azure Red Hat OpenShift Network Operator'],
  rbacAdministrator: named['Role Based Access Control Administrator'],
  reader: named['Reader'],
  redisCacheContributor: named['Redis Cache Contributor'],
  serviceBusDataOwner: named['Azure Service Bus Data Owner'],
  serviceBusDataReceiver: named['Azure Service Bus Data Receiver'],
  serviceBusDataSender: named['Azure Service Bus Data Sender'],
  storageAccountContributor: named['Storage Account Contributor'],
  storageBlobDataContributor: named['Storage Blob Data Contributor'],
  storageQueueDataContributor: named['Storage Queue Data Contributor'],
  storageTableDataContributor: named['Storage Table Data Contributor'],
  virtualMachineContributor: named['Virtual Machine Contributor'],
} as const;

const byGuid = (...names: (keyof typeof named)[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [named[name], name]));

/** Names of the roles that can grant access, by their GUIDs. */
export const rolesGivingAccess = byGuid(
  'Owner',
  'User Access Administrator',
  'Role Based Access Control Administrator',
  'Key Vault Data Access Administrator',
);

/** Names of the roles that can read the values of secrets, by their GUIDs. */
export const rolesReadingSecrets = byGuid(
  'Key Vault Administrator',
  'Key Vault Secrets Officer',
  'Key Vault Secrets User',
  'Key Vault Certificate User',
);

/**
 * GUIDs of the built-in roles that have names here: those that applications need most, and those that the components assign
 * (MicrosoftDocs/azure-docs articles/role-based-access-control/built-in-roles, as of 2026-04-09). Other roles are named by their
 * ids.
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
