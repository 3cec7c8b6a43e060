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

export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** What the resource types work with. */
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

/** Record of who wrote a resource, kept over later writes. */
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

/** A resource as answers show it. */
export function present(resource: ResourceDocument): Record<string, unknown> {
  const { extra, internal: _internal, ...rest } = resource;
  return { ...rest, ...extra };
}

const param = (params: Record<string, string>, name: string): string => params[name] ?? '';

/** The group a path names, which must exist. */
export function requireGroup(context: ArmContext, params: Record<string, string>): ResourceDocument {
  const name = param(params, 'resourceGroupName');
  const group = context.store.resources.get(groupId(param(params, 'subscriptionId'), name));
  if (group === undefined) throw groupNotFound(name);
  return group;
}

/** A group that something is to be created in: it must not be on its way out. */
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

/** A service principal for a resource that has an identity of its own. */
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
    secrets: [],
    certificates: [],
  };
}
