import { secretVariable } from '../../components/application/secretVariable';
import { exportedValues } from '../../components/dependency/exported';
import { dependencyObjectName, dependencyVariable } from '../../components/dependency/service';
import { secretsAlwaysReadBy, secretsByGroup } from '../plan';
import type { ApplicationSettings } from '../settings/schema';
import { reservedVariables } from '../settings/schema/applications';
import type { Check } from './context';
import { specifiedFor } from './specified';

/** Names of the variables that an application sets. A chart sets the variables of its pods itself. */
function variableNames(application: ApplicationSettings): string[] {
  if (!('image' in application)) return [];
  return [application, ...application.overrides].flatMap(({ env = {} }) => Object.keys(env));
}

export const variableChecks: readonly Check[] = [
  /** With `delivery: environment`, each secret takes one variable; each dependency takes several. They must be free. */
  function* ({ applications, groups }) {
    for (const application of applications) {
      if (!('image' in application)) continue;
      const { path, secrets, delivery, dependencies } = application;
      const byGroup = secretsByGroup(groups, application);
      const owners = new Map<string, string>();
      for (const name of variableNames(application)) owners.set(name, 'which `env` sets already');
      for (const name of reservedVariables)
        owners.set(name, 'which is set by the deployment or by the workload identity webhook');
      if (delivery === 'environment') {
        const named = [
          ...secrets.map((secret, place) => ({ secret, at: [...path, 'secrets', place] })),
          ...byGroup.map(({ secret, group }) => ({
            secret,
            at: [...path, 'groups', application.groups.indexOf(group)],
          })),
        ];
        for (const { secret, at } of named) {
          const variable = secretVariable(secret);
          const owner = /^\d/.test(variable) ? 'which cannot start with a digit' : owners.get(variable);
          if (owner !== undefined)
            yield {
              path: at,
              value: JSON.stringify(secret),
              what: `would need the variable ${variable}, ${owner}`,
              hint: 'Rename one of the two, or set `delivery: files`.',
            };
        }
        for (const { secret } of secretsAlwaysReadBy(groups, application))
          owners.set(secretVariable(secret), `which holds the secret ${secret}`);
      }
      for (const [place, { name, connection, connectionVault, service }] of dependencies.entries()) {
        const objectName = dependencyObjectName(application.name, name);
        const values = exportedValues(
          objectName,
          specifiedFor({ service, connection, connectionVault, objectName }),
        );
        const own = `which the dependency ${name} already uses`;
        for (const variable of new Set(values.map(({ key }) => dependencyVariable(name, key)))) {
          const owner = owners.get(variable);
          owners.set(variable, own);
          // Two dependencies of the same name are reported elsewhere.
          if (owner !== undefined && owner !== own)
            yield {
              path: [...path, 'dependencies', place, 'name'],
              what: `gives the application the variable ${variable}, ${owner}`,
              allowed: 'variables that are not in use',
              hint: 'Set another `name`.',
            };
        }
      }
    }
  },
];
