import { tryParseResourceGroupId } from '../../components/azure/resourceId';
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
  /** As the custom resource has it; undefined for the group. */
  readonly owner: unknown;
  /** Name of the resource group, where the owner is not said. */
  readonly group: string;
}

/** What two that are one thing in Azure have in common: names are compared without regard to case. */
export function serviceKey({ customResource, azureName, owner, group }: NamedService): string {
  const within = isNamedGlobally(customResource) ? '' : (groupOf(owner) ?? sorted(owner ?? group));
  return `${customResource}/${within}/${azureName}`.toLowerCase();
}

/** A state does not keep the order of keys. */
function sorted(owner: unknown): string {
  const keys = Object.keys(fieldsOf(owner)).sort();
  return JSON.stringify(owner, keys.length === 0 ? undefined : keys);
}

/** A group as an owner is what it is also where nothing is said. */
function groupOf(owner: unknown): string | undefined {
  const { armId } = fieldsOf(owner);
  const name = typeof armId === 'string' ? tryParseResourceGroupId(armId)?.name : undefined;
  return name === undefined ? undefined : JSON.stringify(name);
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
  const { customResource, azureName, owner } = namedService(service, objectName, group);
  if (service.kind !== 'resource') {
    const within = dependencyKinds[service.kind].global ? [] : [group];
    return [service.kind, ...within, azureName].join('/');
  }
  const { name, armId } = fieldsOf(owner);
  const within =
    [name, armId]
      .find((one) => typeof one === 'string')
      ?.split('/')
      .at(-1) ?? group;
  return [customResource, within, azureName].join('/');
}
