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

/** Returns the disabled features that workload identity needs: `the OIDC issuer`, `workload identity`. */
export function disabledFeatures({ oidcIssuerProfile, securityProfile }: ExistingCluster): string[] {
  return [
    ...(oidcIssuerProfile?.enabled === true ? [] : ['the OIDC issuer']),
    ...(securityProfile?.workloadIdentity?.enabled === true ? [] : ['workload identity']),
  ];
}

/** The kind of objects that pods mount secrets with. */
export const secretProviderClassKind = {
  apiVersion: 'secrets-store.csi.x-k8s.io/v1',
  kind: 'SecretProviderClass',
};

/** Tells whether the add-on with the Secrets Store CSI driver is enabled. Pods mount secrets with it. */
export function hasSecretsStore({ addonProfiles }: ExistingCluster): boolean {
  return addonProfiles?.azureKeyvaultSecretsProvider?.enabled === true;
}

/** Tells whether the add-on's driver regularly reads mounted secrets again. */
export function rotatesSecrets({ addonProfiles }: ExistingCluster): boolean {
  return addonProfiles?.azureKeyvaultSecretsProvider?.config?.['enableSecretRotation'] === 'true';
}

/** Name and place of a managed cluster in Azure. */
export type ClusterAddress = Pick<ResourceId, 'subscriptionId' | 'resourceGroupName' | 'name'>;

/** Returns an administrator's command that enables disabled features. */
export function enableCommand(cluster: ClusterAddress): string {
  return `az aks update ${target(cluster)} --enable-oidc-issuer --enable-workload-identity`;
}

/** Returns an administrator's command that installs the Secrets Store CSI driver. */
export function secretsStoreCommand(cluster: ClusterAddress): string {
  return `az aks enable-addons ${target(cluster)} --addons azure-keyvault-secrets-provider --enable-secret-rotation`;
}

/** Returns an administrator's command that makes the driver read mounted secrets again. */
export function rotationCommand(cluster: ClusterAddress): string {
  return `az aks addon update ${target(cluster)} --addon azure-keyvault-secrets-provider --enable-secret-rotation`;
}

/** Returns an administrator's command that starts a stopped cluster. */
export function startCommand(cluster: ClusterAddress): string {
  return `az aks start ${target(cluster)}`;
}

function target({ name, resourceGroupName, subscriptionId }: ClusterAddress): string {
  return `--name ${name} --resource-group ${resourceGroupName} --subscription ${subscriptionId}`;
}

/** Refuses a cluster if no identity can trust its service accounts. */
export function assertEnabled(component: string, cluster: ClusterAddress, found: ExistingCluster): void {
  const off = disabledFeatures(found);
  if (off.length === 0) return;
  throw new UserError(
    `${component}: the cluster ${cluster.name} has ${off.join(' and ')} disabled, so no identity can trust its service accounts. Run \`${enableCommand(cluster)}\`, or set \`enable: true\`.`,
  );
}
