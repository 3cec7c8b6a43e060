import { builtInRoles } from '../../../components/azure/roles';
import type { Arguments } from './support/accepted';
import { accepted } from './support/accepted';
import { group, guidOf } from './support/azure';
import { least } from './support/least';
import { refused } from './support/refusal';

// What each component refuses beside wrong types, which arguments.test.ts has for all of them. Names are in names.test.ts.

const account = { namespace: 'orders', serviceAccount: 'orders' };
const accounts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ namespace: `ns-${index}`, serviceAccount: 'app' }));
const secret = 'value-of-the-test';
const otherId = `${group}/providers/Microsoft.Network/virtualNetworks/x`;
const create = (type: string, more: object) => ({ create: { ...(least[type]?.create as object), ...more } });
const credential = { password: secret, name: '2026-11-03-90d', keyId: guidOf('key') };
const passwords = [{ name: 'p', expiresOn: '2027-01-30T00:00:00Z' }];
const certificates = [{ name: 'c', validityHours: 2160 }];
const [trust] = least.PipelineIdentity?.trusts as [object];
const connection = { issuer: 'https://issuer.example', subject: 'sc://a/b/c' };

const refusals: readonly [string, Arguments, RegExp][] = [
  ['FederatedCredentials', { subjects: [] }, /subjects "0 service accounts" cannot be .* Allowed: 1 to 20/],
  ['FederatedCredentials', { subjects: accounts(21) }, /subjects "21 service accounts" cannot be trusted/],
  // Azure forbids a second credential of one issuer and subject, also with another audience.
  ['FederatedCredentials', { subjects: [account, { ...account, audience: 'x' }] }, /subjects\[1\] .* again/],
  ['FederatedCredentials', { subjects: [{ ...account, serviceAccount: '*' }] }, /serviceAccount "\*" is not/],
  ['FederatedCredentials', { importedNames: { 'x-name/orders_orders': 'a b' } }, /"a b" is not a valid name/],
  [
    'FederatedCredentials',
    { subjects: accounts(2), importedNames: { 'x-name/ns-0_app': 'NS-1_app' } },
    /\["x-name\/ns-1_app"\] "ns-1_app" is the name of the credential x-name\/ns-0_app already/,
  ],
  ['ServicePrincipalIdentity', { subjects: [account, account] }, /subjects\[1\]/],
  ['ServicePrincipalIdentity', { passwords, certificates }, /passwords cannot be beside `certificates`/],
  ['ServicePrincipalIdentity', { passwords: [...passwords, ...passwords] }, /passwords\[1\]\.name/],
  [
    'ServicePrincipalIdentity',
    { passwords: [{ name: 'p', expiresOn: '2027-01-30T00:00:00.000Z' }] },
    /a time such as 2027-01-30T00:00:00Z/,
  ],
  ['ManagedIdentity', { create: undefined }, /args is missing\. Allowed: exactly one of create, existing\./],
  ['ManagedIdentity', { existing: 'id' }, /args cannot have both create and existing/],
  ['ManagedIdentity', { create: undefined, existing: otherId }, /ManagedIdentity\/userAssignedIdentities/],
  ['ManagedIdentity', create('ManagedIdentity', { identityName: 'a.bc' }), /Allowed: 3 to 128 letters/],
  ['LogWorkspace', create('LogWorkspace', { workspaceName: 'log' }), /Allowed: 4 to 63/],
  ['LogWorkspace', { create: undefined, existing: otherId }, /Microsoft\.OperationalInsights\/workspaces/],
  [
    'WorkloadIdentityCluster',
    create('WorkloadIdentityCluster', { clusterName: 'aks.1' }),
    /Allowed: 1 to 63/,
  ],
  [
    'WorkloadIdentityCluster',
    { create: undefined, existing: { id: otherId } },
    /existing\.id .* Microsoft\.ContainerService\/managedClusters.*az resource list/,
  ],
  ...[6, 91, 7.5].map((days): [string, Arguments, RegExp] => [
    'KeyVault',
    create('KeyVault', { softDeleteRetentionInDays: days }),
    new RegExp(`create\\.softDeleteRetentionInDays ${days} .* from 7 to 90`),
  ]),
  [
    'KeyVault',
    create('KeyVault', { privateEndpoints: [{ subnet: 'apps' }] }),
    /"apps" is not the id of a sub/,
  ],
  ['KeyVault', { secrets: { a_b: secret } }, /secrets "a_b" is not a valid name\. Allowed: 1 to 127/],
  [
    'KeyVault',
    { grants: [{ grantee: 'a', principalId: guidOf('a'), secrets: ['*'] }] },
    /grants\[0\]\.secrets\[0\] "\*" is not a valid name/,
  ],
  [
    'KeyVault',
    { create: undefined, existing: `${group}/providers/Microsoft.KeyVault/vaults/existing`, lock: true },
    /lock true cannot be on an existing vault, which is never changed/,
  ],
  ['PipelineIdentity', { trusts: [] }, /trusts "0 pipelines" cannot be trusted\. Allowed: 1 to 20/],
  [
    'PipelineIdentity',
    { trusts: [trust, { ...trust, name: 'again' }] },
    /trusts\[1\] .* by trusts\[0\] already/,
  ],
  ['PipelineIdentity', { trusts: [{ ...trust, serviceConnection: connection }] }, /both gitHub and serviceC/],
  ['PipelineIdentity', { trusts: [{ name: 'x-y', gitHub: { repository: 'x' } }] }, /Allowed: owner\/name/],
  ['PipelineIdentity', { assignableRoles: [builtInRoles.rbacAdministrator] }, /give itself more rights/],
  ['PipelineIdentity', { assignableRoles: ['8E3AF657-A8FF-443C-A75C-2FE8C4BCB635'] }, /is Owner/],
  [
    'PipelineIdentity',
    { assignableRoles: ['8b54135c-b56d-4d72-a534-26097cfdc8d8'] },
    /is Key Vault Data Access Administrator/,
  ],
  [
    'PipelineIdentity',
    { access: 'preview', assignableRoles: [builtInRoles.keyVaultSecretsUser] },
    /for access deploy only/,
  ],
  ['HostedClusterIdentities', { components: [{ component: 'kms' }] }, /key is missing for the component kms/],
  [
    'HostedClusterIdentities',
    { components: [{ component: 'disk' }, { component: 'disk' }] },
    /components\[1\]\.component "disk" is that of components\[0\] already/,
  ],
  [
    'HostedClusterIdentities',
    {
      certificates: accepted.HostedClusterIdentities?.certificates,
      components: [
        { component: 'disk', secretName: 'one' },
        { component: 'file', secretName: 'One' },
      ],
    },
    /components\[1\]\.secretName "one" is that of components\[0\] already/,
  ],
  [
    'HostedClusterIdentities',
    { components: [{ component: 'dns' }] },
    /"dns" is not possible.*Allowed: cloudProvider, controlPlaneOperator/,
  ],
  ['HostedClusterIdentities', { components: [{ component: 'disk', role: 'x' }] }, /role "x" is not a GUID/],
  ...['', 'resources.azure.com', 'a/b;', '*'].map((crdPattern): [string, Arguments, RegExp] => [
    'ServiceOperator',
    { crdPattern },
    /crdPattern .* names no custom resources/,
  ]),
  ...[0, 4, 61, 7.5].map((intervalSeconds): [string, Arguments, RegExp] => [
    'AccessWindows',
    { intervalSeconds },
    new RegExp(`intervalSeconds ${intervalSeconds} is not possible.*from 5 to 60`),
  ]),
  ['Workload', { serviceAccount: 'a_b' }, /serviceAccount "a_b" is not a valid name/],
  ['Workload', { credential, delivery: 'files' }, /delivery "files" does not go with `credential`/],
  ['Workload', { credential: { ...credential, certificate: 'pem' } }, /both certificate and password/],
  ['Workload', { delivery: 'files', audience: 'x' }, /audience "x" does not go with the delivery files/],
  [
    'Workload',
    { delivery: 'files', vault: { ...(least.Workload?.vault as object), secretNames: [] } },
    /delivery "files" has nothing to deliver\./,
  ],
  [
    'AzureDependency',
    { ...accepted.AzureDependency, connection: 'secret' },
    /connection "secret" is not possible for a PostgreSQL server\. Allowed: identity\./,
  ],
  [
    'AzureDependency',
    { service: { storageAccount: { name: 'st-files', sku: 'Standard_ZRS', data: ['blobs'] } } },
    /storageAccount\.name "st-files" is not a valid name\. Allowed: 3 to 24 lower-case letters and digits/,
  ],
  ['AzureDependency', { dependency: '1st' }, /dependency "1st" is not a valid name\./],
];

it.each(refusals)('%s refuses %j', async (type, changes, message) => {
  const given = { ...least[type], ...changes };
  const problems = await refused(
    type,
    Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined)),
  );

  expect(problems).toContainEqual(expect.stringMatching(message));
  expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^${type} x-name: `)));
  expect(problems.join()).not.toContain(secret);
});

it('an identity trusts 20 service accounts', async () => {
  await expect(
    refused('FederatedCredentials', { ...least.FederatedCredentials, subjects: accounts(20) }),
  ).rejects.toThrow('is not refused');
});
