import { builtInRoles } from '../../../components/azure/roles';
import { hostedClusterComponents } from '../../../components/hypershift/components';
import { BUILT_IN_ROLES } from '../../../localcloud/azure/identity/roles';
import { OPENSHIFT_ROLES } from '../../../localcloud/azure/identity/openShiftRoles';
import { HostedClusterIdentities } from '../../../components/hypershift/hostedClusterIdentities';
import type { HostedClusterIdentitiesArgs } from '../../../components/hypershift/arguments';
import { group, guidOf, ids } from './support/azure';
import { record } from './support/recorder';

// What mocks do not prove: that Entra accepts the certificates, that the roles suffice, and that HyperShift reads the
// credentials.

const network = `${group}/providers/Microsoft.Network`;
const args = {
  hostedCluster: 'hc1',
  identityPrefix: 'id-dev-hc1',
  issuer: 'https://issuer.example/hc1',
  components: [{ component: 'disk' }, { component: 'network' }],
  scopes: {
    resourceGroupId: group,
    subnet: `${network}/virtualNetworks/vnet/subnets/nodes`,
    networkSecurityGroupId: `${network}/networkSecurityGroups/nsg`,
  },
  resourceGroupName: 'rg',
} satisfies HostedClusterIdentitiesArgs;
const certificates = {
  certificates: [
    { name: '2026-08-01', validityHours: 720 },
    { name: '2026-11-01', validityHours: 2160 },
  ],
  renewAfter: '2027-01-01T00:00:00.000Z',
  vault: { name: 'kv-dev', tenantId: ids.tenant },
};

const application = 'azuread:index/application:Application';
const registered = 'azuread:index/applicationCertificate:ApplicationCertificate';
const credential = 'azure-native:managedidentity:FederatedIdentityCredential';
const assignment = 'azure-native:authorization:RoleAssignment';

const make = (more: Partial<HostedClusterIdentitiesArgs> = {}) =>
  record(() => new HostedClusterIdentities('hc1', { ...args, ...more }));

/** The value of an output, which the mocks know at once. */
function valueOf<T>(output: { apply(run: (value: T) => void): unknown }): Promise<T> {
  return new Promise((resolve) => output.apply(resolve));
}

