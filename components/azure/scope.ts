/** The kinds of scopes on which a role can be assigned. */
export type ScopeKind = 'resource' | 'resource group' | 'subscription' | 'management group';

const group = '/subscriptions/[^/]+/resourceGroups/[^/]+';

const patterns: readonly (readonly [ScopeKind, RegExp])[] = [
  ['management group', /^\/providers\/Microsoft\.Management\/managementGroups\/[\w().-]{1,90}$/i],
  ['subscription', /^\/subscriptions\/[^/]+$/i],
  ['resource group', new RegExp(`^${group}$`, 'i')],
  // A resource in a resource: `…/storageAccounts/<account>/blobServices/default/containers/<container>`.
  ['resource', new RegExp(`^${group}(/providers/[^/]+(/[^/]+/[^/]+)+)+$`, 'i')],
];

/** Returns the kind of a scope by its id; undefined if the id is not a scope. */
export function scopeKind(scope: string): ScopeKind | undefined {
  // Wildcards, characters that names cannot contain, and segments that lead to a parent.
  if (/[*?#%]|\/\.\.?(\/|$)/.test(scope)) return undefined;
  return patterns.find(([, pattern]) => pattern.test(scope))?.[0];
}

/** The forms of scopes, in words. */
export const scopeForms =
  'the id of a resource, /subscriptions/<guid>/resourceGroups/<group>/providers/<provider>/<type>/<name>, as `az resource show --query id` prints it; of a resource group, /subscriptions/<guid>/resourceGroups/<group>; of a subscription, /subscriptions/<guid>; or of a management group, /providers/Microsoft.Management/managementGroups/<name>';
