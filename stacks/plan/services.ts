import { fieldsOf } from '../../components/resource/fields';
import type { DependencyService } from '../../components/dependency/service';
import { azureNameOf, customResourcesOf, dependencyKinds } from '../../components/dependency/service';

/** Identifies a service in Azure, as far as its custom resource allows. */
export interface NamedService {
  /** Group and kind of its custom resource, `storage.azure.com/StorageAccount`. */
  readonly customResource: string;
  /** Name in Azure. */
  readonly azureName: string;
  /** Owner in the custom resource; undefined if the owner is the resource group. */
  readonly owner: unknown;
  /** Name of the resource group, for services without an owner. */
  readonly group: string;
}

/**
 * Returns the key of a service. Two services with the same key are one service in Azure, which compares names
 * case-insensitively.
 */
export function serviceKey(service: NamedService): string {
  const { customResource, azureName } = service;
  const within = isNamedGlobally(customResource) ? '' : placeOf(service);
  return `${customResource}/${within}/${azureName}`.toLowerCase();
}

/** Returns the name of the service's owner, or of its resource group if it has no owner. */
function placeOf({ owner, group }: NamedService): string {
  const { name, armId } = fieldsOf(owner);
  const place = [name, armId].find((text) => typeof text === 'string');
  return place?.split('/').at(-1) ?? group;
}

function isNamedGlobally(customResource: string): boolean {
  return Object.values(dependencyKinds).some(
    ({ global, customResources }) => global && customResource === customResources[0],
  );
}

/** Returns what identifies the service in Azure. */
export function namedService(service: DependencyService, objectName: string, group: string): NamedService {
  const [customResource = ''] = customResourcesOf(service);
  return {
    customResource,
    azureName: azureNameOf(service, objectName),
    owner: service.kind === 'resource' ? service.spec.owner : undefined,
    group,
  };
}

/** Returns the name of a service in the stack: kind, owner or resource group (unless the name is unique in Azure), and name. */
export function nameInStack(service: DependencyService, objectName: string, group: string): string {
  const named = namedService(service, objectName, group);
  const { customResource, azureName } = named;
  if (service.kind === 'resource') return [customResource, placeOf(named), azureName].join('/');
  const within = dependencyKinds[service.kind].global ? [] : [group];
  return [service.kind, ...within, azureName].join('/');
}
