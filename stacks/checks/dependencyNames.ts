import { dependencyKinds, dependencyObjectName } from '../../components/dependency/service';
import { objectNames } from '../../components/dependency/exported';
import type { DependencyPlan } from '../plan';
import { namedService, serviceKey, servicesGroupOf, vaultOf } from '../plan';
import { applicationIndex } from '../settings/places';
import type { Path, Problem } from '../settings/problem';
import { formatPath } from '../settings/problem';
import type { Given, Places } from './context';
import { check, repeated } from './context';
import type { PlacedDependency } from './dependencies';
import { placedDependencies } from './dependencies';
import { specifiedFor } from './specified';

interface PlacedService {
  readonly path: Path;
  /** What no two may have. */
  readonly key: string;
  readonly name: string;
  readonly where: string;
}

/** Names are compared without regard to case; most are unique in all of Azure, the others in their group. */
export const uniqueServiceNames = check(['plan', 'services', 'resourceGroup'], (given, places) => {
  const all = placedDependencies(given, places);
  const named = all.map((placed) => placedService(placed, servicesGroupOf(given, placed.application)));
  return [
    ...repeated(named, ({ key }) => key).map(({ item, first }) => ({
      path: item.path,
      value: JSON.stringify(item.name),
      what: `is the name of ${formatPath(first.path.slice(0, -2))} already`,
      allowed: `a name of its own in ${item.where}`,
      remedy: 'Set another: two custom resources would write to one thing.',
    })),
    ...all.flatMap(({ dependency: { service }, path }): Problem[] =>
      service.kind !== 'vault' ||
      given.plan.vaults.every(({ name }) => name.toLowerCase() !== service.name.toLowerCase())
        ? []
        : [
            {
              path: [...path, 'vault', 'name'],
              value: JSON.stringify(service.name),
              what: 'is the name of a vault of the environment already',
              allowed: 'a name of its own in all of Azure',
              remedy: 'Set another.',
            },
          ],
    ),
  ];
});

function placedService({ application, dependency, path }: PlacedDependency, group: string): PlacedService {
  const { service, name } = dependency;
  const named = namedService(service, dependencyObjectName(application.name, name), group);
  const { global } = dependencyKinds[service.kind];
  return {
    path: [...path, service.kind, ...(service.kind === 'resource' ? ['spec', 'azureName'] : ['name'])],
    key: serviceKey(named),
    name: named.azureName,
    where: global ? 'all of Azure' : `the group ${group}`,
  };
}

/**
 * What is in a service has the service's name as a label, which Kubernetes limits; the operator cuts longer ones, which may
 * then end as no label may (azure-service-operator pkg/common/labels/labels.go).
 */
const maxObjectName = 63;

export const objectNameLengths = check([], (given, places) =>
  placedDependencies(given, places).flatMap(({ application, dependency, path }) => {
    const name = dependencyObjectName(application.name, dependency.name);
    if (name.length <= maxObjectName) return [];
    return [
      {
        path: [...path, 'name'],
        value: JSON.stringify(dependency.name),
        what: `gives the custom resource the name "${name}" (${name.length} characters), too long for a label`,
        allowed: `at most ${maxObjectName} characters together with the name of the application`,
        remedy: 'Shorten it.',
      },
    ];
  }),
);

/** `a`'s `b-c` and `a-b`'s `c` have one name; in one namespace they would be one thing. */
export const uniqueObjects = check(['plan'], (given, places) => {
  const reported = new Set<string>();
  return given.plan.clusters.flatMap(({ workloads }) => {
    const objects = workloads.flatMap(({ namespace, dependencies }) =>
      dependencies.flatMap((plan) =>
        [...new Set(objectNames(plan.objectName, specifiedFor(plan)))].map((name) => ({
          namespace,
          name,
          plan,
        })),
      ),
    );
    return repeated(objects, ({ namespace, name }) => `${namespace}/${name}`).flatMap(({ item, first }) => {
      const other = first.plan;
      // Two of one name are reported as that, and each on the first cluster only.
      if (isSame(other, item.plan)) return [];
      const id = `${item.plan.application}/${item.plan.name}`;
      if (reported.has(id)) return [];
      reported.add(id);
      const path = pathOf(given, places, item.plan);
      return [
        {
          path: [...path, 'name'],
          value: JSON.stringify(item.plan.name),
          what: `gives an object the name "${item.name}", which ${formatPath(pathOf(given, places, other))} has in the namespace "${item.namespace}" already`,
          allowed: 'a name of its own in the namespace',
          remedy: 'Set another.',
        },
      ];
    });
  });
});

/** What a dependency brings into a vault is nobody else's secret there. */
export const broughtSecretNames = check(['vault', 'vaults', 'secretValues'], (settings, places) => {
  const { applicationPath } = places;
  const brought = placedDependencies(settings, places).flatMap(({ application, dependency, path }) => {
    if (dependency.connection !== 'vault') return [];
    const secret = dependencyObjectName(application.name, dependency.name);
    return [{ secret, key: `${vaultOf(settings, application)}/${secret}`.toLowerCase(), path }];
  });
  const by = new Map(brought.map((one) => [one.key, one]));
  return [
    ...repeated(brought, ({ key }) => key).map(({ item, first }) => ({
      path: [...item.path, 'name'],
      value: JSON.stringify(item.secret),
      what: `is the secret that ${formatPath(first.path)} brings into the same vault already`,
      allowed: 'a name of its own in the vault',
      remedy: 'Set another `name`.',
    })),
    ...settings.applications.flatMap((application, index) =>
      application.secrets.flatMap((secret, place): Problem[] => {
        const found = by.get(`${vaultOf(settings, application)}/${secret}`.toLowerCase());
        if (found === undefined) return [];
        return [
          {
            path: [...applicationPath(index), 'secrets', place],
            value: JSON.stringify(secret),
            what: `is what ${formatPath(found.path)} brings into the vault, for its own application only`,
            remedy: 'Remove it, or name another secret.',
          },
        ];
      }),
    ),
    ...Object.keys(settings.secretValues).flatMap((secret): Problem[] => {
      const found = brought.find((one) => one.secret.toLowerCase() === secret.toLowerCase());
      if (found === undefined) return [];
      return [
        {
          path: ['secretValues', secret],
          what: `is what ${formatPath(found.path)} brings into the vault: its value is Azure's`,
          remedy: 'Remove it.',
        },
      ];
    }),
  ];
});

function isSame(one: DependencyPlan, other: DependencyPlan): boolean {
  return one.application === other.application && one.name === other.name;
}

function pathOf(given: Given, { applicationPath }: Places, plan: DependencyPlan): Path {
  const index = applicationIndex(given, plan.application);
  const place = given.applications[index]?.dependencies.findIndex(({ name }) => name === plan.name) ?? 0;
  return [...applicationPath(index), 'dependencies', place];
}
