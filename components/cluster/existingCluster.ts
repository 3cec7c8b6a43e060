import type { ResourceId } from '../azure/resourceId';
import { VisibleError } from '../resource/errors';

/** What is asked of a cluster that is there already. */
export interface ExistingCluster {
  readonly oidcIssuerProfile?: { readonly enabled?: boolean } | undefined;
  readonly securityProfile?: { readonly workloadIdentity?: { readonly enabled?: boolean } } | undefined;
  readonly addonProfiles?: Readonly<Record<string, { readonly enabled: boolean }>> | undefined;
}

/** What of workload identity is off: `the OIDC issuer`, `workload identity`. */
export function whatIsOff({ oidcIssuerProfile, securityProfile }: ExistingCluster): string[] {
  return [
    ...(oidcIssuerProfile?.enabled === true ? [] : ['the OIDC issuer']),
    ...(securityProfile?.workloadIdentity?.enabled === true ? [] : ['workload identity']),
  ];
}

/** Whether pods can mount secrets by the Secrets Store CSI driver. */
export function hasSecretsStore({ addonProfiles }: ExistingCluster): boolean {
  return addonProfiles?.azureKeyvaultSecretsProvider?.enabled === true;
}

/** A cluster for a command; without a subscription, it is in the one that `az` has selected. */
type CommandTarget = Pick<ResourceId, 'name' | 'resourceGroupName'> & {
  readonly subscriptionId: string | undefined;
};

/** How an administrator switches on what is off. */
export function enableCommand(cluster: CommandTarget): string {
  return `az aks update ${target(cluster)} --enable-oidc-issuer --enable-workload-identity`;
}

/** How an administrator installs the Secrets Store CSI driver. */
export function secretsStoreCommand(cluster: CommandTarget): string {
  return `az aks enable-addons ${target(cluster)} --addons azure-keyvault-secrets-provider --enable-secret-rotation`;
}

function target({ name, resourceGroupName, subscriptionId }: CommandTarget): string {
  const subscription = subscriptionId === undefined ? '' : ` --subscription ${subscriptionId}`;
  return `--name ${name} --resource-group ${resourceGroupName}${subscription}`;
}

/** Refuses a cluster whose service accounts nothing can trust. */
export function assertEnabled(component: string, cluster: ResourceId, found: ExistingCluster): void {
  const off = whatIsOff(found);
  if (off.length === 0) return;
  throw new VisibleError(
    `${component}: of the cluster ${cluster.name}, ${off.join(' and ')} ${off.length === 1 ? 'is' : 'are'} off, so nothing can trust its service accounts. Switch it on: \`${enableCommand(cluster)}\`, or set \`enable: true\`.`,
  );
}
