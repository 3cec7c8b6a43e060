import { fieldsOf } from '../../components/cluster/fields';
import { azureNameOf } from '../../components/dependency/resource';
import type { DependencyService } from '../../components/dependency/service';
import { dependencyKinds, ownCustomResource } from '../../components/dependency/service';

/** A service by what it is in Azure, as far as its custom resource says. */
export interface NamedService {
  /** Group and kind of its custom resource, `storage.azure.com/StorageAccount`. */
  readonly customResource: string;
  /** Name in Azure. */
  readonly azureName: string;
  /** As the custom resource has it; undefined if that is the group. */
  readonly owner: unknown;
  /** Name of the resource group, where the owner is not said. */
  readonly group: string;
}

/** What two that are one service in Azure have in common: names are compared without regard to case. */
export function serviceKey(service: NamedService): string {
  const { customResource, azureName } = service;
  const within = isNamedGlobally(customResource) ? '' : placeOf(service);
  return `${customResource}/${within}/${azureName}`.toLowerCase();
}

/** Name of what the service is in: its owner, or else the group. */
function placeOf({ owner, group }: NamedService): string {
  const { name, armId } = fieldsOf(owner);
  const place = [name, armId].find((one) => typeof one === 'string');
  return place?.split('/').at(-1) ?? group;
}

function isNamedGlobally(customResource: string): boolean {
  return Object.values(dependencyKinds).some(
    ({ global, customResources }) =>
      global && customResource === `${customResources?.group ?? ''}/${customResources?.kinds[0] ?? ''}`,
  );
}

/** What a service is in Azure. */
export function namedService(service: DependencyService, objectName: string, group: string): NamedService {
  return {
    customResource: ownCustomResource(service),
    azureName: service.kind === 'resource' ? azureNameOf(service, objectName) : service.name,
    owner: service.kind === 'resource' ? service.spec.owner : undefined,
    group,
  };
}

/** Name of a service in the stack: its kind, what it is in unless its name is unique in all of Azure, and its name. */
export function nameInStack(service: DependencyService, objectName: string, group: string): string {
  const named = namedService(service, objectName, group);
  const { customResource, azureName } = named;
  if (service.kind === 'resource') return [customResource, placeOf(named), azureName].join('/');
  const within = dependencyKinds[service.kind].global ? [] : [group];
  return [service.kind, ...within, azureName].join('/');
}
