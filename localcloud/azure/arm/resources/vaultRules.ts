import { TENANT_ID } from '../../../identity';
import { isAllowed } from '../../identity/access';
import type { ResourceDocument } from '../../store/documents';
import { defined } from '../body';
import type { ArmContext } from '../context';
import type { ArmCall } from '../endpoint';
import { ArmError, badRequest } from '../errors';
import { deletedVault } from './vaultDeletion';
import { networkRules } from './vaultNetwork';
import type { AccessPolicy, VaultSettings } from './vaultSchema';

const MOST_POLICIES = 1024;

/** Describes what is wrong with a vault name; undefined if it is valid. */
export function vaultNameProblem(name: string): string | undefined {
  if (/^[a-zA-Z](?:-?[a-zA-Z0-9]){2,23}$/.test(name) && name.length >= 3 && name.length <= 24)
    return undefined;
  return `The vault name '${name}' is invalid. A vault's name must be between 3-24 alphanumeric characters. The name must begin with a letter, end with a letter or digit, and not contain consecutive hyphens.`;
}

/** The error for a name that is taken. */
export function nameTaken(context: ArmContext, name: string): ArmError | undefined {
  if (deletedVault(context, name) !== undefined) {
    return new ArmError(
      409,
      'ConflictError',
      'A vault with the same name already exists in deleted state. You need to either recover or purge existing key vault. Follow this link https://go.microsoft.com/fwlink/?linkid=2149745 for more information on soft delete.',
    );
  }
  if (context.store.vaultByName(name) === undefined) return undefined;
  return new ArmError(
    409,
    'VaultAlreadyExists',
    `The vault name '${name}' is already in use. Vault names are globally unique so it is possible that the name is already taken. If you are sure that the vault name was not taken then it is possible that a vault with the same name was recently deleted but not purged after being placed in a recoverable state. If the vault is in a recoverable state then the vault will need to be purged before reusing the name. For more information on soft delete and purging a vault follow this link https://go.microsoft.com/fwlink/?linkid=2147740.`,
  );
}

/** Refuses more than 1,024 access policies, two for the same object id and application, and policies for another directory. */
export function checkPolicies(policies: readonly AccessPolicy[]): void {
  if (policies.length > MOST_POLICIES) {
    throw badRequest(
      `${policies.length} access policies; at most ${MOST_POLICIES} are allowed.`,
      'accessPolicies',
    );
  }
  const seen = new Set<string>();
  for (const policy of policies) {
    if (policy.tenantId.toLowerCase() !== TENANT_ID) {
      throw badRequest(
        `The access policy of '${policy.objectId}' is for tenant '${policy.tenantId}'; the vault's is '${TENANT_ID}'.`,
        'accessPolicies',
      );
    }
    const key = `${policy.objectId}/${policy.applicationId ?? ''}`.toLowerCase();
    if (seen.has(key)) {
      throw badRequest(
        `More than one access policy for object '${policy.objectId}': put its permissions into one.`,
        'accessPolicies',
      );
    }
    seen.add(key);
  }
}

function checkOneWay(requested: VaultSettings, existing: ResourceDocument | undefined): void {
  if (requested.enableSoftDelete === false) {
    throw badRequest(
      'The property "enableSoftDelete" can be set to false only for creating new vault. Enabling the \'soft delete\' functionality is an irreversible action.',
    );
  }
  if (requested.enablePurgeProtection === false) {
    throw badRequest(
      'The property "enablePurgeProtection" cannot be set to false. Enabling the purge protection for a vault is an irreversible action.',
    );
  }
  const retention = existing?.properties['softDeleteRetentionInDays'];
  if (
    retention !== undefined &&
    requested.softDeleteRetentionInDays !== undefined &&
    requested.softDeleteRetentionInDays !== retention
  ) {
    throw badRequest(
      'The property "softDeleteRetentionInDays" has been set already and it can\'t be modified.',
    );
  }
  if (requested.tenantId !== undefined && requested.tenantId.toLowerCase() !== TENANT_ID) {
    throw badRequest(
      `The tenant ID '${requested.tenantId}' does not match this subscription's, '${TENANT_ID}'.`,
    );
  }
}

/**
 * Refuses a change of the permission model by a caller who may not write role assignments. Source: MicrosoftDocs/azure-docs
 * `articles/key-vault/general/rbac-guide.md`.
 */
function checkPermissionModelChange(
  context: ArmContext,
  call: ArmCall,
  existing: ResourceDocument,
  rbac: boolean,
): void {
  if (existing.properties['enableRbacAuthorization'] === rbac) return;
  const action = 'Microsoft.Authorization/roleAssignments/write';
  if (isAllowed(context.store, call.caller, action, existing.id)) return;
  throw new ArmError(403, 'InsufficientPermissions', 'Caller is not allowed to change permission model.');
}

/**
 * A vault's properties after a write. In a PUT (`replace`), an omitted member keeps its value only if it cannot be unset.
 * Otherwise, every omitted member keeps its value.
 */
export function vaultProperties(
  context: ArmContext,
  call: ArmCall,
  name: string,
  requested: VaultSettings,
  existing: ResourceDocument | undefined,
  replace: boolean,
): Record<string, unknown> {
  checkOneWay(requested, existing);
  const policies = requested.accessPolicies;
  if (policies !== undefined) checkPolicies(policies);
  const base = existing?.properties ?? {};
  const kept = replace ? {} : base;
  // An existing vault keeps its model in every API version (azure-security-docs `access-control-default.md`).
  const rbac =
    requested.enableRbacAuthorization ?? (existing === undefined || base['enableRbacAuthorization'] === true);
  if (existing !== undefined) checkPermissionModelChange(context, call, existing, rbac);
  if (replace && policies === undefined && !rbac) {
    throw badRequest(
      "The parameter 'accessPolicies' is not specified: a vault without 'enableRbacAuthorization' needs it, empty if need be.",
      'properties.accessPolicies',
    );
  }
  const { createMode: _createMode, networkAcls, ...settings } = requested;
  const purgeProtection = base['enablePurgeProtection'] === true || requested.enablePurgeProtection === true;
  return {
    enabledForDeployment: false,
    ...kept,
    ...defined(settings),
    ...(networkAcls === undefined ? {} : { networkAcls: networkRules(networkAcls) }),
    tenantId: TENANT_ID,
    accessPolicies: policies ?? base['accessPolicies'] ?? [],
    enableRbacAuthorization: rbac,
    enableSoftDelete: true,
    softDeleteRetentionInDays: base['softDeleteRetentionInDays'] ?? requested.softDeleteRetentionInDays ?? 90,
    ...(purgeProtection ? { enablePurgeProtection: true } : {}),
    publicNetworkAccess: requested.publicNetworkAccess ?? kept['publicNetworkAccess'] ?? 'Enabled',
    vaultUri: `https://${name.toLowerCase()}.vault.azure.net/`,
    provisioningState: 'Succeeded',
  };
}
