import * as pulumi from '@pulumi/pulumi';
import { parseResourceId } from '../azure/resourceId';
import type { HostedClusterIdentitiesArgs } from './arguments';
import type { DataPlaneComponent } from './components';
import type { ComponentIdentity, NodeIdentity } from './identity';

/** Names of the nodes' identities in the HostedCluster. */
const onNodes: Readonly<Record<DataPlaneComponent, string>> = {
  disk: 'diskMSIClientID',
  file: 'fileMSIClientID',
  imageRegistry: 'imageRegistryMSIClientID',
};

/**
 * Returns the part of a HostedCluster's `spec` that names its identities (openshift/hypershift api/hypershift/v1beta1/azure.go,
 * AzureAuthenticationConfiguration and AzureKMSSpec).
 */
export function identityFields(
  { certificates, key }: Pick<HostedClusterIdentitiesArgs, 'certificates' | 'key'>,
  controlPlane: readonly ComponentIdentity[],
  nodes: readonly NodeIdentity[],
) {
  const fields = ({ identity: { clientId }, secretName }: ComponentIdentity) =>
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
                  dataPlane: Object.fromEntries(
                    nodes.map(({ component, identity }) => [onNodes[component], identity.clientId]),
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
