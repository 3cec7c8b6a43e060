import { assertName } from '../azure/naming';
import { InvalidArgumentError } from '../resource/errors';
import { assertKnown } from '../resource/given';
import type { AzureDependencyArgs } from './azureDependency';
import type { DependencyService } from './service';
import { dependencyKinds, isStorageData, storageData } from './service';

/** Refuses what Azure or the operator would refuse, or what would leave the application without its connection. */
export function assertDependency(name: string, args: AzureDependencyArgs, service: DependencyService): void {
  const component = `AzureDependency ${name}`;
  const { application, dependency, connection = 'identity', manages, retainOnDelete, accounts } = args;
  assertKnown(component, { application, dependency, connection, manages, retainOnDelete, accounts });
  const { apiVersion, resourceKind, spec } = args.service.resource ?? {};
  // A specification is the owner's, of which only these say what there is.
  const { azureName, operatorSpec } = (spec ?? {}) as Record<string, unknown>;
  assertKnown(component, {
    service:
      service.kind === 'resource' ? { apiVersion, resourceKind, spec: { azureName, operatorSpec } } : service,
  });
  assertName({
    component,
    argument: 'dependency',
    name: dependency,
    type: 'dependency',
    problem: 'cannot be the name of a dependency',
  });
  if (service.kind !== 'resource') {
    assertName({
      component,
      argument: 'service.name',
      name: service.name,
      type:
        service.kind === 'identity'
          ? 'userAssignedIdentity'
          : service.kind === 'vault'
            ? 'keyVault'
            : service.kind,
      problem: `cannot be the name of a ${dependencyKinds[service.kind].label}`,
    });
  }
  const unknown =
    service.kind === 'storageAccount' ? service.data.find((one) => !isStorageData(one)) : undefined;
  if (unknown !== undefined) {
    throw new InvalidArgumentError({
      component,
      argument: 'service.storageAccount.data',
      value: unknown,
      problem: 'is not kept in a storage account',
      allowed: storageData.join(', '),
    });
  }
  const { connections, label } = dependencyKinds[service.kind];
  if (connections.includes(connection)) return;
  throw new InvalidArgumentError({
    component,
    argument: 'connection',
    value: connection,
    problem: `is not possible for a ${label}`,
    allowed: connections.join(', '),
  });
}
