import { fieldsOf } from '../../components/cluster/fields';
import { AzureDependency } from '../../components/dependency/azureDependency';
import type { DependencyKind } from '../../components/dependency/service';
import { dependencyKinds } from '../../components/dependency/service';
import type { DependencyPlan, NamedService } from '../plan';
import { namedService, serviceKey } from '../plan';
import type { OwnState } from './ownState';

/** A service that the operator provisioned for the stack, as an update before recorded it. */
export interface RecordedDependency {
  /** Name in the stack. */
  readonly key: string;
  /** Name of the cluster; undefined in what older programs recorded. */
  readonly cluster: string | undefined;
  readonly application: string;
  readonly dependency: string;
  readonly kind: string;
  readonly azureName: string;
  readonly id: string;
  readonly manages: boolean;
  readonly deletion: 'kept' | 'allowed';
  /** What it is in Azure. */
  readonly service: string;
}

/** What an update before recorded of the services; what it could not know is left out. */
export function recordedDependencies(state: OwnState): RecordedDependency[] {
  return state.resources
    .filter(({ type }) => type === AzureDependency.token)
    .flatMap(({ name, outputs }) => {
      const {
        cluster,
        application,
        dependency,
        kind,
        azureName,
        resourceId: id,
        manages,
        deletion,
      } = outputs;
      if (typeof application !== 'string' || typeof dependency !== 'string' || typeof kind !== 'string')
        return [];
      if (typeof azureName !== 'string' || typeof id !== 'string') return [];
      return [
        {
          cluster: typeof cluster === 'string' ? cluster : undefined,
          ...{ key: name, application, dependency, kind, azureName, id },
          service: serviceKey({
            azureName,
            ...customResourceOf(name, kind, state),
            group: groupIn(id) ?? '',
            ...toldOf(outputs),
          }),
          manages: manages === true,
          deletion: deletion === 'allowed' ? 'allowed' : 'kept',
        } as const,
      ];
    });
}

/** What the component tells of it; older programs did not. */
function toldOf({ customResource, group, owner }: Readonly<Record<string, unknown>>): Partial<NamedService> {
  if (typeof customResource !== 'string' || typeof group !== 'string') return {};
  return { customResource, group, owner };
}

/** The custom resource of the service itself, which has its name in the stack. */
function customResourceOf(
  key: string,
  kind: string,
  state: OwnState,
): { customResource: string; owner: unknown } {
  const found = customResources(state).find(({ name }) => name === key);
  if (found !== undefined)
    return { customResource: `${found.group}/${found.kind}`, owner: fieldsOf(found.spec).owner };
  const { customResources: known } = Object.hasOwn(dependencyKinds, kind)
    ? dependencyKinds[kind as DependencyKind]
    : {};
  return { customResource: `${known?.group ?? ''}/${known?.kinds[0] ?? ''}`, owner: undefined };
}

/** The operator's custom resources in the stack; their types have their versions. */
export function customResources(state: OwnState) {
  return state.resources.flatMap(({ type, name, outputs: { spec } }) => {
    const [, group, version, kind] = /^kubernetes:([^/:]+\.azure\.com)\/([^/:]+):(\w+)$/.exec(type) ?? [];
    if (group === undefined || version === undefined || kind === undefined) return [];
    return [{ name, group, version, kind, spec }];
  });
}

/** Name of the resource group in an id. */
export function groupIn(id: string): string | undefined {
  return /\/resourceGroups\/([^/]+)\//i.exec(id)?.[1];
}

function planned({ service, objectName, group }: DependencyPlan): NamedService {
  return namedService(service, objectName, group);
}

/** Name in Azure of a service that is planned. */
export function plannedName(plan: DependencyPlan): string {
  return planned(plan).azureName;
}

/** Whether what is planned is the service that was recorded, by whatever name. */
export function isSame(one: DependencyPlan, { service }: Pick<RecordedDependency, 'service'>): boolean {
  return serviceKey(planned(one)) === service;
}
