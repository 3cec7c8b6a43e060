import * as pulumi from '@pulumi/pulumi';
import type { ExportedValue } from '../dependency/exported';
import { dependencyVariable } from '../dependency/service';
import type { Variable } from './deployment';

/** A service that the workload depends on. An AzureDependency is one. */
export interface WorkloadDependency {
  /** The workload's name for it. */
  readonly dependency: pulumi.Input<string>;
  /** Name in Azure. */
  readonly azureName: pulumi.Input<string>;
  /** The values that pods get of it, and what holds them. */
  readonly values: pulumi.Input<pulumi.Input<ExportedValue>[]>;
  /** Known once the service is there, and the workload has access to it. */
  readonly accessible: pulumi.Input<boolean>;
}

type Known = pulumi.Unwrap<WorkloadDependency>;

/** The variables of all dependencies. What an AzureDependency gives is known before the service exists, in a preview too. */
export function dependencyVariables(dependencies: readonly WorkloadDependency[]): pulumi.Output<Variable[]> {
  const all = dependencies.map(({ dependency, values }) => pulumi.output({ dependency, values }));
  return pulumi.all(all).apply((known) => known.flatMap(variablesOf));
}

function variablesOf({ dependency, values }: Pick<Known, 'dependency' | 'values'>): Variable[] {
  return values.map(({ from, name, key }) => ({
    name: dependencyVariable(dependency, key),
    valueFrom: from === 'secret' ? { secretKeyRef: { name, key } } : { configMapKeyRef: { name, key } },
  }));
}

/** An annotation that changes with the services: running pods keep the values that they read at start. */
export function dependencyAnnotations(
  dependencies: readonly WorkloadDependency[],
): Record<string, pulumi.Output<string>> {
  if (dependencies.length === 0) return {};
  const named = dependencies.map(
    ({ dependency, azureName }) => pulumi.interpolate`${dependency}=${azureName}`,
  );
  return { 'aks-workload-identity/dependencies': pulumi.all(named).apply((all) => all.sort().join(',')) };
}

/**
 * The values of a chart: of each dependency the ConfigMap and the secret that the operator writes, if it does, and `env`, the
 * variables as a container takes them. They are known to the release only once the services are there.
 */
export function dependencyValues(dependencies: readonly WorkloadDependency[]): Record<string, unknown> {
  if (dependencies.length === 0) return {};
  const names = pulumi.all(dependencies.map(({ dependency }) => dependency));
  const values = dependencies.map((one) => pulumi.output(one).apply(valuesOf));
  return { dependencies: names.apply((all) => Object.fromEntries(all.map((name, i) => [name, values[i]]))) };
}

function valuesOf(dependency: Known): Record<string, unknown> {
  const nameOf = (source: ExportedValue['from']) =>
    dependency.values.find(({ from }) => from === source)?.name;
  return {
    configMap: nameOf('configMap'),
    secret: nameOf('secret'),
    env: variablesOf(dependency),
  };
}

/** What the pods depend on: known once all services are there, and the workload has access to them. */
export function allAccessible(dependencies: readonly WorkloadDependency[]): pulumi.Output<pulumi.Resource[]> {
  return pulumi.all(dependencies.map(({ accessible }) => accessible)).apply(() => []);
}
