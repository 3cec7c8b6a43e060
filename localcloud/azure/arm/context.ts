import type { Logger } from '../../logger';
import type { Clock } from '../clock';
import type { Caller } from '../identity/tokens';
import type { PrincipalDocument, ResourceDocument, SystemData } from '../store/documents';
import type { Store } from '../store/store';
import { ArmError, groupNotFound } from './errors';
import type { ActivityLog } from './activityLog';
import type { LongRunning } from './longRunning';
import type { Operations } from './operations';
import type { Clusters } from './resources/clusterLifecycle';
import { groupId } from './resourceId';

/** Everything that the resource types need to handle a request. */
export interface ArmContext {
  store: Store;
  clock: Clock;
  operations: Operations;
  longRunning: LongRunning;
  activities: ActivityLog;
  clusters: Clusters;
  logger: Logger;
}

export const stamp = (context: Pick<ArmContext, 'clock'>): string =>
  new Date(context.clock.now()).toISOString();

/** Creator and last modifier of a resource. Later writes keep the creator. */
export function systemData(
  context: Pick<ArmContext, 'clock'>,
  caller: Caller,
  existing?: SystemData,
): SystemData {
  const now = stamp(context);
  return {
    createdBy: existing?.createdBy ?? caller.clientId,
    createdByType: 'Application',
    createdAt: existing?.createdAt ?? now,
    lastModifiedBy: caller.clientId,
    lastModifiedByType: 'Application',
    lastModifiedAt: now,
  };
}

/** A resource as it appears in answers. */
export function present(resource: ResourceDocument): Record<string, unknown> {
  const { extra, internal: _internal, ...rest } = resource;
  return { ...rest, ...extra };
}

const param = (params: Record<string, string>, name: string): string => params[name] ?? '';

/** Returns the resource group in the path; throws if it does not exist. */
export function requireGroup(context: ArmContext, params: Record<string, string>): ResourceDocument {
  const name = param(params, 'resourceGroupName');
  const group = context.store.resources.get(groupId(param(params, 'subscriptionId'), name));
  if (group === undefined) throw groupNotFound(name);
  return group;
}

/** Returns the resource group in the path, for a new resource; throws if the group is missing or being deleted. */
export function requireLiveGroup(context: ArmContext, params: Record<string, string>): ResourceDocument {
  const group = requireGroup(context, params);
  if (group.properties['provisioningState'] === 'Deleting') {
    throw new ArmError(
      409,
      'ResourceGroupBeingDeleted',
      `The resource group '${group.name}' is in deprovisioning state and cannot perform this operation.`,
    );
  }
  return group;
}

/** Creates a service principal for a resource with a system-assigned identity. */
export function managedPrincipal(
  objectId: string,
  clientId: string,
  displayName: string,
  resourceId: string,
): PrincipalDocument {
  return {
    objectId,
    clientId,
    displayName,
    kind: 'managedIdentity',
    resourceId,
  };
}
