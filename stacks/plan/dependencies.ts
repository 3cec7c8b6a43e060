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
  StackSettings,
} from '../settings/schema';
import { selects } from './selection';
import { nameInStack } from './services';
import type { DependencyPlan, ServicesGroupPlan } from './types';

/** Every secret that the application reads: those that it names, and those that its dependencies bring to its vault. */
export function secretsReadBy({ name, secrets, dependencies }: ApplicationSettings): string[] {
  const brought = dependencies.filter(({ connection }) => connection === 'vault');
  return [...secrets, ...brought.map((dependency) => dependencyObjectName(name, dependency.name))];
}

/** Whether what the application depends on is provisioned by an identity of its own. */
export function hasOwnProvisioner({ provisioning, dependencies }: ApplicationSettings): boolean {
  return provisioning === 'application' && dependencies.length > 0;
}

type Groups = Pick<StackSettings, 'resourceGroup' | 'services'>;

/** The group of what all applications depend on that have none of their own. */
export function sharedServicesGroup({
  resourceGroup,
  services,
}: Groups): Pick<ServicesGroupPlan, 'name' | 'existing'> {
  const { name, existing } = services.resourceGroup ?? { name: `${resourceGroup.name}-services` };
  return { name, existing };
}

/** Name of the group that what the application depends on is in. */
export function servicesGroupOf(settings: Groups, application: ApplicationSettings): string {
  const { name } = sharedServicesGroup(settings);
  return hasOwnProvisioner(application) ? `${name}-${application.name}` : name;
}

/** The groups of what applications depend on; none where nothing is in it. */
export function planServicesGroups(settings: StackSettings): ServicesGroupPlan[] {
  const depending = settings.applications.filter(({ dependencies }) => dependencies.length > 0);
  const inCommon = depending.filter((application) => !hasOwnProvisioner(application));
  return [
    ...(inCommon.length === 0
      ? []
      : [{ ...sharedServicesGroup(settings), retainOnDelete: retainsGroup(settings, inCommon) }]),
    ...depending.filter(hasOwnProvisioner).map((application) => ({
      name: servicesGroupOf(settings, application),
      application: application.name,
      retainOnDelete: retainsGroup(settings, [application]),
    })),
  ];
}

/** A group is deleted with everything in it, so it stays as long as one service in it does. */
function retainsGroup(settings: StackSettings, applications: readonly ApplicationSettings[]): boolean {
  return (
    settings.services.retainOnDelete ||
    applications.some((application) =>
      application.dependencies.some((one) => retains(settings, application, one)),
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

/** What the application depends on, as it is on the cluster. The first cluster that it runs on manages it. */
export function planDependencies(
  settings: StackSettings,
  cluster: ClusterSettings,
  application: ApplicationSettings,
): DependencyPlan[] {
  const first = settings.clusters.find((one) => selects(application.clusters, one)) ?? cluster;
  const group = servicesGroupOf(settings, application);
  return application.dependencies.map((dependency) => {
    const { name, connection, service } = dependency;
    const objectName = dependencyObjectName(application.name, name);
    return {
      key: `${cluster.name}/${nameInStack(service, objectName, group)}`,
      alias: `${cluster.name}-${application.name}/${name}`,
      application: application.name,
      name,
      service,
      connection,
      objectName,
      group,
      managedBy: first.name,
      manages: first.name === cluster.name,
      retainOnDelete: retains(settings, application, dependency),
    };
  });
}

/** What whoever provisions the services needs on their group: each role once, sorted. */
export function provisionerRoles(dependencies: readonly DependencyPlan[]): BuiltInRole[] {
  return [
    ...new Set(dependencies.map(({ service }) => dependencyKinds[service.kind].provisionerRole)),
  ].sort();
}

/** The operator's patterns of the custom resources that the services are: each once, sorted. */
export function crdPatterns(dependencies: readonly DependencyPlan[]): string[] {
  const patterns = dependencies.flatMap(({ service }) => {
    const { group, kinds } = customResourcesOf(service);
    return kinds.map((kind) => `${group}/${kind}`);
  });
  return [...new Set(patterns)].sort();
}
