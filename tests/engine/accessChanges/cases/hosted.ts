import { hosted, identityId, idOf, vaultId } from '../bases';
import type { Change } from '../change';
import { from } from '../change';
import { add, all, remove, set } from '../edit';
import { less, loud, loudly, perhaps } from '../expected';
import { sources } from '../sources';

const identities = from(hosted, sources.hostedIdentities);
const reader = from(hosted, sources.hostedReader);
const tokens = from(hosted, sources.hostedTokens);
const spec = from(hosted, sources.hostedSpec);
const hc1 = 'hostedClusters.hc1';
const hc2 = 'hostedClusters.hc2';
const of1 = perhaps(/hc1/);
const of2 = perhaps(/hc2/);
const subscription = '/subscriptions/22222222-2222-4222-8222-222222222222';
const custom = '99999999-9999-4999-8999-999999999999';

/** Hosted clusters of HyperShift: identities of components, who reads their credentials, and who issues tokens. */
export const hostedChanges: readonly Change[] = [
  identities(
    'a new hosted cluster',
    (settings) => {
      const [, second] = settings['hostedClusters'] as object[];
      return add('hostedClusters', { ...second, name: 'hc3', issuer: 'https://issuer.example.com/hc3' })(
        settings,
      );
    },
    loud(/hc3/),
    perhaps(/hc3/),
  ),
  identities('a hosted cluster less', remove(hc1), less(/./, /./), perhaps(/hypershift/, 'not judged')),
  tokens(
    'another issuer of a hosted cluster with certificates',
    set(`${hc1}.issuer`, 'https://issuer.example.com/other'),
    loudly(/hc1/, 'https://issuer.example.com/hc1', 'https://issuer.example.com/other'),
    of1,
  ),
  tokens(
    'another issuer of a hosted cluster with federation',
    set(`${hc2}.issuer`, 'https://issuer.example.com/other'),
    loudly(/hc2/, 'https://issuer.example.com/hc2', 'https://issuer.example.com/other'),
    of2,
  ),
  identities(
    'federation in place of certificates',
    all(
      set(`${hc1}.authentication`, 'WorkloadIdentities'),
      set(`${hc1}.managementCluster`, 'self-managed'),
      remove(`${hc1}.certificates`),
      remove(`${hc1}.spec`),
      set(`${hc1}.namespace`, { name: 'others' }),
    ),
    loud(/hc1/),
    of1,
  ),
  identities(
    'certificates in place of federation',
    all(set(`${hc2}.authentication`, 'ManagedIdentities'), set(`${hc2}.managementCluster`, 'management')),
    loud(/hc2/),
    of2,
  ),
  reader(
    'an existing identity that reads the credentials of all components',
    set(`${hc1}.reader`, { existing: identityId('id-reader') }),
    loud(/id-reader/),
    perhaps(/hc1|id-reader/),
  ),
  from(set(`${hc1}.reader`, { existing: identityId('id-reader') })(hosted), sources.hostedReader)(
    'another existing identity that reads the credentials of all components',
    set(`${hc1}.reader.existing`, identityId('id-other')),
    loud(/id-other/),
    perhaps(/hc1|id-other/),
  ),
  from(set(`${hc1}.reader`, { existing: identityId('id-reader') })(hosted), sources.hostedReader)(
    'the identity of the add-on reads the credentials in place of an existing one',
    remove(`${hc1}.reader`),
    loud(/management|hc1/),
    perhaps(/management|hc1/),
  ),
  reader(
    'another management cluster, whose nodes read the credentials',
    all(add('clusters', { name: 'third' }), set(`${hc1}.managementCluster`, 'third')),
    loud(/third/),
    perhaps(/third|hc1/),
  ),
  identities(
    'another role of a component, which nobody knows',
    set(`${hc1}.components`, { ingress: { role: custom } }),
    loud(/99999999/),
    of1,
  ),
  identities(
    'Contributor for a component',
    set(`${hc1}.components`, { nodePoolManagement: { role: 'b24988ac-6180-42a0-ab88-20f7382dd24c' } }),
    loud(/Contributor|b24988ac/),
    of1,
  ),
  identities(
    'another resource group of a hosted cluster',
    set(`${hc1}.resourceGroup`, `${subscription}/resourceGroups/rg-others`),
    loud(/rg-others/),
    perhaps(/rg-others/),
  ),
  identities(
    'another subnet of a hosted cluster',
    set(`${hc2}.subnet`, idOf('rg-others', 'Microsoft.Network/virtualNetworks/vnet/subnets/all')),
    loud(/rg-others/),
    perhaps(/rg-others/),
  ),
  identities(
    'another security group of a hosted cluster',
    set(`${hc2}.securityGroup`, idOf('rg-others', 'Microsoft.Network/networkSecurityGroups/nsg')),
    loud(/rg-others/),
    perhaps(/rg-others/),
  ),
  identities(
    'a zone in which the ingress operator writes',
    set(`${hc2}.dnsZone`, idOf('rg-dns', 'Microsoft.Network/dnsZones/example.com')),
    loud(/example\.com/),
  ),
  identities(
    'another zone in which the ingress operator writes',
    set(`${hc1}.dnsZone`, idOf('rg-dns', 'Microsoft.Network/dnsZones/example.com')),
    loud(/dnsZones\/example\.com/),
  ),
  from(hosted, sources.encryption)(
    'a key by which a hosted cluster encrypts',
    set(`${hc2}.kms`, {
      vault: vaultId('kv-etcd'),
      key: 'etcd',
      version: '0123456789abcdef0123456789abcdef',
    }),
    loud(/kv-etcd|kms/),
    of2,
  ),
  from(hosted, sources.encryption)(
    'another key by which a hosted cluster encrypts',
    set(`${hc1}.kms.key`, 'backups'),
    loud(/backups/),
  ),
  from(set(`${hc1}.imageRegistry`, false)(hosted), sources.hostedIdentities)(
    'an identity of the image registry',
    remove(`${hc1}.imageRegistry`),
    loud(/image-?registry/i),
    of1,
  ),
  identities(
    'an identity of the control plane operator',
    set(`${hc2}.controlPlaneOperator`, true),
    loud(/control-?plane-?operator/i),
    of2,
  ),
  from(hosted, sources.namespaces)(
    'another namespace of a hosted cluster with federation, whose pods are trusted',
    set(`${hc2}.namespace`, { name: 'others' }),
    perhaps(/hc2|others/),
  ),
  spec(
    'the key that signs the tokens of a hosted cluster',
    set(`${hc1}.spec.serviceAccountSigningKey`, { name: 'signing-key' }),
    loud(/serviceAccountSigningKey|hc1|HostedCluster/),
  ),
  spec(
    'who signs in to a hosted cluster',
    set(`${hc1}.spec.configuration`, { oauth: { identityProviders: [{ name: 'others', type: 'GitHub' }] } }),
    loud(/configuration|hc1|HostedCluster/),
  ),
  spec(
    'a key by which nodes of a hosted cluster are reached',
    set(`${hc1}.spec.sshKey`, { name: 'ssh-key' }),
    loud(/sshKey|hc1|HostedCluster/),
  ),
  from(hosted, sources.charts)(
    'a manifest of HyperShift that binds a role',
    add(
      'clusters.management.hyperShift.install.manifests',
      './tests/engine/accessChanges/files/binding.yaml',
    ),
    loud(/manifests|hyperShift|binding|everybody|management/),
  ),
  from(hosted, sources.charts)(
    'a definition among the manifests whose objects another server converts',
    add(
      'clusters.management.hyperShift.install.manifests',
      './tests/engine/accessChanges/files/conversion.yaml',
    ),
    loud(/keys\.example\.com[\s\S]*webhook\.example/),
  ),
  from(hosted, sources.hostedReader)(
    'credentials that are valid for longer',
    set(`${hc1}.certificates.validityDays`, 730),
    loud(/hc1|validityDays/),
    of1,
  ),
  from(hosted, sources.hostedReader)(
    'other names of the secrets with the credentials',
    set(`${hc1}.components`, { ingress: { secretName: 'hc1-ingress' } }),
    perhaps(/hc1-ingress/),
  ),
  from(hosted, sources.nothing)('another encoding of credentials', set(`${hc1}.objectEncoding`, 'base64')),
  from(hosted, sources.nothing)(
    'certificates that are renewed earlier',
    set(`${hc1}.certificates.renewBeforeDays`, 40),
  ),
  from(hosted, sources.nothing)(
    'certificates that are valid for a shorter time',
    set(`${hc1}.certificates.validityDays`, 60),
  ),
  from(hosted, sources.nothing)(
    'a hosted cluster that is deleted with its line',
    set(`${hc1}.retainOnDelete`, false),
  ),
  from(hosted, sources.nothing)(
    'the default authentication by its name',
    set(`${hc1}.authentication`, 'ManagedIdentities'),
  ),
  from(hosted, sources.nothing)('hosted clusters in another order', (settings) => ({
    ...settings,
    hostedClusters: [...(settings['hostedClusters'] as object[])].reverse(),
  })),
  from(hosted, sources.ids)(
    'ids of a hosted cluster in another case',
    set(`${hc1}.resourceGroup`, `${subscription}/resourceGroups/RG-HC1`),
    perhaps(/hc1/, 'not judged'),
  ),
];
