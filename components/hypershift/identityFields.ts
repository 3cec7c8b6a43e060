import * as pulumi from '@pulumi/pulumi';
import { parseResourceId } from '../azure/resourceId';
import type { HostedClusterIdentitiesArgs } from './arguments';
import type { DataPlaneComponent, HostedClusterComponent } from './components';

/** How a component of the control plane signs in. */
export interface SignInFields {
  readonly component: HostedClusterComponent;
  readonly clientId: pulumi.Output<string>;
  /** Name of the secret with its credentials, if it signs in by certificate. */
  readonly secretName: string;
}

/** Names of the nodes' identities in the HostedCluster. */
const onNodes: Readonly<Record<DataPlaneComponent, string>> = {
  disk: 'diskMSIClientID',
  file: 'fileMSIClientID',
  imageRegistry: 'imageRegistryMSIClientID',
};

/**
 * The part of a HostedCluster's `spec` that names its identities (openshift/hypershift api/hypershift/v1beta1/azure.go,
 * AzureAuthenticationConfiguration and AzureKMSSpec).
 */
export function identityFields(
  { certificates, key }: Pick<HostedClusterIdentitiesArgs, 'certificates' | 'key'>,
  controlPlane: readonly SignInFields[],
  dataPlaneClientIds: pulumi.Output<Record<string, string>>,
) {
  const fields = ({ clientId, secretName }: SignInFields) =>
    certificates === undefined
      ? { clientID: clientId }
      : {
          clientID: clientId,
          credentialsSecretName: secretName,
          objectEncoding: certificates.encoding ?? 'utf-8',
        };
  const components = Object.fromEntries(
    controlPlane
      .filter(({ component }) => component !== 'kms')
      .map((component) => [component.component, fields(component)]),
  );
  const kms = controlPlane.find(({ component }) => component === 'kms');
  return {
    platform: {
      type: 'Azure',
      azure: {
        azureAuthenticationConfig:
          certificates === undefined
            ? { azureAuthenticationConfigType: 'WorkloadIdentities', workloadIdentities: components }
            : {
                azureAuthenticationConfigType: 'ManagedIdentities',
                managedIdentities: {
                  controlPlane: {
                    managedIdentitiesKeyVault: {
                      name: certificates.vault.name,
                      tenantID: certificates.vault.tenantId,
                    },
                    ...components,
                  },
                  dataPlane: dataPlaneClientIds.apply((ids) =>
                    Object.fromEntries(
                      Object.entries(onNodes).flatMap(([component, field]) => {
                        const id = ids[component];
                        return id === undefined ? [] : [[field, id]];
                      }),
                    ),
                  ),
                },
              },
      },
    },
    ...(kms &&
      key && {
        secretEncryption: {
          type: 'kms',
          kms: {
            provider: 'Azure',
            azure: {
              activeKey: {
                keyVaultName: pulumi.output(key.vaultId).apply((id) => parseResourceId(id).name),
                keyName: key.keyName,
                keyVersion: key.keyVersion,
              },
              ...(certificates === undefined ? { workloadIdentity: fields(kms) } : { kms: fields(kms) }),
            },
          },
        },
      }),
  };
}
