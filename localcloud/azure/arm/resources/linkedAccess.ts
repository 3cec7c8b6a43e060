import { isAllowed } from '../../identity/access';
import type { ArmContext } from '../context';
import type { ArmCall } from '../endpoint';
import { ArmError } from '../errors';

/**
 * Refuses a request whose caller lacks a role on a resource that the request refers to. Source of the text:
 * MicrosoftDocs/azure-docs `articles/role-based-access-control/troubleshooting.md`, "Unable to create or update a custom role".
 *
 * @param required action and scope of the request itself, which the caller may make
 * @param linked action that the caller needs on each scope that the request refers to
 */
export function checkLinkedAccess(
  context: ArmContext,
  call: ArmCall,
  required: { action: string; scope: string },
  linked: { action: string; scopes: readonly string[] },
): void {
  const { clientId, objectId } = call.caller;
  const missing = linked.scopes.filter(
    (scope) => !isAllowed(context.store, call.caller, linked.action, scope),
  );
  if (missing.length === 0) return;
  throw new ArmError(
    403,
    'LinkedAuthorizationFailed',
    `The client '${clientId}' with object id '${objectId}' has permission to perform action '${required.action}' on scope '${required.scope}'; however, it does not have permission to perform action(s) '${linked.action}' on the linked scope(s) '${missing.join(',')}' (respectively) or the linked scope(s) are invalid.`,
  );
}
