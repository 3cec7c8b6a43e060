import * as z from 'zod';
import type { LockDocument } from '../../store/documents';
import { body, readBody } from '../body';
import type { ArmContext } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError } from '../errors';
import { filterOf } from '../filter';
import { sameId } from '../resourceId';
import { covers } from '../../identity/access';
import { checkName } from './nameRules';
import { ResourceType } from './resourceType';
import { checkScope } from './scopes';

const TYPE = 'Microsoft.Authorization/locks';
const lockType = new ResourceType(TYPE, `{scope}/providers/${TYPE}`, 'lockName');

/** Source: azure-rest-api-specs `…/Microsoft.Authorization/Locks/stable/2020-05-01/locks.json`. */
const createBody = body({
  properties: z.strictObject({
    level: z.enum(['CanNotDelete', 'ReadOnly']),
    notes: z.string().max(512, 'notes have at most 512 characters').optional(),
    owners: z.array(z.strictObject({ applicationId: z.string() })).optional(),
  }),
});

const present = ({ id, name, level, notes, owners }: LockDocument): Record<string, unknown> => ({
  id,
  name,
  type: TYPE,
  properties: { level, notes, owners },
});

/**
 * Refuses a request that a lock at or above the target forbids, and a deletion if anything below the target is locked. Locks
 * apply to the resource manager only, not to the contents of a vault (MicrosoftDocs/azure-docs `lock-resources.md`).
 */
export function checkLocks(context: ArmContext, method: string, target: string): void {
  if (method === 'GET' || method === 'HEAD') return;
  const deletion = method === 'DELETE';
  const locks = context.store.locks.values().filter(({ scope, level }) => {
    if (covers(scope, target)) return deletion || level === 'ReadOnly';
    return deletion && covers(target, scope);
  });
  if (locks.length === 0) return;
  const scopes = [...new Set(locks.map(({ scope }) => `'${scope}'`))].join(',');
  throw new ArmError(
    409,
    'ScopeLocked',
    `The scope '${target}' cannot perform ${deletion ? 'delete' : 'write'} operation because following scope(s) are locked: ${scopes}. Please remove the lock and try again.`,
  );
}

/** Locks of a subscription, group or resource against deletion or all writes. */
export function lockEndpoints(context: ArmContext): ArmEndpoint[] {
  const { locks } = context.store;
  const idOf = (call: ArmCall): string => `${call.scope}/providers/${TYPE}/${lockType.nameIn(call)}`;
  return [
    lockType.endpoint('PUT', 'ManagementLocks_CreateOrUpdateByScope', (call) => {
      const name = lockType.nameIn(call);
      checkName(TYPE, name);
      const requested = readBody(createBody, call.body, TYPE).properties;
      const target = checkScope(context, call.scope);
      // In the target's spelling, whatever the client's.
      const scope = target !== undefined && sameId(target.id, call.scope) ? target.id : call.scope;
      const current = locks.get(idOf(call));
      const lock: LockDocument = {
        id: current?.id ?? `${scope}/providers/${TYPE}/${name}`,
        name: current?.name ?? name,
        scope: current?.scope ?? scope,
        ...requested,
      };
      locks.set(lock.id, lock);
      return { status: current === undefined ? 201 : 200, body: present(lock) };
    }),
    lockType.endpoint('GET', 'ManagementLocks_GetByScope', (call) => {
      const lock = locks.get(idOf(call));
      if (lock !== undefined) return { status: 200, body: present(lock) };
      throw new ArmError(
        404,
        'LockNotFound',
        `The lock '${lockType.nameIn(call)}' was not found at '${call.scope}'.`,
      );
    }),
    lockType.endpoint('DELETE', 'ManagementLocks_DeleteByScope', (call) => ({
      status: locks.delete(idOf(call)) ? 200 : 204,
    })),
    lockType.listEndpoint(
      'ManagementLocks_ListByScope',
      (call) => {
        const matches = filterOf<LockDocument>(call.query.get('$filter'), {
          'atScope()':
            () =>
            ({ scope }) =>
              covers(scope, call.scope),
        });
        return locks
          .values()
          .filter(({ scope }) => covers(scope, call.scope) || covers(call.scope, scope))
          .filter(matches)
          .map(present);
      },
      ['$filter'],
    ),
  ];
}
