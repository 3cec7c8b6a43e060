import { builtInRoles } from '../../../components/azure/roles';
import type { Arguments } from './support/accepted';
import { accepted } from './support/accepted';
import { group, guidOf } from './support/azure';
import { least } from './support/least';
import { refused } from './support/refusal';

// What each component refuses beside what is missing, which arguments.test.ts has for all of them.

const account = { namespace: 'orders', serviceAccount: 'orders' };
const accounts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ namespace: `ns-${index}`, serviceAccount: 'app' }));
const secret = 'value-of-the-test';
const credential = { password: secret, name: '2026-11-03-90d', keyId: guidOf('key') };
const passwords = [{ name: 'p', expiresOn: '2027-01-30T00:00:00Z' }];
const certificates = [{ name: 'c', validityHours: 2160 }];
const [trust] = least.PipelineIdentity?.trusts as [object];
const connection = { issuer: 'https://issuer.example', subject: 'sc://a/b/c' };

const refusals: readonly [string, Arguments, RegExp][] = [
  ['IdentityBinding', { serviceAccounts: [] }, /serviceAccounts "\[\]" names no service account/],
  ['FederatedCredentials', { subjects: [] }, /subjects "0 service accounts" cannot be .* Allowed: 1 to 20/],
  ['FederatedCredentials', { subjects: accounts(21) }, /subjects "21 service accounts" cannot be trusted/],
  // Azure forbids a second credential of one issuer and subject, also with another audience.
  [
    'FederatedCredentials',
    { subjects: [account, { ...account, audience: 'x' }] },
    /subjects\[1\] .* repeats subjects\[0\]/,
  ],
  [
    'FederatedCredentials',
    { subjects: accounts(2), importedNames: { 'x-name/ns-0_app': 'NS-1_app' } },
    /\["x-name\/ns-1_app"\] "ns-1_app" is already the name of the credential x-name\/ns-0_app/,
  ],
  ['ServicePrincipalIdentity', { subjects: [account, account] }, /subjects\[1\]/],
  [
    'ServicePrincipalIdentity',
    { passwords, certificates },
    /passwords cannot be combined with `certificates`/,
  ],
  ['ManagedIdentity', { create: undefined }, /args is missing\. Allowed: exactly one of create, existing\./],
  ['ManagedIdentity', { existing: 'id' }, /args cannot have both create and existing/],
  [
    'KeyVault',
    { create: undefined, existing: `${group}/providers/Microsoft.KeyVault/vaults/existing`, lock: true },
    /lock true cannot be set on an existing vault, which is never changed/,
  ],
  ['PipelineIdentity', { trusts: [] }, /trusts "0 pipelines" cannot be trusted\. Allowed: 1 to 20/],
  [
    'PipelineIdentity',
    { trusts: [trust, { ...trust, name: 'again' }] },
    /trusts\[1\] .* already trusted by trusts\[0\]/,
  ],
  ['PipelineIdentity', { trusts: [{ ...trust, serviceConnection: connection }] }, /both gitHub and serviceC/],
  ['PipelineIdentity', { assignableRoles: [builtInRoles.rbacAdministrator] }, /grant itself more rights/],
  ['PipelineIdentity', { assignableRoles: ['8E3AF657-A8FF-443C-A75C-2FE8C4BCB635'] }, /is Owner/],
  [
    'PipelineIdentity',
    { assignableRoles: ['8e3af657-a8ff-443c-a75c-2fe8c4bcb635 '] },
    /assignableRoles\[0\] ".* " is not a role\. Allowed: the GUID of a role/,
  ],
  [
    'PipelineIdentity',
    {
      assignableRoles: [
        '/providers/Microsoft.Authorization/roleDefinitions/8e3af657-a8ff-443c-a75c-2fe8c4bcb635',
      ],
    },
    /is Owner/,
  ],
  [
    'PipelineIdentity',
    { assignableRoles: ['8b54135c-b56d-4d72-a534-26097cfdc8d8'] },
    /is Key Vault Data Access Administrator/,
  ],
  [
    'PipelineIdentity',
    { access: 'preview', assignableRoles: [builtInRoles.keyVaultSecretsUser] },
    /not allowed with the access preview/,
  ],
  ['PipelineIdentity', { access: 'grant' }, /assignableRoles are missing.*could grant nothing/],
  ['HostedClusterIdentities', { components: [{ component: 'kms' }] }, /key is missing for the component kms/],
  [
    'HostedClusterIdentities',
    {
      certificates: accepted.HostedClusterIdentities?.certificates,
      components: [
        { component: 'disk', secretName: 'one' },
        { component: 'file', secretName: 'One' },
      ],
    },
    /components\[1\]\.secretName "one" repeats that of components\[0\]/,
  ],
  [
    'HostedClusterIdentities',
    { components: [{ component: 'dns' }] },
    /"dns" is not possible.*Allowed: cloudProvider, controlPlaneOperator/,
  ],
  [
    'AccessWindows',
    { intervalSeconds: 600 },
    /intervalSeconds 600 is not possible\. Allowed: an integer from 5/,
  ],
  ['ConnectionWriter', { intervalSeconds: 0 }, /intervalSeconds 0 is not possible/],
  ['TokenEvents', { intervalSeconds: 7.5 }, /intervalSeconds 7\.5 is not possible/],
  ['Workload', { credential, delivery: 'files' }, /delivery "files" is not possible with this sign-in/],
  ['Workload', { credential: { ...credential, certificate: 'pem' } }, /both certificate and password/],
  ['Workload', { delivery: 'files', audience: 'x' }, /delivery "files" is not possible with this sign-in/],
  [
    'AzureDependency',
    { ...accepted.AzureDependency, connection: 'secret' },
    /connection "secret" is not possible for a PostgreSQL server\. Allowed: identity\./,
  ],
];

it.each(refusals)('%s refuses %j', async (type, changes, message) => {
  const args = { ...least[type], ...changes };
  const problems = await refused(
    type,
    Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined)),
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
