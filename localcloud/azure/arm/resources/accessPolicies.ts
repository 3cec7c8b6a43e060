import type { ResourceDocument } from '../../store/documents';
import { readBody } from '../body';
import type { ArmContext } from '../context';
import { systemData } from '../context';
import type { ArmEndpoint } from '../endpoint';
import { badRequest } from '../errors';
import { checkPolicies } from './vaultRules';
import type { AccessPolicy } from './vaultSchema';
import { accessPoliciesBody } from './vaultSchema';
import { vaults } from './vaults';

const TYPE = `${vaults.type}/accessPolicies`;
const AREAS = ['secrets', 'keys', 'certificates', 'storage'] as const;

type Operation = 'add' | 'replace' | 'remove';

const samePrincipal = (a: AccessPolicy, b: AccessPolicy): boolean =>
  a.objectId.toLowerCase() === b.objectId.toLowerCase() &&
  (a.applicationId ?? '').toLowerCase() === (b.applicationId ?? '').toLowerCase();

function combine(current: AccessPolicy, requested: AccessPolicy, operation: 'add' | 'remove'): AccessPolicy {
  const permissions: Record<string, string[]> = {};
  for (const area of AREAS) {
    const before: string[] = current.permissions[area] ?? [];
    const requestedPermissions: string[] = requested.permissions[area] ?? [];
    const lower = new Set(requestedPermissions.map((each) => each.toLowerCase()));
    permissions[area] =
      operation === 'add'
        ? [
            ...before,
            ...requestedPermissions.filter(
              (each) => !before.some((old) => old.toLowerCase() === each.toLowerCase()),
            ),
          ]
        : before.filter((each) => !lower.has(each.toLowerCase()));
  }
  return { ...current, permissions };
}

/** The access policies after the operation. The policies of other principals stay unchanged. */
export function changePolicies(
  current: readonly AccessPolicy[],
  requested: readonly AccessPolicy[],
  operation: Operation,
): AccessPolicy[] {
  if (operation === 'replace') {
    return [
      ...current.filter((old) => !requested.some((policy) => samePrincipal(old, policy))),
      ...requested,
    ];
  }
  const result = current.map((old) => {
    const policy = requested.find((candidate) => samePrincipal(old, candidate));
    return policy === undefined ? old : combine(old, policy, operation);
  });
  if (operation === 'add') {
    return [...result, ...requested.filter((policy) => !current.some((old) => samePrincipal(old, policy)))];
  }
  return result.filter((policy) => AREAS.some((area) => (policy.permissions[area] ?? []).length > 0));
}

/** Endpoints that change single access policies of a vault. */
export function accessPolicyEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    {
      operation: 'Vaults_UpdateAccessPolicy',
      method: 'PUT',
      path: `${vaults.path}/accessPolicies/{operationKind}`,
      type: TYPE,
      action: `${TYPE}/write`,
      handle: (call) => {
        const vault = vaults.required(context, call);
        const kind = call.params['operationKind']?.toLowerCase();
        if (kind !== 'add' && kind !== 'replace' && kind !== 'remove') {
          throw badRequest(
            `The access policy operation '${call.params['operationKind'] ?? ''}' is not one of add, replace, remove.`,
          );
        }
        const requested = readBody(accessPoliciesBody, call.body, TYPE).properties.accessPolicies;
        const current = (vault.properties['accessPolicies'] ?? []) as AccessPolicy[];
        const accessPolicies = changePolicies(current, requested, kind);
        checkPolicies(accessPolicies);
        const changed: ResourceDocument = {
          ...vault,
          properties: { ...vault.properties, accessPolicies },
          systemData: systemData(context, call.caller, vault.systemData),
        };
        context.store.resources.set(vault.id, changed);
        return {
          status: 200,
          body: {
            id: `${vault.id}/accessPolicies/`,
            type: TYPE,
            location: vault.location,
            properties: { accessPolicies },
          },
        };
      },
    },
  ];
}
