import { group, guidOf, ids } from './azure';
import { operatorDeployment } from './hyperShiftManifests';

const idOf = (type: string, name: string) => `${group}/providers/${type}/${name}`;
const issuer = 'https://issuer.example/';
const subnet = idOf('Microsoft.Network/virtualNetworks', 'vnet/subnets/apps');

const definition = (name: string) => ({
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name } },
});

/** Arguments of the components for hosted clusters, with as many of the optional ones as can be set together. */
export const hostedClusterArguments: Record<string, Record<string, unknown>> = {
  CertificateIdentity: {
    ...{ displayName: 'hc1-disk', certificates: [{ name: '2026-11-01', validityHours: 2160 }], tags: ['a'] },
    retainOnDelete: false,
  },
  HostedClusterIdentities: {
    ...{
      hostedCluster: 'hc1',
      identityPrefix: 'id-hc1',
      issuer,
      resourceGroupName: 'rg',
      location: 'westeurope',
    },
    components: [{ component: 'kms', role: guidOf('role'), secretName: 'kms-json' }],
    certificates: {
      certificates: [{ name: '2026-11-01', validityHours: 2160 }],
      ...{ renewAfter: '2027-01-01T00:00:00Z', encoding: 'hex' },
      ...{ authority: 'https://login.example/', vault: { name: 'kv-x', tenantId: ids.tenant } },
    },
    scopes: {
      ...{ resourceGroupId: group, subnet },
      networkSecurityGroupId: idOf('Microsoft.Network/networkSecurityGroups', 'nsg'),
      dnsZoneId: idOf('Microsoft.Network/dnsZones', 'example.com'),
    },
    key: { vaultId: idOf('Microsoft.KeyVault/vaults', 'kv-y'), keyName: 'etcd', keyVersion: '1' },
    importedAssignments: { a: guidOf('assignment') },
    importedNames: { a: 'credential' },
    ...{ tags: { a: 'b' }, entraTags: ['a'], retainOnDelete: false },
  },
  HyperShiftOperator: {
    objects: [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'hypershift', creationTimestamp: null } },
      { ...definition('hostedclusters.hypershift.openshift.io') },
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'operator', namespace: 'hypershift' } },
      operatorDeployment({ sidecar: true }),
    ].map((object) => JSON.stringify(object)),
    readerClientId: guidOf('reader'),
  },
  HostedCluster: {
    ...{ hostedCluster: 'hc1', namespace: 'clusters', spec: {}, retainOnDelete: false },
    mounts: {
      ...{ namespace: 'clusters-hc1', readerClientId: guidOf('reader'), encoding: 'utf-8' },
      vault: { name: 'kv-x', tenantId: ids.tenant },
      components: [{ component: 'disk', secretName: 'disk-json' }],
    },
  },
};
