import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../support/command';

// Stacks that share a local cloud and one cluster.

const file = path.join(projectRoot, 'examples/configurations/vaults/Pulumi.vaults.yaml');

/** The stack that makes the cluster: the example of docs/vaults.md. */
export const vaultsExample = {
  stack: 'vaults',
  group: 'rg-workload-identity-vaults',
  yaml: readFileSync(file, 'utf8'),
};

/** The shared cluster in the configuration of another stack. `name` is that stack's name for it. */
export function theirCluster(subscriptionId: string, name: string): object {
  const id = `/subscriptions/${subscriptionId}/resourceGroups/${vaultsExample.group}/providers/Microsoft.ContainerService/managedClusters/aks-vaults`;
  return { name, mode: 'existing', id };
}

/** Settings that make charts unnecessary. */
export function withoutCharts(): Record<string, unknown> {
  const { config } = parse(vaultsExample.yaml) as { config: Record<string, unknown> };
  const names = ['certManager', 'serviceOperator'].map((name) => `aks-workload-identity:${name}`);
  return Object.fromEntries(names.map((name) => [name, config[name]]));
}
