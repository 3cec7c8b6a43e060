import { assertName } from '../azure/naming';
import { InvalidArgumentError } from '../resource/errors';
import type { AzureDependencyArgs } from './azureDependency';
import { dependencyKinds } from './service';

/** Refuses what Azure or the operator would refuse, or what would leave the application without its connection. */
export function assertDependency(name: string, args: AzureDependencyArgs): void {
  const component = `AzureDependency ${name}`;
  const { dependency, service, connection = 'identity' } = args;
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
  const { connections, label } = dependencyKinds[service.kind];
  if (connections.includes(connection)) return;
  throw new InvalidArgumentError({
    component,
    argument: 'connection',
    value: connection,
    problem: `is no way to get at a ${label}`,
    allowed: connections.join(', '),
  });
}
