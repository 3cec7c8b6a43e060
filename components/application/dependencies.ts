import * as pulumi from '@pulumi/pulumi';
import type { ExportedValue } from '../dependency/exported';
import { dependencyVariable } from '../dependency/service';
import type { Variable } from './pod';

/** A service that the workload depends on, for example an AzureDependency. */
export interface WorkloadDependency {
  /** The workload's name for the service. */
  readonly dependency: pulumi.Input<string>;
  /** Name in Azure. */
  readonly azureName: pulumi.Input<string>;
  /** The values that pods get, with the ConfigMaps and secrets that hold them. */
  readonly values: pulumi.Input<pulumi.Input<ExportedValue>[]>;
  /** Known once the service exists and the workload has access to it. */
  readonly accessible: pulumi.Input<boolean>;
}

/** Without `accessible`, which is known late. */
type KnownValues = Pick<pulumi.Unwrap<WorkloadDependency>, 'dependency' | 'values'>;

/** Returns the variables of all dependencies. Those of an AzureDependency are already known in a preview. */
export function dependencyVariables(dependencies: readonly WorkloadDependency[]): pulumi.Output<Variable[]> {
  const all = dependencies.map(({ dependency, values }) => pulumi.output({ dependency, values }));
  return pulumi.all(all).apply((known) => known.flatMap(valueVariables));
}

function valueVariables({ dependency, values }: KnownValues): Variable[] {
  return values.map(({ from, name, key }) => ({
    name: dependencyVariable(dependency, key),
    valueFrom: from === 'secret' ? { secretKeyRef: { name, key } } : { configMapKeyRef: { name, key } },
  }));
}

/**
 * Returns an annotation with the names of the services: a change of a service replaces the pods, which read their variables
 * only at start.
 */
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
 * Returns the values of a chart for the dependencies, by name: the names of the ConfigMap and of the secret that the operator
 * writes, if any, and `env`, the variables in the form of a container's `env`. Those of an AzureDependency are known before the
 * service exists.
 */
export function dependencyValues(dependencies: readonly WorkloadDependency[]): Record<string, unknown> {
  if (dependencies.length === 0) return {};
  const names = pulumi.all(dependencies.map(({ dependency }) => dependency));
  const values = dependencies.map(({ dependency, values: exported }) =>
    pulumi.output({ dependency, values: exported }).apply(valuesOf),
  );
  return { dependencies: names.apply((all) => Object.fromEntries(all.map((name, i) => [name, values[i]]))) };
}

function valuesOf(dependency: KnownValues): Record<string, unknown> {
  const nameOf = (source: ExportedValue['from']) =>
    dependency.values.find(({ from }) => from === source)?.name;
  return {
    configMap: nameOf('configMap'),
    secret: nameOf('secret'),
    env: valueVariables(dependency),
  };
}
