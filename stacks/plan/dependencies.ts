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
  /** If it exists and is only used. */
  readonly existing?: ExistingGroupId;
  /** True as long as one service in the group is retained: a group is deleted with everything in it. */
  readonly retainOnDelete: boolean;
}

/** The roles that an identity needs on a resource group to provision services there. */
export interface ProvisioningPlan {
  /** Name of the group. */
  readonly group: string;
  /** Each with the name of its assignment in the stack. */
  readonly roles: readonly { readonly key: string; readonly role: BuiltInRole }[];
}

/** Whether the application's dependencies are provisioned by an identity of their own. */
export function hasOwnProvisioner(application: ApplicationSettings): boolean {
  return application.provisioning === 'application' && customResourcesFor(application).length > 0;
}

/** The kinds of custom resources that the application's own chart declares, group and kind. */
export function kindsInChart(application: ApplicationSettings): readonly string[] {
  return 'chart' in application ? (application.chart.provisions ?? []) : [];
}

/** The kinds of all custom resources by which the operator provisions services for the application. */
export function customResourcesFor(application: ApplicationSettings): string[] {
  const ofDependencies = application.dependencies.flatMap(({ service }) => customResourcesOf(service));
  return [...ofDependencies, ...kindsInChart(application)];
}

/** The roles that it takes to provision these. */
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

/** The resource group for the dependencies of all applications that have no group of their own. */
export function sharedServicesGroup({
  resourceGroup,
  services,
}: Groups): Pick<ServicesGroupPlan, 'name' | 'existing'> {
  const { name, existing } = services.resourceGroup ?? { name: `${resourceGroup.name}-services` };
  return { name, existing };
}

/** Name of the resource group for the application's dependencies. */
export function servicesGroupOf(settings: Groups, application: ApplicationSettings): string {
  const { name } = sharedServicesGroup(settings);
  return hasOwnProvisioner(application) ? `${name}-${application.name}` : name;
}

/** The resource groups for dependencies; one that would be empty is left out. */
export function planServicesGroups(settings: StackSettings): ServicesGroupPlan[] {
  const shared = sharedServicesGroup(settings);
  const depending = settings.applications.filter((one) => customResourcesFor(one).length > 0);
  const names = new Set(depending.map((application) => servicesGroupOf(settings, application)));
  return [...names].sort().map((name) => {
    const here = depending.filter((application) => servicesGroupOf(settings, application) === name);
    const existing = name === shared.name ? shared.existing : undefined;
    return { name, existing, retainOnDelete: retainsGroup(settings, here) };
  });
}

/** A group is deleted with everything in it, so it is retained as long as one service in it is. */
function retainsGroup(settings: StackSettings, applications: readonly ApplicationSettings[]): boolean {
  return (
    settings.services.retainOnDelete ||
    applications.some(
      (application) =>
        application.dependencies.some((one) => retains(settings, application, one)) ||
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

/** The application's dependencies on the cluster. The first cluster that it runs on manages them. */
export function planDependencies(
  settings: StackSettings,
  cluster: ClusterSettings,
  application: ApplicationSettings,
) {
  const first = settings.clusters.find((one) => selects(application.clusters, one)) ?? cluster;
  const group = servicesGroupOf(settings, application);
  return application.dependencies.map((dependency) => {
    const { name, connection, connectionVault, key, service } = dependency;
    const objectName = dependencyObjectName(application.name, name);
    return {
      /** Name in the stack, by what it is in Azure: `<cluster>/storageAccount/<name>`. */
      key: `${cluster.name}/${nameInStack(service, objectName, group)}`,
      application: application.name,
      /** What the application calls it. */
      name,
      service,
      connection,
      /** Name of the vault of its connection string, if that is not the application's. */
      connectionVault,
      /** Which of the service's keys it uses, if it uses one. */
      usedKey: key,
      /** Name of its custom resource, of the objects that this exports to, and of its secret in the vault. */
      objectName,
      /** Name of its resource group. */
      group,
      /** The cluster whose operator provisions it; the operators of the others only read it. */
      managedBy: first.name,
      manages: first.name === cluster.name,
      retainOnDelete: retains(settings, application, dependency),
    };
  });
}

/**
 * What is needed to provision services: each role once, sorted.
 * @param identity key of the identity that provisions
 */
export function planProvisioning(
  identity: string,
  group: string,
  needed: readonly BuiltInRole[],
): ProvisioningPlan {
  const roles = [...new Set(needed)].sort();
  return { group, roles: roles.map((role) => ({ key: `${identity}/${group}/${role}`, role })) };
}
