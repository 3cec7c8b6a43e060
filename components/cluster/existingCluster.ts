import type { ResourceId } from '../azure/resourceId';
import { UserError } from '../resource/errors';

/** The properties of an existing cluster that are checked. */
export interface ExistingCluster {
  readonly oidcIssuerProfile?: { readonly enabled?: boolean } | undefined;
  readonly securityProfile?: { readonly workloadIdentity?: { readonly enabled?: boolean } } | undefined;
  readonly addonProfiles?:
    | Readonly<
        Record<string, { readonly enabled: boolean; readonly config?: Readonly<Record<string, string>> }>
      >
    | undefined;
}

/** Returns the features that workload identity needs and that are off: `the OIDC issuer`, `workload identity`. */
export function whatIsOff({ oidcIssuerProfile, securityProfile }: ExistingCluster): string[] {
  return [
    ...(oidcIssuerProfile?.enabled === true ? [] : ['the OIDC issuer']),
    ...(securityProfile?.workloadIdentity?.enabled === true ? [] : ['workload identity']),
  ];
}

/** The kind of objects with which pods mount secrets. */
export const secretProviderClassKind = {
  apiVersion: 'secrets-store.csi.x-k8s.io/v1',
  kind: 'SecretProviderClass',
};

/** Whether the add-on with the Secrets Store CSI driver is enabled, with which pods mount secrets. */
export function hasSecretsStore({ addonProfiles }: ExistingCluster): boolean {
  return addonProfiles?.azureKeyvaultSecretsProvider?.enabled === true;
}

/** Whether the add-on's driver regularly reads mounted secrets again. */
export function rotatesSecrets({ addonProfiles }: ExistingCluster): boolean {
  return addonProfiles?.azureKeyvaultSecretsProvider?.config?.['enableSecretRotation'] === 'true';
}

/** Where a managed cluster is. */
export type ClusterAddress = Pick<ResourceId, 'subscriptionId' | 'resourceGroupName' | 'name'>;

/** Returns the command with which an administrator enables what is off. */
export function enableCommand(cluster: ClusterAddress): string {
  return `az aks update ${target(cluster)} --enable-oidc-issuer --enable-workload-identity`;
}

/** Returns the command with which an administrator installs the Secrets Store CSI driver. */
export function secretsStoreCommand(cluster: ClusterAddress): string {
  return `az aks enable-addons ${target(cluster)} --addons azure-keyvault-secrets-provider --enable-secret-rotation`;
}

/** Returns the command with which an administrator makes the driver read mounted secrets again. */
export function rotationCommand(cluster: ClusterAddress): string {
  return `az aks addon update ${target(cluster)} --addon azure-keyvault-secrets-provider --enable-secret-rotation`;
}

/** Returns the command with which an administrator starts a stopped cluster. */
export function startCommand(cluster: ClusterAddress): string {
  return `az aks start ${target(cluster)}`;
}

function target({ name, resourceGroupName, subscriptionId }: ClusterAddress): string {
  return `--name ${name} --resource-group ${resourceGroupName} --subscription ${subscriptionId}`;
}

/** Refuses a cluster whose service accounts no identity can trust. */
export function assertEnabled(component: string, cluster: ClusterAddress, found: ExistingCluster): void {
  const off = whatIsOff(found);
  if (off.length === 0) return;
  throw new UserError(
    `${component}: the cluster ${cluster.name} has ${off.join(' and ')} disabled, so no identity can trust its service accounts. Run \`${enableCommand(cluster)}\`, or set \`enable: true\`.`,
  );
}
