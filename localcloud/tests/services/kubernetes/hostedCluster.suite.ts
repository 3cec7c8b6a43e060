import type { CustomObjectsApi } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import { loadDefinition } from '../../support/kubernetes/customDefinitions';
import type { ManagedCluster } from '../../support/kubernetes/cloud';
import type { HostedClusterBody } from '../../support/kubernetes/hostedCluster';
import {
  certificate,
  withManagedIdentities,
  withWorkloadIdentities,
} from '../../support/kubernetes/hostedCluster';

const config = 'spec.platform.azure.azureAuthenticationConfig';
const controlPlane = `${config}.managedIdentities.controlPlane`;
const kms = 'spec.secretEncryption.kms.azure';

/** The value at a path of members; undefined removes it. */
function at(body: HostedClusterBody, path: string, value: unknown): HostedClusterBody {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let holder: Record<string, unknown> = { ...body };
  const changed = holder;
  for (const name of names) {
    const inner = { ...(holder[name] as Record<string, unknown>) };
    holder[name] = inner;
    holder = inner;
  }
  holder[last] = value;
  return changed as unknown as HostedClusterBody;
}

/** HyperShift's definition of HostedClusters in a real API server: what it accepts of identities and refuses. */
export function hostedClusterSuite(shared: () => { cluster: ManagedCluster }): void {
  let objects: CustomObjectsApi;
  const kind = { group: 'hypershift.openshift.io', version: 'v1beta1', plural: 'hostedclusters' };

  beforeAll(async () => {
    const { client } = shared().cluster;
    await client.core.createNamespace({ body: { metadata: { name: 'clusters' } } });
    await loadDefinition(client, 'hostedclusters-Hypershift-Default');
    await loadDefinition(client, 'nodepools-Default');
    const library = await import('@kubernetes/client-node');
    objects = client.config.makeApiClient(library.CustomObjectsApi);
  });

  /** Has the API server check an object without storing it; members that it does not know are refused. */
  const check = (body: HostedClusterBody) =>
    objects.createNamespacedCustomObject({
      ...{ ...kind, body, namespace: 'clusters' },
      ...{ dryRun: 'All', fieldValidation: 'Strict' },
    });
  const both = { managed: withManagedIdentities(), workload: withWorkloadIdentities() };

  it('accepts a HostedCluster of each mode, and keeps every identity', async () => {
    for (const body of Object.values(both)) {
      const stored = (await objects.createNamespacedCustomObject({
        ...{ ...kind, body, namespace: 'clusters', fieldValidation: 'Strict' },
      })) as HostedClusterBody;
      const { platform, secretEncryption } = stored.spec;
      expect(platform.azure).toMatchObject(body.spec.platform.azure);
      expect(secretEncryption).toEqual(body.spec.secretEncryption);
    }
  });

  it.each([
    ['without the image registry', `${controlPlane}.imageRegistry`, undefined],
    ['without the client id of a component', `${controlPlane}.disk.clientID`, undefined],
    ['without the client id of the KMS', `${kms}.kms.clientID`, undefined],
    ['without KMS', 'spec.secretEncryption', undefined],
    ['with a secret name of 127 characters', `${controlPlane}.disk.credentialsSecretName`, 'a'.repeat(127)],
    ['with one secret name for two components', `${controlPlane}.disk`, certificate('file', 14)],
    ['in hex', `${controlPlane}.disk.objectEncoding`, 'hex'],
  ])('accepts certificates %s', async (_what, path, value) => {
    await expect(check(renamed(at(both.managed, path, value)))).resolves.toBeDefined();
  });

  it.each([
    [
      'both modes',
      at(both.managed, `${config}.workloadIdentities`, {
        ...(both.workload.spec.platform.azure.azureAuthenticationConfig['workloadIdentities'] as object),
      }),
      'workloadIdentities is required when azureAuthenticationConfigType is WorkloadIdentities, and forbidden otherwise',
    ],
    [
      'no mode’s identities',
      at(both.managed, `${config}.managedIdentities`, undefined),
      'managedIdentities is required when azureAuthenticationConfigType is ManagedIdentities, and forbidden otherwise',
    ],
    [
      'a missing component',
      at(both.managed, `${controlPlane}.ingress`, undefined),
      'ingress: Required value',
    ],
    [
      'a missing component of the other mode',
      at(both.workload, `${config}.workloadIdentities.imageRegistry`, undefined),
      'imageRegistry: Required value',
    ],
    [
      'no identity of the data plane',
      at(both.managed, `${config}.managedIdentities.dataPlane`, undefined),
      'dataPlane: Required value',
    ],
    [
      'a component that is unknown',
      at(both.managed, `${controlPlane}.autoscaler`, certificate('autoscaler', 40)),
      'unknown field',
    ],
    [
      'a bad secret name',
      at(both.managed, `${controlPlane}.disk.credentialsSecretName`, 'disk_json'),
      "should match '^[a-zA-Z0-9-]+$'",
    ],
    [
      'a secret name over 127 characters',
      at(both.managed, `${controlPlane}.disk.credentialsSecretName`, 'a'.repeat(128)),
      'may not be more than 127 bytes',
    ],
    [
      'an unknown encoding',
      at(both.managed, `${controlPlane}.disk.objectEncoding`, 'utf8'),
      'supported values: "utf-8", "hex", "base64"',
    ],
    [
      'no encoding',
      at(both.managed, `${controlPlane}.disk.objectEncoding`, undefined),
      'objectEncoding: Required value',
    ],
    [
      'an invalid client id',
      at(both.managed, `${controlPlane}.disk.clientID`, 'disk'),
      'must be a valid UUID',
    ],
    ['KMS without an identity', at(both.managed, `${kms}.kms`, undefined), 'kms: Required value'],
    [
      'a KMS by federation, which later versions have',
      at(both.managed, `${kms}.workloadIdentity`, { clientID: '00000000-0000-4000-8000-000000000019' }),
      'unknown field "spec.secretEncryption.kms.azure.workloadIdentity"',
    ],
    [
      'a kind of key vault, which later versions have',
      at(both.managed, `${kms}.keyVaultType`, 'KeyVault'),
      'unknown field "spec.secretEncryption.kms.azure.keyVaultType"',
    ],
    [
      'a backup key in another vault',
      at(both.managed, `${kms}.backupKey`, { keyVaultName: 'kv-other', keyName: 'a', keyVersion: '1' }),
      'both keys must reside in the same Key Vault',
    ],
    [
      'a private topology without the control plane operator',
      at(
        at(at(both.workload, 'spec.platform.azure.topology', 'Private'), 'spec.platform.azure.private', {
          type: 'PrivateLink',
        }),
        `${config}.workloadIdentities.controlPlaneOperator`,
        undefined,
      ),
      'workloadIdentities.controlPlaneOperator is required when Private Link is configured',
    ],
  ])('refuses %s', async (_what, body, message) => {
    const refused = await check(renamed(body)).then(
      () => 'accepted',
      (error: unknown) => (error as { body?: string }).body ?? String(error),
    );
    expect(refused.replaceAll('\\"', '"')).toContain(message);
  });
}

/** Under a name that the API server does not hold. */
const renamed = (body: HostedClusterBody): HostedClusterBody => at(body, 'metadata.name', 'hc3');
