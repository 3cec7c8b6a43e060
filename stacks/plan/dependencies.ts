import type { BuiltInRole } from '../../components/azure/roles';
import {
  customResourcesOf,
  dependencyKinds,
  dependencyObjectName,
} from '../../components/dependency/service';
import type {
  ApplicationSettings,
  ClusterSettings,
  DependencySettings,
  ExistingGroupId,
  StackSettings,
} from '../settings/schema';
import { selects } from './selection';
import { nameInStack } from './services';

/** A resource group for the services that applications depend on. */
export interface ServicesGroupPlan {
  /** Name in Azure. */
  readonly name: string;
  /** Id of an existing group, which the stack only uses. */
  readonly existing?: ExistingGroupId;
  /** True if any service in the group is retained: deleting a group deletes everything in it. */
  readonly retainOnDelete: boolean;
}

/** The roles that an identity needs on a resource group to provision services there. */
export interface ProvisioningPlan {
  /** Name of the group. */
  readonly group: string;
  /** The roles, each with the name of its assignment in the stack. */
  readonly roles: readonly { readonly key: string; readonly role: BuiltInRole }[];
}

/** Tells whether the application's dependencies have a provisioning identity of their own. */
export function hasOwnProvisioner(application: ApplicationSettings): boolean {
  return application.provisioning === 'application' && customResourcesFor(application).length > 0;
}

/** Returns the kinds of custom resources, with their groups, that the application's own chart declares. */
export function kindsInChart(application: ApplicationSettings): readonly string[] {
  return 'chart' in application ? (application.chart.provisions ?? []) : [];
}

/** Returns the kinds of all custom resources with which the operator provisions services for the application. */
export function customResourcesFor(application: ApplicationSettings): string[] {
  const ofDependencies = application.dependencies.flatMap(({ service }) => customResourcesOf(service));
  return [...ofDependencies, ...kindsInChart(application)];
}

/** Returns the roles that are needed to provision the application's services. */
export function provisionerRoles(application: ApplicationSettings): BuiltInRole[] {
  const ofDependencies = application.dependencies.map(
    ({ service }) => dependencyKinds[service.kind].provisionerRole,
  );
  const kinds = Object.values(dependencyKinds);
  const ofChart = kindsInChart(application).map(
    (kind) =>
      (kinds.find(({ customResources }) => customResources.includes(kind)) ?? dependencyKinds.resource)
        .provisionerRole,
  );
  return [...ofDependencies, ...ofChart];
}

type Groups = Pick<StackSettings, 'resourceGroup' | 'services'>;

/** Returns the resource group for the dependencies of all applications that have no group of their own. */
export function sharedServicesGroup({
  resourceGroup,
  services,
}: Groups): Pick<ServicesGroupPlan, 'name' | 'existing'> {
  const { name, existing } = services.resourceGroup ?? { name: `${resourceGroup.name}-services` };
  return { name, existing };
}

/** Returns the name of the resource group for the application's dependencies. */
export function servicesGroupOf(settings: Groups, application: ApplicationSettings): string {
  const { name } = sharedServicesGroup(settings);
  return hasOwnProvisioner(application) ? `${name}-${application.name}` : name;
}

/** Returns the resource groups for dependencies, without those that would be empty. */
export function planServicesGroups(settings: StackSettings): ServicesGroupPlan[] {
  const shared = sharedServicesGroup(settings);
  const depending = settings.applications.filter((application) => customResourcesFor(application).length > 0);
  const names = new Set(depending.map((application) => servicesGroupOf(settings, application)));
  return [...names].sort().map((name) => {
    const here = depending.filter((application) => servicesGroupOf(settings, application) === name);
    const existing = name === shared.name ? shared.existing : undefined;
    return { name, existing, retainOnDelete: retainsGroup(settings, here) };
  });
}

/**
 * Tells whether a group is retained. Deleting a group deletes everything in it, so it is retained as long as any of its services is.
 */
function retainsGroup(settings: StackSettings, applications: readonly ApplicationSettings[]): boolean {
  return (
    settings.services.retainOnDelete ||
    applications.some(
      (application) =>
        application.dependencies.some((dependency) => retains(settings, application, dependency)) ||
        (kindsInChart(application).length > 0 && (application.retainOnDelete ?? settings.retainOnDelete)),
    )
  );
}

function retains(
  settings: StackSettings,
  application: ApplicationSettings,
  dependency: DependencySettings,
): boolean {
  return dependency.retainOnDelete ?? application.retainOnDelete ?? settings.retainOnDelete;
}

/** A service that an application depends on, on one cluster. */
export type DependencyPlan = ReturnType<typeof planDependencies>[number];

/** Returns the application's dependencies on the cluster. The first cluster that the application runs on manages them. */
export function planDependencies(
  settings: StackSettings,
  cluster: ClusterSettings,
  application: ApplicationSettings,
) {
  const first = settings.clusters.find((other) => selects(application.clusters, other)) ?? cluster;
  const group = servicesGroupOf(settings, application);
  return application.dependencies.map((dependency) => {
    const { name, connection, connectionVault, key, service } = dependency;
    const objectName = dependencyObjectName(application.name, name);
    return {
      /** Name in the stack, derived from the service in Azure: `<cluster>/storageAccount/<name>`. */
      key: `${cluster.name}/${nameInStack(service, objectName, group)}`,
      application: application.name,
      /** Name in the application's settings. */
      name,
      service,
      connection,
      /** Name of the vault for its connection string, if that is not the application's vault. */
      connectionVault,
      /** Key of the service that it uses, if any. */
      usedKey: key,
      /** Name of its custom resource, of the objects that the resource exports to, and of its secret in the vault. */
      objectName,
      /** Name of its resource group. */
      group,
      /** The cluster whose operator provisions it; operators of other clusters only read it. */
      managedBy: first.name,
      manages: first.name === cluster.name,
      retainOnDelete: retains(settings, application, dependency),
    };
  });
}

/**
 * Returns what is needed to provision services: each role once, sorted.
 * @param identity key of the provisioning identity
 */
export function planProvisioning(
  identity: string,
  group: string,
  needed: readonly BuiltInRole[],
): ProvisioningPlan {
  const roles = [...new Set(needed)].sort();
  return { group, roles: roles.map((role) => ({ key: `${identity}/${group}/${role}`, role })) };
}
