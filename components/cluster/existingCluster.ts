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

/** What of a cluster aad-pod-identity does not work with, as Azure has it. */
export interface NetworkedCluster {
  readonly networkProfile?:
    { readonly networkDataplane?: string; readonly networkPlugin?: string } | undefined;
  readonly podIdentityProfile?: { readonly enabled?: boolean } | undefined;
}

/** The features that workload identity needs and that are off: `the OIDC issuer`, `workload identity`. */
export function whatIsOff({ oidcIssuerProfile, securityProfile }: ExistingCluster): string[] {
  return [
    ...(oidcIssuerProfile?.enabled === true ? [] : ['the OIDC issuer']),
    ...(securityProfile?.workloadIdentity?.enabled === true ? [] : ['workload identity']),
  ];
}

/** The kind of objects by which pods mount secrets. */
export const secretProviderClassKind = {
  apiVersion: 'secrets-store.csi.x-k8s.io/v1',
  kind: 'SecretProviderClass',
};

/** Whether pods can mount secrets by the Secrets Store CSI driver. */
export function hasSecretsStore({ addonProfiles }: ExistingCluster): boolean {
  return addonProfiles?.azureKeyvaultSecretsProvider?.enabled === true;
}

/** Whether the driver of the add-on reads mounted secrets again from time to time. */
export function rotatesSecrets({ addonProfiles }: ExistingCluster): boolean {
  return addonProfiles?.azureKeyvaultSecretsProvider?.config?.['enableSecretRotation'] === 'true';
}

/** Where a managed cluster is. */
export type ClusterAddress = Pick<ResourceId, 'subscriptionId' | 'resourceGroupName' | 'name'>;

/** The command by which an administrator switches on what is off. */
export function enableCommand(cluster: ClusterAddress): string {
  return `az aks update ${target(cluster)} --enable-oidc-issuer --enable-workload-identity`;
}

/** The command by which an administrator installs the Secrets Store CSI driver. */
export function secretsStoreCommand(cluster: ClusterAddress): string {
  return `az aks enable-addons ${target(cluster)} --addons azure-keyvault-secrets-provider --enable-secret-rotation`;
}

/** The command by which an administrator has the driver read mounted secrets again. */
export function rotationCommand(cluster: ClusterAddress): string {
  return `az aks addon update ${target(cluster)} --addon azure-keyvault-secrets-provider --enable-secret-rotation`;
}

/** The command by which an administrator starts a cluster that is stopped. */
export function startCommand(cluster: ClusterAddress): string {
  return `az aks start ${target(cluster)}`;
}

function target({ name, resourceGroupName, subscriptionId }: ClusterAddress): string {
  return `--name ${name} --resource-group ${resourceGroupName} --subscription ${subscriptionId}`;
}

/** Refuses a cluster whose service accounts nothing can trust. */
export function assertEnabled(component: string, cluster: ClusterAddress, found: ExistingCluster): void {
  const off = whatIsOff(found);
  if (off.length === 0) return;
  throw new UserError(
    `${component}: of the cluster ${cluster.name}, ${off.join(' and ')} ${off.length === 1 ? 'is' : 'are'} off, so nothing can trust its service accounts. Switch it on: \`${enableCommand(cluster)}\`, or set \`enable: true\`.`,
  );
}
