import { dependencyKinds } from '../../components/dependency/service';
import { objectNames } from '../../components/dependency/exported';
import { accountOf, namedService, serviceKey, servicesGroupOf, vaultOf } from '../plan';
import { formatPath } from '../settings/problem';
import type { Check, CheckInput, OwnedSecret } from './context';
import { inCase, repeated, sharedCluster } from './context';
import { placedDependencies } from './dependencies';
import { specifiedFor } from './specified';

/**
 * Limit of Kubernetes on labels. Each object in a service carries the service's name as a label. The operator truncates longer
 * names, which may then end in a character that is invalid there (azure-service-operator pkg/common/labels/labels.go).
 */
const maxObjectName = 63;

export const dependencyNameChecks: readonly Check[] = [
  /** Names are compared case-insensitively. Most are unique in all of Azure, the others in their resource group. */
  function* (input) {
    const named = placedDependencies(input).map(({ application, service, objectName, path }) => {
      const group = servicesGroupOf(input, application);
      const planned = namedService(service, objectName, group);
      const namePath = service.kind === 'resource' ? ['spec', 'azureName'] : ['name'];
      return {
        path,
        namePath: [...path, service.kind, ...namePath],
        kind: service.kind,
        azureName: planned.azureName,
        key: serviceKey(planned),
        where: dependencyKinds[service.kind].global ? 'all of Azure' : `the group ${group}`,
      };
    });
    for (const { item, first } of repeated(named, ({ key }) => key))
      yield {
        path: item.namePath,
        value: JSON.stringify(item.azureName),
        what: `is already the name of ${formatPath(first.path)}${inCase(item.azureName, first.azureName)}`,
        allowed: `a name of its own in ${item.where}`,
        hint: 'Set another name: otherwise, two custom resources would write to the same service.',
      };
    for (const { kind, azureName, namePath, where } of named) {
      const same = input.plan.vaults.find(({ name }) => name.toLowerCase() === azureName.toLowerCase());
      if (kind === 'vault' && same !== undefined)
        yield {
          path: namePath,
          what: `is already the name of a vault of the environment${inCase(azureName, same.name)}`,
          allowed: `a name of its own in ${where}`,
          hint: 'Set another.',
        };
    }
  },

  function* (input) {
    for (const { objectName, path } of placedDependencies(input))
      if (objectName.length > maxObjectName)
        yield {
          path: [...path, 'name'],
          what: `gives the custom resource the name "${objectName}" (${objectName.length} characters), too long for a label`,
          allowed: `at most ${maxObjectName} characters together with the name of the application`,
          hint: 'Shorten it.',
        };
  },

  /**
   * Dependency `b-c` of application `a` and dependency `c` of application `a-b` have the same object name. In one namespace,
   * they would be one object.
   */
  function* (input) {
    const all = placedDependencies(input).map((dependency) => ({
      ...dependency,
      objects: objectNames(dependency.objectName, specifiedFor(dependency)),
      id: `${dependency.application.name}/${dependency.name}`,
      namespace: accountOf(dependency.application).namespace,
    }));
    for (const [index, dependency] of all.entries())
      for (const other of all.slice(0, index)) {
        const name = dependency.objects.find((object) => other.objects.includes(object));
        if (name === undefined || dependency.namespace !== other.namespace) continue;
        // Two dependencies of the same name are reported elsewhere.
        if (
          dependency.id !== other.id &&
          sharedCluster(input, dependency.application, other.application) !== undefined
        )
          yield {
            path: [...dependency.path, 'name'],
            what: `gives an object the name "${name}", which ${formatPath(other.path)} already uses in the namespace "${dependency.namespace}"`,
            allowed: 'a name of its own in the namespace',
            hint: 'Set another.',
          };
      }
  },
];

/** Returns the secrets with connection strings, each in the vault that its dependency writes to. */
export function connectionSecrets(input: CheckInput): OwnedSecret[] {
  return placedDependencies(input)
    .filter(({ connection }) => connection === 'vault')
    .map(({ application, objectName, path, connectionVault = vaultOf(input, application) }) => ({
      ...{ vault: connectionVault, secret: objectName, path: [...path, 'name'] },
    }));
}
