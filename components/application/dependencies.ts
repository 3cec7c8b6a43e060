import * as pulumi from '@pulumi/pulumi';
import type { ExportedValue } from '../dependency/exported';
import { dependencyVariable } from '../dependency/service';
import type { Variable } from './deployment';

/** A service that the workload depends on. An AzureDependency is one. */
export interface WorkloadDependency {
  /** What the workload calls it. */
  readonly dependency: string;
  /** Name in Azure. */
  readonly azureName: string;
  /** What the workload is told of it, and where. */
  readonly values: ExportedValue[];
  /** Known once the service is there, and the workload has access to it. */
  readonly accessible: pulumi.Input<boolean>;
}

/** The variables of a dependency, by names and not by outputs: a preview shows them before the service exists. */
export function dependencyVariables({ dependency, values }: WorkloadDependency): Variable[] {
  return values.map(({ from, name, key }) => ({
    name: dependencyVariable(dependency, key),
    valueFrom: from === 'secret' ? { secretKeyRef: { name, key } } : { configMapKeyRef: { name, key } },
  }));
}

/** An annotation that changes with the services: running pods keep the values that they read at start. */
export function dependencyAnnotations(dependencies: readonly WorkloadDependency[]): Record<string, string> {
  if (dependencies.length === 0) return {};
  const named = dependencies.map(({ dependency, azureName }) => `${dependency}=${azureName}`);
  return { 'aks-workload-identity/dependencies': named.sort().join(',') };
}

/**
 * The values of a chart: of each dependency the ConfigMap and the secret that the operator writes, if it does, and `env`, the
 * variables as a container takes them. They are known to the release only once the services are there.
 */
export function dependencyValues(dependencies: readonly WorkloadDependency[]): Record<string, unknown> {
  if (dependencies.length === 0) return {};
  return {
    dependencies: Object.fromEntries(
      dependencies.map((one) => [one.dependency, pulumi.output(one.accessible).apply(() => valuesOf(one))]),
    ),
  };
}

function valuesOf(dependency: WorkloadDependency): Record<string, unknown> {
  const nameOf = (source: ExportedValue['from']) =>
    dependency.values.find(({ from }) => from === source)?.name;
  return {
    configMap: nameOf('configMap'),
    secret: nameOf('secret'),
    env: dependencyVariables(dependency),
  };
}

/** What the pods depend on: known once all services are there, and the workload has access to them. */
export function allAccessible(dependencies: readonly WorkloadDependency[]): pulumi.Output<pulumi.Resource[]> {
  return pulumi.all(dependencies.map(({ accessible }) => accessible)).apply(() => []);
}
