import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../support/command';

// The example of docs/dependencies.md, and the changes of tests to it.

const example = path.join(projectRoot, 'examples/configurations/dependencies/Pulumi.dependencies.yaml');

export interface Application {
  [key: string]: unknown;
  name: string;
  dependencies?: { name: string; [key: string]: unknown }[];
}
const { config } = parse(readFileSync(example, 'utf8')) as {
  config: Record<string, unknown> & { 'aks-workload-identity:applications': Application[] };
};

/** The charts of the platform, one minor version before the defaults. */
export const chartsBefore = {
  'aks-workload-identity:certManager': { version: 'v1.20.3' },
  'aks-workload-identity:serviceOperator': {
    repository: 'https://raw.githubusercontent.com/Azure/azure-service-operator/main/v2/charts',
    chart: 'azure-service-operator',
    version: '2.18.0',
    replicas: 1,
  },
};
/** The default charts, from their vendors' repositories. */
export const defaultCharts = {
  'aks-workload-identity:certManager': {},
  'aks-workload-identity:serviceOperator': { replicas: 1 },
};

/** The example with other dependencies of one application. */
export const withDependencies =
  (name: string, change: (all: NonNullable<Application['dependencies']>) => Application['dependencies']) =>
  (all: Application[]) =>
    all.map((application) =>
      application.name === name
        ? { ...application, dependencies: change(application.dependencies ?? []) ?? [] }
        : application,
    );

/** A storage account as a custom resource, in a version of the operator's API. */
export function writtenOut(azureName: string, version = 'v20250601') {
  return {
    apiVersion: `storage.azure.com/${version}`,
    kind: 'StorageAccount',
    spec: { azureName, location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' } },
  };
}

/** The example with a storage account as a custom resource. */
export const withRaw = (version?: string) =>
  withDependencies('legacy', (own) => [
    ...own,
    { name: 'raw', resource: writtenOut('stwidependraw', version) },
  ]);

/** The same with other names of what orders depends on, and something new in one of the services. */
export const renamed = (all: Application[]) =>
  withDependencies('orders', (own) =>
    own.map((dependency) =>
      dependency.name === 'db'
        ? {
            ...{ ...dependency, name: 'data' },
            // Something new in a service whose custom resource has the name of before.
            postgresql: { ...(dependency['postgresql'] as object), allowedIpRanges: ['203.0.113.7'] },
          }
        : { ...dependency, name: 'documents' },
    ),
  )(withRaw()(all));

/** The example with changes of its applications, and with the given charts of the platform. */
export function exampleWith(change: (all: Application[]) => Application[], charts: object): object {
  const applications = change(structuredClone(config['aks-workload-identity:applications']));
  return { config: { ...config, ...charts, 'aks-workload-identity:applications': applications } };
}
