import { assertName } from '../azure/naming';
import { InvalidArgumentError } from '../resource/errors';
import { assertKnown } from '../resource/given';
import type { AzureDependencyArgs } from './azureDependency';
import type { DependencyService } from './service';
import { dependencyKinds, storageData } from './service';

const nameTypes = {
  storageAccount: 'storageAccount',
  postgresql: 'postgresql',
  redis: 'redis',
  serviceBus: 'serviceBus',
  identity: 'userAssignedIdentity',
  vault: 'keyVault',
} as const;

/** Refuses what Azure or the operator would refuse, or what would leave the application without its connection. */
export function assertDependency(name: string, args: AzureDependencyArgs, service: DependencyService): void {
  const component = `AzureDependency ${name}`;
  const { application, dependency, connection = 'identity', manages, retainOnDelete, accounts } = args;
  assertKnown(component, { application, dependency, connection, manages, retainOnDelete, accounts });
  assertName({ component, argument: 'dependency', name: dependency, type: 'dependency' });
  const { connections, label } = dependencyKinds[service.kind];
  if (service.kind === 'resource') {
    // Of the specification, only these decide which resources there are and what they are called.
    const { apiVersion, resourceKind, spec } = service;
    const { azureName, operatorSpec } = spec as Record<string, unknown>;
    assertKnown(component, { service: { apiVersion, resourceKind, spec: { azureName, operatorSpec } } });
  } else {
    assertKnown(component, { service });
    const type = nameTypes[service.kind];
    assertName({ component, argument: 'service.name', name: service.name, type });
  }
  const known: readonly string[] = storageData;
  const unknown =
    service.kind === 'storageAccount' ? service.data.find((one) => !known.includes(one)) : undefined;
  if (unknown !== undefined) {
    throw new InvalidArgumentError({
      component,
      argument: 'service.storageAccount.data',
      value: unknown,
      problem: 'is not kept in a storage account',
      allowed: storageData.join(', '),
    });
  }
  if (connections.includes(connection)) return;
  throw new InvalidArgumentError({
    component,
    argument: 'connection',
    value: connection,
    problem: `is not possible for a ${label}`,
    allowed: connections.join(', '),
  });
}
