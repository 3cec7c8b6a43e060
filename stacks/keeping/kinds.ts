import {
  clusterType,
  identityType,
  tryParseResourceId,
  vaultType,
  workspaceType,
} from '../../components/azure/resourceId';
import { WorkloadIdentityCluster } from '../../components/cluster/workloadIdentityCluster';
import { ManagedIdentity } from '../../components/identity/managedIdentity';
import { LogWorkspace } from '../../components/logs/logWorkspace';
import { KeyVault } from '../../components/vault/keyVault';
import type { StackSettings } from '../configuration/schema';
import type { EnvironmentPlan } from '../plan';
import { everyIdentity } from '../plan';

/** The kinds of things that are not deleted because the configuration no longer names them. */
export type KeptKind = 'group' | 'workspace' | 'identity' | 'vault' | 'secret' | 'cluster';

interface KindTraits {
  /** Type token of the resource. */
  readonly token: string;
  /** Type token of the component that it is in; none: it is in no component. */
  readonly component?: string;
  /** For people. */
  readonly label: string;
  /** Type in Azure. */
  readonly type: string;
}

/** Only groups are in no component. */
type Kinds = Record<'group', KindTraits> &
  Record<Exclude<KeptKind, 'group'>, KindTraits & { readonly component: string }>;

/** In the order in which they are registered: what another is in comes first. */
export const keptKinds: Readonly<Kinds> = {
  group: {
    token: 'azure-native:resources:ResourceGroup',
    label: 'resource group',
    type: 'Microsoft.Resources/resourceGroups',
  },
  workspace: {
    token: 'azure-native:operationalinsights:Workspace',
    component: LogWorkspace.token,
    label: 'log workspace',
    type: workspaceType,
  },
  cluster: {
    token: 'azure-native:containerservice:ManagedCluster',
    component: WorkloadIdentityCluster.token,
    label: 'cluster',
    type: clusterType,
  },
  identity: {
    token: 'azure-native:managedidentity:UserAssignedIdentity',
    component: ManagedIdentity.token,
    label: 'identity',
    type: identityType,
  },
  vault: {
    token: 'azure-native:keyvault:Vault',
    component: KeyVault.token,
    label: 'vault',
    type: vaultType,
  },
  secret: {
    token: 'azure-native:keyvault:Secret',
    component: KeyVault.token,
    label: 'secret',
    type: `${vaultType}/secrets`,
  },
};

/** Type token of the composition that clusters and identities are in. */
export const clusterToken = 'aks-workload-identity:stacks:Cluster';

export const kindNames = Object.keys(keptKinds) as readonly KeptKind[];

/** The kind and the name in the stack: what a thing is known by. */
export function keyOf(kind: KeptKind, name: string): string {
  return `${kind}/${name}`;
}

/** What the configuration makes, and so is registered anyway. */
export function plannedKeys(settings: StackSettings, plan: EnvironmentPlan): ReadonlySet<string> {
  const { resourceGroup, logs, secretValues } = settings;
  return new Set([
    ...(typeof resourceGroup === 'string' ? [keyOf('group', resourceGroup)] : []),
    ...(logs?.workspace.name !== undefined ? [keyOf('workspace', logs.workspace.name)] : []),
    ...plan.servicesGroups.flatMap(({ name, adopt }) => (adopt === undefined ? [keyOf('group', name)] : [])),
    ...plan.vaults.flatMap(({ name, adopt, secrets, brought = [] }) => [
      ...(adopt === undefined ? [keyOf('vault', name)] : []),
      ...secrets
        .filter((secret) => secret in secretValues || brought.includes(secret))
        .map((secret) => keyOf('secret', `${name}/${secret}`)),
    ]),
    ...plan.clusters.flatMap((cluster) => [
      ...(cluster.settings.mode === 'create' ? [keyOf('cluster', cluster.settings.name)] : []),
      ...everyIdentity(cluster).flatMap(({ key, adopt }) =>
        adopt === undefined ? [keyOf('identity', key)] : [],
      ),
    ]),
  ]);
}

/** Type token and name of each component that the configuration makes, of those that such things are in. */
export function plannedComponents(settings: StackSettings, plan: EnvironmentPlan): ReadonlySet<string> {
  const { name, adopt } = settings.logs?.workspace ?? {};
  const workspace = name ?? (adopt === undefined ? undefined : tryParseResourceId(adopt)?.name);
  return new Set([
    ...(workspace === undefined ? [] : [`${LogWorkspace.token}::${workspace}`]),
    ...plan.vaults.map((vault) => `${KeyVault.token}::${vault.name}`),
    ...plan.clusters.flatMap((cluster) => [
      `${clusterToken}::${cluster.settings.name}`,
      `${WorkloadIdentityCluster.token}::${cluster.settings.name}`,
      ...everyIdentity(cluster).map(({ key }) => `${ManagedIdentity.token}::${key}`),
    ]),
  ]);
}