describe('identities that sign in by certificate', () => {
  it('are Entra applications that accept every certificate that is named', async () => {
    const { find, names } = await make({ certificates, entraTags: ['aks-workload-identity/dev'] });

    expect(find(application, 'hc1/disk')).toMatchObject({
      inputs: {
        displayName: 'id-dev-hc1-azure-disk',
        preventDuplicateNames: true,
        tags: ['aks-workload-identity/dev'],
      },
      retainOnDelete: true,
    });
    expect(names(registered).sort()).toEqual([
      'hc1/disk/2026-08-01',
      'hc1/disk/2026-11-01',
      'hc1/network/2026-08-01',
      'hc1/network/2026-11-01',
    ]);
    expect(find(registered, 'hc1/disk/2026-08-01').retainOnDelete).toBe(false);
  });

  it('have the newest certificate in their credentials, as msi-dataplane reads them', async () => {
    const { result } = await make({ certificates });
    const credentials = await valueOf(result.credentials);

    expect(Object.keys(credentials)).toEqual(['azure-disk-hc1-json', 'cncc-hc1-json']);
    const parsed = JSON.parse(credentials['azure-disk-hc1-json'] ?? '') as Record<string, string>;
    expect(parsed).toEqual({
      authentication_endpoint: 'https://login.microsoftonline.com/',
      client_id: guidOf('client-id-dev-hc1-azure-disk'),
      client_secret: Buffer.from('certificate hc1/disk/2026-11-01\nkey of hc1/disk/2026-11-01\n').toString(
        'base64',
      ),
      tenant_id: ids.tenant,
      not_before: '2026-11-01T08:00:00Z',
      not_after: '2027-01-30T08:00:00Z',
      renew_after: '2027-01-01T00:00:00.000Z',
      cannot_renew_after: '2027-01-30T08:00:00Z',
    });
  });

  it.each(['hex', 'base64'] as const)('have their credentials in %s', async (encoding) => {
    const plain = await make({ certificates });
    const encoded = await make({ certificates: { ...certificates, encoding } });
    const [text, other] = await Promise.all(
      [plain, encoded].map(async ({ result }) => (await valueOf(result.credentials))['cncc-hc1-json'] ?? ''),
    );
    expect(Buffer.from(other ?? '', encoding).toString()).toBe(text);
  });

  it('are trusted on the nodes by federation, as the service account of the driver or the registry alone', async () => {
    const { find, names } = await make({ certificates });
    expect(names(credential).sort()).toEqual([
      'hc1/azure-disk-node/openshift-cluster-csi-drivers_azure-disk-csi-driver-node-sa',
      'hc1/azure-file-node/openshift-cluster-csi-drivers_azure-file-csi-driver-node-sa',
      'hc1/ciro-node/openshift-image-registry_registry',
    ]);
    expect(find(credential, names(credential)[0] ?? '').inputs).toMatchObject({
      issuer: args.issuer,
      audiences: ['openshift'],
    });
  });

  it('are what the HostedCluster says', async () => {
    const { result } = await make({
      certificates: { ...certificates, encoding: 'hex' },
      components: [{ component: 'disk', secretName: 'disk-secret' }, { component: 'kms' }],
      key: {
        vaultId: `${group}/providers/Microsoft.KeyVault/vaults/kv-etcd`,
        keyName: 'etcd',
        keyVersion: '0123456789abcdef0123456789abcdef',
      },
    });
    expect(await valueOf(result.spec)).toEqual({
      platform: {
        type: 'Azure',
        azure: {
          azureAuthenticationConfig: {
            azureAuthenticationConfigType: 'ManagedIdentities',
            managedIdentities: {
              controlPlane: {
                managedIdentitiesKeyVault: { name: 'kv-dev', tenantID: ids.tenant },
                disk: {
                  clientID: guidOf('client-id-dev-hc1-azure-disk'),
                  credentialsSecretName: 'disk-secret',
                  objectEncoding: 'hex',
                },
              },
              dataPlane: {
                diskMSIClientID: guidOf('client-id-dev-hc1-azure-disk-node'),
                fileMSIClientID: guidOf('client-id-dev-hc1-azure-file-node'),
                imageRegistryMSIClientID: guidOf('client-id-dev-hc1-ciro-node'),
              },
            },
          },
        },
      },
      secretEncryption: {
        type: 'kms',
        kms: {
          provider: 'Azure',
          azure: {
            activeKey: {
              keyVaultName: 'kv-etcd',
              keyName: 'etcd',
              keyVersion: '0123456789abcdef0123456789abcdef',
            },
            kms: {
              clientID: guidOf('client-id-dev-hc1-kms'),
              credentialsSecretName: 'kms-hc1-json',
              objectEncoding: 'hex',
            },
          },
        },
      },
    });
  });
});

describe('identities that sign in by federation', () => {
  it('trust all service accounts of their component, and have no certificate', async () => {
    const { result, names } = await make();
    expect(names(application)).toEqual([]);
    expect(names(credential).sort()).toEqual([
      'hc1/azure-disk/openshift-cluster-csi-drivers_azure-disk-csi-driver-controller-sa',
      'hc1/azure-disk/openshift-cluster-csi-drivers_azure-disk-csi-driver-node-sa',
      'hc1/azure-disk/openshift-cluster-csi-drivers_azure-disk-csi-driver-operator',
      'hc1/cncc/openshift-cloud-network-config-controller_cloud-network-config-controller',
    ]);
    expect(await valueOf(result.credentials)).toEqual({});
    expect(await valueOf(result.spec)).toEqual({
      platform: {
        type: 'Azure',
        azure: {
          azureAuthenticationConfig: {
            azureAuthenticationConfigType: 'WorkloadIdentities',
            workloadIdentities: {
              disk: { clientID: guidOf('client-id-dev-hc1-azure-disk') },
              network: { clientID: guidOf('client-id-dev-hc1-cncc') },
            },
          },
        },
      },
    });
  });
});

