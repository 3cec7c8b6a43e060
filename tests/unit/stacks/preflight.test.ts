import { cloudOf } from '../../../components/azure/clouds';
import { clusterId, groupId, identityId, otherSubscription, subnetId, vaultId, workspaceId } from './ids';
import { fails, notFound, preflighted } from './preflighted';
import type { Input } from './settings';
import { application, input, validInput } from './settings';

// What mocks do not prove: what Azure's errors say, and that the provider of another subscription reads there; the
// end-to-end test does, on the local cloud.

const key = (rest: string) => `aks-workload-identity:${rest}`;
const provider = 'pulumi:providers:azure-native';

/** Everything that can exist, each thing once. */
const everything = (changes: Input = {}) =>
  validInput({
    resourceGroup: { existing: groupId('rg-there') },
    logs: { workspace: { existing: workspaceId('log-there') } },
    vault: { existing: vaultId('kv-there') },
    clusters: [
      {
        name: 'aks-1',
        mode: 'existing',
        id: clusterId('aks-there'),
        identity: { existing: identityId('id-own') },
        operatorIdentity: { existing: identityId('id-operator') },
      },
    ],
    applications: [
      application('a', {
        secrets: ['db'],
        identity: { existing: { 'aks-1': identityId('id-a') } },
        vault: { placement: 'perApplication', existing: vaultId('kv-a') },
      }),
      application('b', { secrets: ['db'] }),
    ],
    secretValues: {},
    ...changes,
  });

/** What the preflight finds; no identity trusts anybody yet. */
const check = (given: Input, answers: Record<string, unknown> = {}, cloud = 'public') =>
  preflighted(given, answers, { cloud: cloudOf(cloud) });

