import type { ResourceService } from './service';
import type { DependencyContext, Specification } from './specification';
import { ownedByGroup } from './specification';

/** A custom resource as its owner describes it; without an owner, it is in the group of the services. */
export function resource(service: ResourceService, context: DependencyContext): Specification {
  const { apiVersion, resourceKind, spec } = service;
  return {
    azureName: azureNameOf(service, context.objectName),
    resources: [
      {
        ...{ apiVersion, kind: resourceKind },
        spec: { owner: ownedByGroup(context), ...spec },
        // It can be of any kind.
        deletionTakes: '60m',
      },
    ],
    dataRoles: [],
    configMapData: {},
  };
}

/** Name in Azure: of a custom resource that does not say, its own. */
export function azureNameOf({ spec }: Pick<ResourceService, 'spec'>, objectName: string): string {
  return typeof spec.azureName === 'string' ? spec.azureName : objectName;
}
