import { TENANT_ID } from '../../identity';
import { allowingAssignment, includes } from '../identity/access';
import { hasApprovedConnection } from '../arm/resources/privateEndpointConnections';
import type { AccessPolicy, NetworkAcls } from '../arm/resources/vaultSchema';
import { CLIENT_ADDRESS, inRanges } from '../network';
import type { VaultCall, VaultContext } from './context';
import { VaultError } from './errors';

type Permission = NonNullable<AccessPolicy['permissions']['secrets']>[number];

/**
 * The data action (RBAC) and the permission (access policies) of each operation. Source:
 * MicrosoftDocs/azure-docs `articles/key-vault/general/rbac-guide.md` and the REST reference.
 */
export const NEEDS = {
  get: { action: 'getSecret', permission: 'get' },
  set: { action: 'setSecret', permission: 'set' },
  update: { action: 'update', permission: 'set' },
  list: { action: 'readMetadata', permission: 'list' },
  delete: { action: 'delete', permission: 'delete' },
  getDeleted: { action: 'readMetadata', permission: 'get' },
  recover: { action: 'recover', permission: 'recover' },
  purge: { action: 'purge', permission: 'purge' },
} as const satisfies Record<string, { action: string; permission: Permission }>;

const describe = (call: VaultCall): string =>
  `appid=${call.caller.clientId};oid=${call.caller.objectId};iss=https://sts.windows.net/${TENANT_ID}/`;

const vaultLine = (call: VaultCall): string => `${call.vault.name};location=${call.vault.location ?? ''}`;

/**
 * Refuses callers by network rules. Every caller is on this machine. If the vault has an approved private
 * endpoint, all callers count as connected through it. No caller is in a subnet, so virtual network rules allow
 * nobody.
 */
export function checkNetwork(context: VaultContext, call: VaultCall): void {
  const { publicNetworkAccess, networkAcls } = call.vault.properties as {
    publicNetworkAccess?: string;
    networkAcls?: NetworkAcls;
  };
  if (hasApprovedConnection(context.store, call.vault.id)) return;
  if (publicNetworkAccess === 'Disabled') {
    throw new VaultError(
      403,
      'Forbidden',
      `Public network access is disabled and request is not from a trusted service nor via an approved private link.\r\nCaller: ${describe(call)}\r\nVault: ${vaultLine(call)}`,
      'ForbiddenByConnection',
    );
  }
  const allowed = (networkAcls?.ipRules ?? []).map(({ value }) => value);
  if (networkAcls?.defaultAction === 'Deny' && !inRanges(CLIENT_ADDRESS, allowed)) {
    throw new VaultError(
      403,
      'Forbidden',
      `Client address is not authorized and caller is not a trusted service.\r\nClient address: ${CLIENT_ADDRESS}\r\nCaller: ${describe(call)}\r\nVault: ${vaultLine(call)}`,
      'ForbiddenByFirewall',
    );
  }
}

function checkRole(context: VaultContext, call: VaultCall, action: string, scope: string): void {
  const dataAction = `Microsoft.KeyVault/vaults/secrets/${action}/action`;
  const assignment = allowingAssignment(context.store, call.caller, dataAction, scope, 'data');
  call.access.isRbacAuthorized = assignment !== undefined;
  if (assignment !== undefined) {
    call.access.appliedAssignmentId = assignment.name;
    return;
  }
  throw new VaultError(
    403,
    'Forbidden',
    `Caller is not authorized to perform action on resource.\r\nIf role assignments, deny assignments or role definitions were changed recently, please observe propagation time.\r\nCaller: ${describe(call)}\r\nAction: '${dataAction}'\r\nResource: '${scope.toLowerCase()}'\r\nAssignment: (not found)\r\nDenyAssignmentId: null\r\nDecisionReason: null \r\nVault: ${vaultLine(call)}\r\n`,
    'ForbiddenByRbac',
  );
}

function checkPolicy(call: VaultCall, permission: Permission): void {
  const policies = (call.vault.properties['accessPolicies'] ?? []) as AccessPolicy[];
  const allowed = policies.some((policy) => {
    const held = policy.permissions.secrets ?? [];
    // `all` does not cover purge (azure-rest-api-specs, keyvault.json, AccessPolicyEntry).
    const covered = held.includes(permission) || (held.includes('all') && permission !== 'purge');
    // A policy with an application applies to on-behalf-of calls, which do not exist here.
    const own = policy.applicationId === undefined && includes(call.caller, policy.objectId);
    return own && covered;
  });
  call.access.isAccessPolicyMatch = allowed;
  if (allowed) return;
  throw new VaultError(
    403,
    'Forbidden',
    `The user, group or application '${describe(call)}' does not have secrets ${permission} permission on key vault '${vaultLine(call)}'. For help resolving this issue, please see https://go.microsoft.com/fwlink/?linkid=2125287`,
    'AccessDenied',
  );
}

/** Refuses calls that neither a role nor an access policy allows. A vault uses one of the two, never both. */
export function authorise(
  context: VaultContext,
  call: VaultCall,
  operation: keyof typeof NEEDS,
  secretName?: string,
): void {
  call.access.isAddressAuthorized = false;
  checkNetwork(context, call);
  call.access.isAddressAuthorized = true;
  const { action, permission } = NEEDS[operation];
  if (call.vault.properties['enableRbacAuthorization'] !== true) checkPolicy(call, permission);
  else {
    const scope = secretName === undefined ? call.vault.id : `${call.vault.id}/secrets/${secretName}`;
    checkRole(context, call, action, scope);
  }
}