describe('the preflight', () => {
  it('reads everything that exists already, each in its subscription, and registers nothing but the provider', async () => {
    const { recording, problems } = await check(everything());

    expect(problems).toEqual([]);
    const calls = recording.calls.map(({ token }) => token.replace(/^azure-native:/, ''));
    expect(calls.filter((token) => token !== 'keyvault:getSecret')).toEqual([
      'resources:getResourceGroup',
      'operationalinsights:getWorkspace',
      'keyvault:getVault',
      'keyvault:getVault',
      'containerservice:getManagedCluster',
      'managedidentity:getUserAssignedIdentity',
      'managedidentity:getUserAssignedIdentity',
      'managedidentity:getUserAssignedIdentity',
      'containerservice:listManagedClusterAdminCredentials',
    ]);
    // Each secret that is named, and has no value here.
    expect(calls.filter((token) => token === 'keyvault:getSecret')).toHaveLength(2);
    expect(recording.registrations.map(({ type, name }) => `${type} ${name}`)).toEqual([
      `${provider} subscription-${otherSubscription}`,
    ]);
    expect(recording.registrations[0]?.inputs.subscriptionId).toBe(otherSubscription);
  });

  it('reads only the clusters, and registers nothing, where nothing is named as existing', async () => {
    const { recording, problems } = await check(validInput());

    expect(problems).toEqual([]);
    expect(recording.calls.map(({ token }) => token.split(':').at(-1))).toEqual([
      'getClientConfig',
      ...['getManagedCluster', 'getManagedCluster'],
      ...['listManagedClusterAdminCredentials', 'listManagedClusterAdminCredentials'],
    ]);
    expect(recording.registrations).toEqual([]);
  });

  it('refuses to switch a cluster on in a cloud whose resource manager is not known', async () => {
    const clusters = [{ name: 'aks-1', mode: 'existing', id: clusterId('aks-there'), enable: true }];
    const { problems } = await check(input([], { clusters }), {}, 'moon');

    expect(problems).toEqual([
      key(
        'clusters[0].enable: true is not possible in the cloud "moon" (azure-native:environment, ARM_ENVIRONMENT), whose resource manager is not known here. Allowed: the clouds public, usgovernment, china. Remove it, and switch the cluster on yourself: `az aks update --enable-oidc-issuer --enable-workload-identity`.',
      ),
    ]);
  });

  it('tells everything that is not there, at once', async () => {
    const answers = Object.fromEntries(
      [
        'resources:getResourceGroup',
        'operationalinsights:getWorkspace',
        'keyvault:getVault',
        'containerservice:getManagedCluster',
        'managedidentity:getUserAssignedIdentity',
      ].map((token) => [`azure-native:${token}`, notFound]),
    );

    const { problems } = await check(everything(), answers);

    const missing = (path: string, id: string) =>
      key(
        `${path}: "${id}" does not exist, or the identity that deploys cannot read it. Correct the id, as \`az resource show --query id\` prints it, or give that identity the role Reader on it.`,
      );
    expect(problems).toEqual([
      missing('resourceGroup.existing', groupId('rg-there')),
      missing('logs.workspace.existing', workspaceId('log-there')),
      missing('vault.existing', vaultId('kv-there')),
      missing('applications[0].vault.existing', vaultId('kv-a')),
      missing('clusters[0].id', clusterId('aks-there')),
      missing('clusters[0].identity.existing', identityId('id-own')),
      missing('applications[0].identity.existing.aks-1', identityId('id-a')),
      missing('clusters[0].operatorIdentity.existing', identityId('id-operator')),
    ]);
  });

  it('refuses a secret that is neither in the existing vault nor given a value', async () => {
    const { problems } = await check(everything(), {
      'azure-native:keyvault:getSecret': notFound,
    });

    const missing = (path: string, vault: string) =>
      key(
        `${path}: "db" is not in the existing vault ${vault}, and has no value here. Write it there, or give it a value with \`pulumi config set --secret --path 'secretValues.db'\`.`,
      );
    expect(problems).toEqual([
      missing('applications[1].secrets[0]', 'kv-there'),
      missing('applications[0].secrets[0]', 'kv-a'),
    ]);
  });

  it('does not look for a secret that a dependency brings: it is written later', async () => {
    const files = { name: 'files', connection: 'vault', storageAccount: { name: 'stfiles' } };
    const applications = [application('b', { dependencies: [files] })];
    const { problems } = await check(everything({ applications }), {
      'azure-native:keyvault:getSecret': notFound,
      'azure-native:containerservice:listManagedClusterAdminCredentials': notFound,
    });

    expect(problems).toEqual([]);
  });

  it('takes a secret that it may not look at for one that is there', async () => {
    const { problems } = await check(everything(), {
      'azure-native:keyvault:getSecret': fails('Status=403 Code="AuthorizationFailed"'),
    });

    expect(problems).toEqual([]);
  });

  it('says why something cannot be read', async () => {
    const { problems } = await check(everything(), {
      'azure-native:operationalinsights:getWorkspace': fails(
        'AuthorizationFailed: no read access\nsecond line',
      ),
    });

    expect(problems).toEqual([
      expect.stringMatching(
        /logs\.workspace\.existing: ".*" cannot be read: .*AuthorizationFailed: no read access\. The identity that deploys needs at least the role Reader on it\.$/,
      ),
    ]);
  });

  it.each([true, false, undefined])(
    'refuses a vault of another mode (%p)',
    async (enableRbacAuthorization) => {
      const actual = enableRbacAuthorization === true ? 'rbac' : 'accessPolicy';
      const wanted = actual === 'rbac' ? 'accessPolicy' : 'rbac';
      const { problems } = await check(
        everything({
          vault: { existing: vaultId('kv-there'), access: wanted, overreach: 'accepted' },
          applications: [],
        }),
        { 'azure-native:keyvault:getVault': { properties: { enableRbacAuthorization } } },
      );

      // Without applications, the central vault is that of nobody, and still what the file says.
      expect(problems).toEqual([
        key(
          `vault.access: "${wanted}" does not fit the existing vault kv-there, which uses ${actual}. Allowed: ${actual}. Set it. The mode of an existing vault is never changed: that would void the access of all its readers.`,
        ),
      ]);
    },
  );

  const cluster = 'azure-native:containerservice:getManagedCluster';

  it('refuses a cluster on which something is off, with the command', async () => {
    const { problems } = await check(everything({ applications: [] }), {
      [cluster]: { securityProfile: {} },
    });

    expect(problems).toEqual([
      key(
        `clusters[0].id: "${clusterId('aks-there')}" is a cluster of which workload identity is off, so that nothing can trust its service accounts. Run \`az aks update --name aks-there --resource-group rg-there --subscription ${otherSubscription} --enable-oidc-issuer --enable-workload-identity\`, or set \`enable: true\` on the cluster: the next update does it, and changes nothing else.`,
      ),
    ]);
  });

  it('does not with enable: true', async () => {
    const clusters = [{ name: 'aks-1', mode: 'existing', id: clusterId('aks-there'), enable: true }];
    const { problems } = await check(everything({ clusters, applications: [] }), {
      [cluster]: { securityProfile: {}, oidcIssuerProfile: {} },
    });

    expect(problems).toEqual([]);
  });

  it.each(['files', 'environment'])('refuses the delivery %s where no driver is', async (delivery) => {
    const applications = [
      application('a', { secrets: ['db'] }),
      application('b', { secrets: ['db'], delivery }),
    ];
    const answer = { addonProfiles: { azureKeyvaultSecretsProvider: { enabled: true } } };

    expect((await check(everything({ applications }), { [cluster]: answer })).problems).toEqual([]);
    expect((await check(everything({ applications }))).problems).toEqual([
      key(
        `applications[1].delivery: needs the Secrets Store CSI driver with Azure's provider, which the existing cluster aks-there does not have. Run \`az aks enable-addons --name aks-there --resource-group rg-there --subscription ${otherSubscription} --addons azure-keyvault-secrets-provider --enable-secret-rotation\`, or set \`delivery: application\`.`,
      ),
    ]);
  });

  it.each([
    [{ networkProfile: { networkDataplane: 'cilium' } }, 'the network data plane cilium'],
    [{ networkProfile: { networkPlugin: 'kubenet' } }, 'kubenet, on which its node component ends'],
    [{ podIdentityProfile: { enabled: true } }, 'Run `az aks update --disable-pod-identity`.'],
  ])('refuses aad-pod-identity on a cluster that has %j', async (answer, problem) => {
    const podIdentity = { unsupportedKubernetes: true };
    const existing = { name: 'aks-1', mode: 'existing', id: clusterId('aks-there'), podIdentity };
    const problemsOf = async (one: object, answers: object) =>
      (await check(everything({ clusters: [one], applications: [] }), { [cluster]: answers })).problems;

    expect(await problemsOf(existing, answer)).toEqual([expect.stringContaining(problem)]);
    expect(await problemsOf(existing, { networkProfile: { networkDataplane: 'azure' } })).toEqual([]);
    // Also of one that the stack made before.
    expect(await problemsOf({ name: 'aks-1', podIdentity }, answer)).toEqual([
      expect.stringContaining(problem),
    ]);
    expect(await problemsOf({ name: 'aks-1' }, answer)).toEqual([]);
  });

  it('leaves it to who installed aad-pod-identity whether it runs on kubenet', async () => {
    const podIdentity = { install: false };
    const existing = { name: 'aks-1', mode: 'existing', id: clusterId('aks-there'), podIdentity };
    const input = everything({ clusters: [existing], applications: [] });

    const answer = { networkProfile: { networkPlugin: 'kubenet' }, podIdentityProfile: { enabled: true } };
    expect((await check(input, { [cluster]: answer })).problems).toEqual([]);
  });

  it('refuses a private endpoint in another subscription than its network', async () => {
    const vault = { name: 'kv-test', privateEndpoints: [{ subnet: subnetId('apps') }] };
    const existing = { resourceGroup: { existing: groupId('rg-there') } };

    expect((await check(validInput({ vault, ...existing }))).problems).toEqual([]);
    expect((await check(validInput({ vault }))).problems).toEqual([
      expect.stringContaining(
        `vault.privateEndpoints: "${subnetId('apps')}" is a subnet of another subscription than the resource group`,
      ),
    ]);
  });

  it("refuses the private DNS zone of another cloud's vaults", async () => {
    const zone = `${groupId('rg-dns')}/providers/Microsoft.Network/privateDnsZones/privatelink.vaultcore`;
    const inCloud = async (privateDnsZone: string, cloud: string) => {
      const vault = { name: 'kv-test', privateEndpoints: [{ subnet: subnetId('apps'), privateDnsZone }] };
      return (await check(validInput({ vault, resourceGroup: { existing: groupId('rg') } }), {}, cloud))
        .problems;
    };

    expect(await inCloud(`${zone}.azure.net`, 'public')).toEqual([]);
    expect(await inCloud(`${zone}.Azure.cn`, 'AzureChinaCloud')).toEqual([]);
    expect(await inCloud(`${zone}.azure.cn`, 'one-of-its-own')).toEqual([]);
    expect(await inCloud(`${zone}.azure.net`, 'usgovernment')).toEqual([
      `aks-workload-identity:vault.privateEndpoints[0].privateDnsZone: "${zone}.azure.net" is not the zone of vaults in the cloud "usgovernment". Allowed: a zone privatelink.vaultcore.usgovcloudapi.net. Name that one, or remove it.`,
    ]);
  });

  it('refuses a group for services in another subscription than the environment', async () => {
    const dependencies = [{ name: 'files', storageAccount: { name: 'stfiles' } }];
    const { problems } = await check(
      validInput({
        services: { resourceGroup: { existing: groupId('rg-services') } },
        applications: [application('a', { dependencies })],
        secretValues: {},
      }),
    );

    expect(problems).toContainEqual(
      expect.stringContaining(
        `services.resourceGroup.existing: "${groupId('rg-services')}" is in another subscription than the one that is deployed to`,
      ),
    );
  });

  it('names the place of each such endpoint once, be it of the central vault or of an application', async () => {
    const own = (name: string, vault: Record<string, unknown> = {}) =>
      application(name, {
        identity: 'application',
        secrets: [`${name}-db`],
        vault: { placement: 'perApplication', ...vault },
      });
    const { problems } = await check(
      validInput({
        vault: { name: 'kv-test', privateEndpoints: [{ subnet: subnetId('shared') }] },
        applications: [
          application('central'),
          own('follows'),
          own('says', { privateEndpoints: [{ subnet: subnetId('own') }] }),
        ],
        secretValues: {},
      }),
    );

    expect(problems.map((problem) => problem.split(' is a subnet of another')[0])).toEqual([
      key(`vault.privateEndpoints: "${subnetId('shared')}"`),
      key(`applications[2].vault.privateEndpoints: "${subnetId('own')}"`),
    ]);
  });

  it('passes over the endpoints of a central vault that is not made, and that no other follows', async () => {
    const vault = { name: 'kv-test', privateEndpoints: [{ subnet: subnetId('shared') }] };
    const own = { placement: 'perApplication', privateEndpoints: [] };
    const applications = [application('a', { identity: 'application', vault: own })];
    const input = validInput({ vault, vaults: 'perApplication', applications, secretValues: {} });

    expect((await check(input)).problems).toEqual([]);
  });

  it('does not take a sign-in that fails for a thing that is missing', async () => {
    const { problems } = await check(everything(), {
      'azure-native:operationalinsights:getWorkspace': fails(
        'AzureCLICredential: exec: "az": executable file not found in $PATH',
      ),
    });

    expect(problems).toEqual([
      expect.stringMatching(/ cannot be read: .*executable file not found in \$PATH/),
    ]);
  });
});