describe('roles', () => {
  it('are assigned on what the component needs, and on no more', async () => {
    const { registrations } = await make();
    expect(
      registrations
        .filter(({ type }) => type === assignment)
        .map(({ name, inputs }) => [name, inputs.scope, String(inputs.roleDefinitionId).split('/').at(-1)])
        .sort(),
    ).toEqual([
      ['hc1/disk/resourceGroup', group, '5b7237c5-45e1-49d6-bc18-a1f62f400748'],
      ['hc1/network/resourceGroup', group, 'be7a6435-15ae-4171-8f30-4a343eff9e8f'],
      ['hc1/network/subnet', args.scopes.subnet, 'be7a6435-15ae-4171-8f30-4a343eff9e8f'],
      [
        'hc1/network/virtualNetwork',
        `${network}/virtualNetworks/vnet`,
        'be7a6435-15ae-4171-8f30-4a343eff9e8f',
      ],
    ]);
  });

  it('are told with the names that they have in Azure', async () => {
    const azure = new Map(
      [...BUILT_IN_ROLES, ...OPENSHIFT_ROLES].map(({ name, roleName }) => [name, roleName]),
    );
    for (const { role, roleName } of Object.values(hostedClusterComponents))
      expect([role, roleName]).toEqual([role, azure.get(builtInRoles[role])]);
    const { result } = await make();
    expect((await valueOf(result.controlPlane))[0]).toMatchObject({
      component: 'disk',
      subjects: expect.arrayContaining([
        'system:serviceaccount:openshift-cluster-csi-drivers:azure-disk-csi-driver-node-sa',
      ]) as unknown,
      roles: [
        {
          ...{ role: '5b7237c5-45e1-49d6-bc18-a1f62f400748', scope: group },
          name: 'Azure Red Hat OpenShift Disk Storage Operator',
        },
      ],
    });
  });

  it('may be custom ones', async () => {
    const role = '0a6c2b4e-8f1d-4c3a-9b7e-2d5f6a8c1e3b';
    const { find } = await make({ components: [{ component: 'disk', role }] });
    expect(find(assignment, 'hc1/disk/resourceGroup').inputs.roleDefinitionId).toBe(
      `/subscriptions/${ids.subscription}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
    );
  });
});

describe('wrong arguments', () => {
  it.each<[string, Partial<HostedClusterIdentitiesArgs>, RegExp]>([
    ['kms without a key', { components: [{ component: 'kms' }] }, /key is missing for the component kms/],
    [
      'a component twice',
      { components: [{ component: 'disk' }, { component: 'disk' }] },
      /components\[1\]\.component "disk" is that of components\[0\] already/,
    ],
    [
      'two components with one secret',
      {
        certificates,
        components: [
          { component: 'disk', secretName: 'one' },
          { component: 'file', secretName: 'One' },
        ],
      },
      /components\[1\]\.secretName "one" is that of components\[0\] already/,
    ],
    [
      'an unknown component',
      { components: [{ component: 'dns' as 'disk' }] },
      /components\[0\]\.component "dns" is not possible.*Allowed: cloudProvider, controlPlaneOperator/,
    ],
    [
      'a role that is no GUID',
      { components: [{ component: 'disk', role: 'Contributor' }] },
      /components\[0\]\.role "Contributor" is not a GUID/,
    ],
  ])('are refused: %s', async (_, more, message) => {
    await expect(make(more)).rejects.toThrow(message);
  });
});
