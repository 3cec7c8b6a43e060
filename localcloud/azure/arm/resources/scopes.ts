import type { ResourceDocument } from '../../store/documents';
import type { ArmContext } from '../context';
import { ArmError, badRequest, groupNotFound, notFound } from '../errors';
import { groupId, parseResourceId } from '../resourceId';

/** Child types whose resources can be a scope only if they exist. */
const CHILDREN = ['microsoft.network/virtualnetworks/subnets'];

/**
 * Checks that a scope exists, down to the resource, and returns the resource or group; undefined for a subscription. Children
 * of a resource (such as a secret) need not exist, unless they are subnets.
 */
export function checkScope(context: ArmContext, scope: string): ResourceDocument | undefined {
  const parsed = parseResourceId(scope);
  if (parsed === undefined) throw badRequest(`The scope '${scope}' is not valid.`, 'scope');
  const { subscriptionId = '', resourceGroup, namespace, type, names } = parsed;
  if (resourceGroup === undefined) return undefined;
  const group = groupId(subscriptionId, resourceGroup);
  const groupDocument = context.store.resources.get(group);
  if (groupDocument === undefined) throw groupNotFound(resourceGroup);
  if (type === undefined) return groupDocument;
  const kind = type.split('/')[1] ?? '';
  const resource = context.store.resources.get(
    `${group}/providers/${namespace ?? ''}/${kind}/${names[0] ?? ''}`,
  );
  if (resource !== undefined) {
    const child = context.store.resources.get(scope);
    if (child !== undefined || !CHILDREN.includes(type.toLowerCase())) return child ?? resource;
    throw notFound(type, names.join('/'), resourceGroup);
  }
  throw notFound(`${namespace ?? ''}/${kind}`, names[0] ?? '', resourceGroup);
}

/**
 * Checks that a reference is a complete id of the resource type. Whether the resource exists is not checked.
 */
export function checkReference(id: string, type: string, path: string): void {
  const parsed = parseResourceId(id);
  const complete = id.startsWith('/') && parsed?.subscriptionId !== undefined;
  if (complete && parsed.resourceGroup !== undefined && parsed.type?.toLowerCase() === type.toLowerCase())
    return;
  throw new ArmError(
    400,
    'LinkedInvalidPropertyId',
    `Property id '${id}' at path '${path}' is invalid. Expect fully qualified resource Id that start with '/subscriptions/{subscriptionId}' or '/providers/{resourceProviderNamespace}/', here of type ${type}.`,
    { target: path },
  );
}
