import type { V1Volume } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import type { Client } from './client';

/** Creates a SecretProviderClass as HyperShift's operators do (support/secretproviderclass/secretproviderclass.go). */
export async function createClass(
  client: Pick<Client, 'config'>,
  options: {
    name: string;
    namespace: string;
    vault: string;
    tenantId: string;
    secret: string;
    encoding: string;
    /** Client id of an identity on the nodes. */
    identity: string;
  },
): Promise<void> {
  const { name, namespace, vault, tenantId, secret, encoding, identity } = options;
  const library = await import('@kubernetes/client-node');
  const body = {
    apiVersion: 'secrets-store.csi.x-k8s.io/v1',
    kind: 'SecretProviderClass',
    metadata: { name, namespace },
    spec: {
      provider: 'azure',
      parameters: {
        usePodIdentity: 'false',
        useVMManagedIdentity: 'true',
        userAssignedIdentityID: identity,
        keyvaultName: vault,
        tenantId,
        objects: `\narray:\n  - |\n    objectName: ${secret}\n    objectEncoding: ${encoding}\n    objectType: secret\n`,
      },
    },
  };
  await library.KubernetesObjectApi.makeApiClient(client.config).create(body);
}

/** The volume `cert` with the secrets of a class. */
export const certificateVolume = (secretProviderClass: string): V1Volume => ({
  name: 'cert',
  csi: { driver: 'secrets-store.csi.k8s.io', readOnly: true, volumeAttributes: { secretProviderClass } },
});
