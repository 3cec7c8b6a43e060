import { TENANT_ID } from '../../identity';
import { allowingAssignment, includes } from '../identity/access';
import type { Attributes } from '../identity/conditions/evaluate';
import { hasApprovedConnection } from '../arm/resources/privateEndpointConnections';
import type { AccessPolicy, NetworkAcls } from '../arm/resources/vaultSchema';
import { CLIENT_ADDRESS, inRanges } from '../network';
import type { VaultCall, VaultContext } from './context';
import { VaultError } from './errors';

/** Kind of object in a vault. */
type Area = 'secrets' | 'keys';

/**
 * The data action (RBAC, below `Microsoft.KeyVault/vaults`) and the permission (access policies) that each operation needs.
 * Source: MicrosoftDocs/azure-docs `articles/key-vault/general/rbac-guide.md` and the REST reference.
 */
const NEEDS = {
  get: { action: 'secrets/getSecret/action', permission: 'get' },
  set: { action: 'secrets/setSecret/action', permission: 'set' },
  update: { action: 'secrets/update/action', permission: 'set' },
  list: { action: 'secrets/readMetadata/action', permission: 'list' },
  delete: { action: 'secrets/delete/action', permission: 'delete' },
  getDeleted: { action: 'secrets/readMetadata/action', permission: 'get' },
  recover: { action: 'secrets/recover/action', permission: 'recover' },
  purge: { action: 'secrets/purge/action', permission: 'purge' },
  createKey: { action: 'keys/create/action', permission: 'create' },
  getKey: { action: 'keys/read', permission: 'get' },
  encrypt: { action: 'keys/encrypt/action', permission: 'encrypt' },
  decrypt: { action: 'keys/decrypt/action', permission: 'decrypt' },
  wrapKey: { action: 'keys/wrap/action', permission: 'wrapKey' },
  unwrapKey: { action: 'keys/unwrap/action', permission: 'unwrapKey' },
} as const satisfies Record<string, { action: `${Area}/${string}`; permission: string }>;

const describe = (call: VaultCall): string =>
  `appid=${call.caller.clientId};oid=${call.caller.objectId};iss=https://sts.windows.net/${TENANT_ID}/`;

const vaultLine = (call: VaultCall): string => `${call.vault.name};location=${call.vault.location ?? ''}`;

/**
 * Refuses callers by network rules. Every caller is on this machine. If the vault has an approved private
 * endpoint, all callers count as connected through it. No caller is in a subnet, so virtual network rules allow
 * nobody.
 */
function checkNetwork(context: VaultContext, call: VaultCall): void {
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

/**
 * The attributes that conditions of role assignments may name: those of actions on secrets, and no others. A secret that is
 * written need not exist: its name is in the request. Source: MicrosoftDocs/azure-security-docs
 * `articles/key-vault/general/rbac-abac.md` (preview).
 */
function attributesOf({ vault }: VaultCall, action: string, name: string | undefined): Attributes {
  if (!action.startsWith('secrets/')) return {};
  const secret = name === undefined ? {} : { SecretName: name };
  return action === NEEDS.set.action
    ? { Resource: { VaultName: vault.name }, Request: secret }
    : { Resource: { VaultName: vault.name, ...secret } };
}

function checkRole(
  context: VaultContext,
  call: VaultCall,
  action: string,
  scope: string,
  known: Attributes,
): void {
  const dataAction = `Microsoft.KeyVault/vaults/${action}`;
  const assignment = allowingAssignment(context.store, call.caller, dataAction, scope, 'data', known);
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

function checkPolicy(call: VaultCall, area: Area, permission: string): void {
  const policies = (call.vault.properties['accessPolicies'] ?? []) as AccessPolicy[];
  const allowed = policies.some((policy) => {
    const current: readonly string[] = policy.permissions[area] ?? [];
    // `all` does not cover purge (azure-rest-api-specs, keyvault.json, AccessPolicyEntry).
    const covered = current.includes(permission) || (current.includes('all') && permission !== 'purge');
    // A policy with an application applies to on-behalf-of calls, which do not exist here.
    const own = policy.applicationId === undefined && includes(call.caller, policy.objectId);
    return own && covered;
  });
  call.access.isAccessPolicyMatch = allowed;
  if (allowed) return;
  throw new VaultError(
    403,
    'Forbidden',
    `The user, group or application '${describe(call)}' does not have ${area} ${permission} permission on key vault '${vaultLine(call)}'. For help resolving this issue, please see https://go.microsoft.com/fwlink/?linkid=2125287`,
    'AccessDenied',
  );
}

/** Refuses calls that the vault's permission model does not allow. A vault uses either roles or access policies, never both. */
export function authorise(
  context: VaultContext,
  call: VaultCall,
  operation: keyof typeof NEEDS,
  /** Name of the secret or the key. */
  name?: string,
): void {
  call.access.isAddressAuthorized = false;
  checkNetwork(context, call);
  call.access.isAddressAuthorized = true;
  const { action, permission } = NEEDS[operation];
  const area: Area = action.startsWith('keys/') ? 'keys' : 'secrets';
  if (call.vault.properties['enableRbacAuthorization'] !== true) checkPolicy(call, area, permission);
  else {
    const scope = name === undefined ? call.vault.id : `${call.vault.id}/${area}/${name}`;
    checkRole(context, call, action, scope, attributesOf(call, action, name));
  }
}
