import * as z from 'zod';
import type { ResourceDocument } from '../../store/documents';
import type { Store } from '../../store/store';
import { body, tags, withReadOnly } from '../body';
import type { ArmContext } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError, badRequest } from '../errors';
import { SCALE_SET_TYPE, scaleSetId } from './clusterLifecycle';
import { GroupResource } from './groupResource';
import { IDENTITY_TYPE } from './identities';
import { checkLinkedAccess } from './linkedAccess';

const scaleSets = new GroupResource(SCALE_SET_TYPE, 'vmScaleSetName');

interface Identity {
  type: string;
  userAssignedIdentities?: Record<string, { principalId?: string; clientId?: string }>;
}

const types = ['None', 'UserAssigned', 'SystemAssigned', 'SystemAssigned, UserAssigned'] as const;
const patchBody = body({
  tags,
  identity: withReadOnly(
    {
      type: z.enum(types),
      userAssignedIdentities: z
        .record(z.string(), withReadOnly({}, ['principalId', 'clientId']).nullable())
        .nullish(),
    },
    ['principalId', 'tenantId'],
  ).optional(),
});

const identityOf = ({ extra }: ResourceDocument): Identity =>
  (extra?.['identity'] as Identity | undefined) ?? { type: 'None' };

/** Resource ids of the identities on a scale set. */
export const assignedTo = (scaleSet: ResourceDocument): string[] =>
  Object.keys(identityOf(scaleSet).userAssignedIdentities ?? {});

/** The scale set of a cluster's nodes. */
export const scaleSetOf = (store: Store, cluster: ResourceDocument): ResourceDocument | undefined =>
  store.resources.get(scaleSetId(cluster));

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function identityWith({ store }: ArmContext, ids: readonly string[]): Identity {
  const resources = ids.flatMap((id) => store.resources.get(id) ?? []);
  if (resources.length === 0) return { type: 'None' };
  const userAssignedIdentities = Object.fromEntries(
    resources.map(({ id, properties }) => [
      id,
      { principalId: String(properties['principalId']), clientId: String(properties['clientId']) },
    ]),
  );
  return { type: 'UserAssigned', userAssignedIdentities };
}

/**
 * Creates the scale set of a cluster's nodes, or updates the identities that AKS assigns to it. Identities that others assigned
 * stay.
 *
 * @param cluster the changed cluster, which is not stored yet
 * @param assigned resource ids of the identities that AKS assigns to the changed cluster
 */
export function placeScaleSet(
  context: ArmContext,
  cluster: ResourceDocument,
  assigned: readonly string[],
): void {
  const existing = scaleSetOf(context.store, cluster);
  const before = (existing?.internal?.['byAks'] as string[] | undefined) ?? [];
  const byOthers = existing === undefined ? [] : assignedTo(existing);
  const kept = byOthers.filter((id) => ![...before, ...assigned].some((other) => same(id, other)));
  const id = scaleSetId(cluster);
  context.store.resources.set(id, {
    ...{ id, name: id.split('/').at(-1) ?? '', type: SCALE_SET_TYPE, location: cluster.location },
    tags: existing?.tags ?? {},
    extra: { identity: identityWith(context, [...assigned, ...kept]) },
    internal: { byAks: assigned },
    properties: { provisioningState: 'Succeeded' },
  });
}

/**
 * Refuses identities that do not exist. The message has the resource manager's form (aad-pod-identity
 * `pkg/cloudprovider/cloudprovider_test.go`).
 */
function requireIdentities({ store }: ArmContext, scaleSet: ResourceDocument, ids: readonly string[]): void {
  const missing = ids.find((id) => store.resources.get(id)?.type !== IDENTITY_TYPE);
  if (missing === undefined) return;
  throw new ArmError(
    400,
    'FailedIdentityOperation',
    `Identity operation for resource '${scaleSet.id}' failed with error 'Failed to perform resource identity operation. Status: 'BadRequest'. Response: '{"error":{"code":"BadRequest","message":"Resource '${missing}' was not found."}}'.'`,
  );
}

function changed(
  context: ArmContext,
  call: ArmCall,
  identity: z.infer<typeof patchBody>['identity'],
  scaleSet: ResourceDocument,
): Identity {
  if (identity === undefined) return identityOf(scaleSet);
  if (identity.type.startsWith('SystemAssigned'))
    throw badRequest(
      "The local cloud's scale sets have user-assigned identities only: 'identity.type' is None or UserAssigned.",
      'identity.type',
    );
  if (identity.type === 'None') return { type: 'None' };
  const entries = Object.entries(identity.userAssignedIdentities ?? {});
  const current = assignedTo(scaleSet);
  const added = entries.filter(([, value]) => value !== null).map(([id]) => id);
  const removed = entries.filter(([, value]) => value === null).map(([id]) => id);
  const linked = { action: `${IDENTITY_TYPE}/assign/action`, scopes: added };
  checkLinkedAccess(context, call, { action: `${SCALE_SET_TYPE}/write`, scope: scaleSet.id }, linked);
  requireIdentities(context, scaleSet, added);
  const fresh = added.filter((id) => !current.some((other) => same(id, other)));
  return identityWith(
    context,
    [...current, ...fresh].filter((id) => !removed.some((other) => same(id, other))),
  );
}

/** Scale sets of clusters' nodes. Clients can read them and change their identities; AKS creates and deletes them. */
export function scaleSetEndpoints(context: ArmContext): ArmEndpoint[] {
  return [
    ...scaleSets.reads(context, {
      get: 'VirtualMachineScaleSets_Get',
      listInGroup: 'VirtualMachineScaleSets_List',
      listInSubscription: 'VirtualMachineScaleSets_ListAll',
      getQuery: ['$expand'],
    }),
    scaleSets.patch(context, {
      operation: 'VirtualMachineScaleSets_Update',
      body: patchBody,
      change: (_context, call, body, existing) => ({
        extra: { ...existing.extra, identity: changed(context, call, body.identity, existing) },
      }),
    }),
  ];
}
