import { cloudOf } from '../../../components/azure/clouds';
import { clusterOf, connectingTo } from '../components/support/cluster';
import { clusterId, groupId, identityId, otherSubscription, vaultId, workspaceId } from './ids';
import { fails, notFound, preflighted } from './preflighted';
import type { Input } from './settings';
import { application, input, validInput } from './settings';

// What mocks do not prove: what Azure's errors say, and that the provider of another subscription reads there; the
// end-to-end test does, on the local cloud.

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
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
const check = (settings: Input, answers: Record<string, unknown> = {}, cloud = 'public') =>
  preflighted(settings, answers, { cloud: cloudOf(cloud) });

describe('the preflight', () => {
  it('reads everything that exists already, each in its subscription, and registers nothing but the provider', async () => {
    const { recording, problems } = await check(everything());

    expect(problems).toEqual([]);
    const calls = recording.calls.map(({ token }) => token.replace(/^azure-native:/, ''));
    expect(calls.filter((token) => token !== 'keyvault:getSecret')).toEqual([
      // The tenant, for each vault.
      'authorization:getClientConfig',
      'authorization:getClientConfig',
      // The grants of existing identities.
      'pulumi:pulumi:readStackResourceOutputs',
      'resources:getResourceGroup',
      'operationalinsights:getWorkspace',
      'containerservice:getManagedCluster',
      'managedidentity:getUserAssignedIdentity',
      'managedidentity:getUserAssignedIdentity',
      'managedidentity:getUserAssignedIdentity',
      'keyvault:getVault',
      'keyvault:getVault',
      'containerservice:listManagedClusterAdminCredentials',
    ]);
    // Each secret that is named, and has no value here.
    expect(calls.filter((token) => token === 'keyvault:getSecret')).toHaveLength(2);
    expect(recording.registrations.map(({ type, name }) => `${type} ${name}`)).toEqual([
      `${provider} subscription-${otherSubscription}`,
    ]);
    expect(recording.registrations[0]?.inputs.subscriptionId).toBe(otherSubscription);
  });

  it('reads only the clusters and names of secrets, and registers nothing, where nothing is named as existing', async () => {
    const { recording, problems } = await check(validInput());

    expect(problems).toEqual([]);
    const calls = recording.calls.map(({ token }) => token.split(':').at(-1));
    expect(calls).toContain('getSecret');
    expect(calls.filter((call) => call !== 'getSecret')).toEqual([
      'getClientConfig',
      ...['getManagedCluster', 'getManagedCluster'],
      ...['listManagedClusterAdminCredentials', 'listManagedClusterAdminCredentials'],
      // Whether the chart of the examples is for the local cloud.
      'getClientConfig',
    ]);
    expect(recording.registrations).toEqual([]);
  });

  it('looks for secrets of its own vaults in the subscription of the resource group', async () => {
    const resourceGroup = { existing: groupId('rg-there') };
    const { recording } = await check(validInput({ resourceGroup }));

    const asked = recording.calls.filter(({ token }) => token.endsWith(':getSecret'));
    expect(asked.map((call) => call.provider)).toEqual(
      asked.map(() => `${provider}::subscription-${otherSubscription}`),
    );
    expect(asked).not.toEqual([]);
  });

  it('reports everything that is missing, at once', async () => {
    const tokens = [
      ...['resources:getResourceGroup', 'operationalinsights:getWorkspace', 'keyvault:getVault'],
      ...['containerservice:getManagedCluster', 'managedidentity:getUserAssignedIdentity'],
    ];
    const answers = Object.fromEntries(tokens.map((token) => [`azure-native:${token}`, notFound]));
    const missing = (path: string, id: string) =>
      key(
        `${path}: "${id}" does not exist, or the deploying identity cannot read it. Correct the id, as \`az resource show --query id\` prints it, or give that identity the role Reader on it.`,
      );

    expect((await check(everything(), answers)).problems).toEqual([
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
});

const cluster = 'azure-native:containerservice:getManagedCluster';
const secret = 'azure-native:keyvault:getSecret';
const workspace = 'azure-native:operationalinsights:getWorkspace';
const noSecret = (path: string, vault: string) =>
  `${path}: "db" is not in the existing vault ${vault} and has no value in the stack file. Set a value with \`pulumi config set --secret --path 'secretValues.db'\`, or write it to the vault: \`az keyvault secret set --vault-name ${vault} --name db --file FILE\`, which requires the role Key Vault Secrets Officer.`;
const existing = (more: object = {}) => ({
  clusters: [{ name: 'aks-1', mode: 'existing', id: clusterId('aks-there'), ...more }],
  applications: [],
});
const delivering = (delivery: string) => ({
  applications: [application('a', { secrets: ['db'] }), application('b', { secrets: ['db'], delivery })],
});
const noDriver = `applications[1].delivery: needs the Secrets Store CSI driver with Azure's provider, which the existing cluster aks-there does not have. Run \`az aks enable-addons --name aks-there --resource-group rg-there --subscription ${otherSubscription} --addons azure-keyvault-secrets-provider --enable-secret-rotation\`, or set \`delivery: application\`.`;
const files = { name: 'files', storageAccount: { name: 'stfiles' } };
const isOff = { securityProfile: {}, oidcIssuerProfile: {} };

it.each([
  ['refuses the name of a deleted vault', {}, ', purge it (`az keyvault purge --name KV-own`)'],
  ['offers no purge where the vault is protected from it', { purgeProtectionEnabled: true }, ''],
])('%s', async (_, more, purge) => {
  const properties = { scheduledPurgeDate: '2027-01-02T00:00:00.000Z', ...more };
  const { problems } = await preflighted(
    input([], { vault: { name: 'KV-own' } }),
    {},
    {
      list: ({ path }) =>
        Promise.resolve(
          path.endsWith('/deletedVaults') ? [{ name: 'kv-own', properties }, { name: 'kv-b' }] : [],
        ),
    },
  );
  expect(problems).toEqual([
    key(
      `vault: "KV-own" is the name of a deleted vault, which reserves it until 2027-01-02T00:00:00.000Z. Recover that vault (\`az keyvault recover --name KV-own\`) and import it into the stack (\`npx aks-wi import\`)${purge}, or set another name.`,
    ),
  ]);
});

describe('of what exists already, the preflight', () => {
  it.each<[string, Input, Record<string, unknown>, (string | RegExp)[]]>([
    [
      'refuses a secret without a value that is not in the existing vault',
      {},
      { [secret]: notFound },
      [noSecret('applications[1].secrets[0]', 'kv-there'), noSecret('applications[0].secrets[0]', 'kv-a')],
    ],
    [
      'refuses a secret without a value that is not in the vault of the stack',
      { vault: { name: 'kv-own' }, applications: [application('b', { secrets: ['db'] })] },
      { [secret]: notFound },
      [
        /applications\[0\]\.secrets\[0\]: "db" is not in the vault kv-own and has no value in the stack file\. Set a value with .*, or write it to the vault: .*, which requires the role Key Vault Secrets Officer\. If the vault does not exist yet, leave/,
      ],
    ],
    [
      'does not look for the secrets of a revoked application',
      {
        vault: { name: 'kv-own' },
        applications: [application('b', { secrets: ['db'] })],
        revoked: { applications: { b: 'INC-1' } },
      },
      { [secret]: notFound },
      [],
    ],
    [
      'does not look for a secret that a dependency brings: it is written later',
      { applications: [application('b', { dependencies: [{ ...files, connection: 'vault' }] })] },
      {
        [secret]: notFound,
        'azure-native:containerservice:listManagedClusterAdminCredentials': notFound,
      },
      [],
    ],
    [
      'takes a secret that it may not look at for one that is there',
      {},
      { [secret]: fails('Status=403 Code="AuthorizationFailed"') },
      [],
    ],
    [
      'says why something cannot be read',
      {},
      { [workspace]: fails('AuthorizationFailed: no read access\nsecond line') },
      [
        /logs\.workspace\.existing: ".*" cannot be read: .*AuthorizationFailed: no read access\. The deploying identity needs at least the role Reader on it\.$/,
      ],
    ],
    [
      'does not take a sign-in that fails for a thing that is missing',
      {},
      { [workspace]: fails('AzureCLICredential: exec: "az": executable file not found in $PATH') },
      [/ cannot be read: .*executable file not found in \$PATH/],
    ],
    ...[true, false, undefined].map((enableRbacAuthorization): [string, Input, Input, string[]] => {
      const [actual, access] = enableRbacAuthorization ? ['rbac', 'accessPolicy'] : ['accessPolicy', 'rbac'];
      return [
        `refuses a vault of another mode (${String(enableRbacAuthorization)})`,
        // Without applications, the central vault is that of nobody, and still what the file says.
        { vault: { existing: vaultId('kv-there'), access, overreach: 'accepted' }, applications: [] },
        {
          'azure-native:keyvault:getVault': {
            properties: { tenantId: '11111111-1111-4111-8111-111111111111', enableRbacAuthorization },
          },
        },
        [
          `vault.access: "${access}" does not match the existing vault kv-there, which uses ${actual}. Allowed: ${actual}. Set it. The mode of an existing vault is never changed: that would void the access of all its readers.`,
        ],
      ];
    }),
    [
      'refuses a cluster on which something is off, with the command',
      { applications: [] },
      { [cluster]: { securityProfile: {} } },
      [
        `clusters[0].id: "${clusterId('aks-there')}" is a cluster with workload identity disabled, so no identity can trust its service accounts. Run \`az aks update --name aks-there --resource-group rg-there --subscription ${otherSubscription} --enable-oidc-issuer --enable-workload-identity\`, or set \`enableWorkloadIdentity: true\`: the next update does it, and changes nothing else.`,
      ],
    ],
    ['takes a cluster that is to be switched on', existing({ enable: true }), { [cluster]: isOff }, []],
    [
      'takes one that the environment wants switched on',
      { ...existing({}), enableWorkloadIdentity: true },
      { [cluster]: isOff },
      [],
    ],
    [
      'refuses one that is left out of what the environment wants switched on',
      { ...existing({ enable: false }), enableWorkloadIdentity: true },
      { [cluster]: { securityProfile: {} } },
      [
        /clusters\[0\]\.id: .*workload identity disabled.*remove `enable: false`, and set `enableWorkloadIdentity/,
      ],
    ],
    ['refuses files where no driver is', delivering('files'), {}, [noDriver]],
    ['refuses variables where no driver is', delivering('environment'), {}, [noDriver]],
    [
      'takes files where a driver is',
      delivering('files'),
      { [cluster]: { addonProfiles: { azureKeyvaultSecretsProvider: { enabled: true } } } },
      [],
    ],
    [
      'refuses an identity binding if the API server is in a virtual network',
      { ...existing(), applications: [application('a', { trust: 'identityBinding' })] },
      { [cluster]: { apiServerAccessProfile: { enableVnetIntegration: true } } },
      [
        /applications\[0\]\.trust: "identityBinding" is not possible on the existing cluster .* virtual network/,
      ],
    ],
    [
      'leaves it to who installed aad-pod-identity whether it runs on kubenet',
      existing({ podIdentity: { install: false, tokenEvents: false } }),
      { [cluster]: { networkProfile: { networkPlugin: 'kubenet' }, podIdentityProfile: { enabled: true } } },
      [],
    ],
  ])('%s', async (_, changes, answers, expected) => {
    expect((await check(everything(changes), answers)).problems).toEqual(
      expected.map((problem) => (typeof problem === 'string' ? key(problem) : (matching(problem) as string))),
    );
  });

  it.each([
    [{ networkProfile: { networkDataplane: 'cilium' } }, /the network data plane cilium/],
    [{ networkProfile: { networkPlugin: 'kubenet' } }, /kubenet, on which its node component exits/],
    [{ podIdentityProfile: { enabled: true } }, /Run `az aks update --disable-pod-identity`\./],
  ])('refuses aad-pod-identity on a cluster that has %j', async (answer, problem) => {
    const podIdentity = { unsupportedKubernetes: true };
    const problemsOf = async (changes: Input, answers: object) =>
      (await check(everything({ applications: [], ...changes }), { [cluster]: answers })).problems;

    expect(await problemsOf(existing({ podIdentity }), answer)).toEqual([matching(problem)]);
    const other = { networkProfile: { networkDataplane: 'azure' } };
    expect(await problemsOf(existing({ podIdentity }), other)).toEqual([]);
    // Also of one that the stack made before.
    expect(await problemsOf({ clusters: [{ name: 'aks-1', podIdentity }] }, answer)).toContainEqual(
      matching(problem),
    );
    expect(await problemsOf(existing(), answer)).toEqual([]);
  });
});

describe('of aad-pod-identity that the settings expect on the cluster, the preflight', () => {
  /** A DaemonSet of the namespace `identity` with a container of that name. */
  const daemonSet = (container: string) => ({
    metadata: {},
    spec: {
      template: { metadata: { labels: { tier: 'node' } }, spec: { containers: [{ name: container }] } },
    },
  });
  const definition = 'CustomResourceDefinition azureidentitybindings.aadpodidentity.k8s.io';
  const problemsOf = async (podIdentity: Input, definitions = true, sets = [daemonSet('nmi')]) => {
    connectingTo(
      clusterOf({
        get: ({ kind, name }) =>
          Promise.resolve(
            definitions && `${kind} ${name}` === definition ? { metadata: { name } } : undefined,
          ),
        list: ({ kind, namespace }) =>
          Promise.resolve(`${kind} ${String(namespace)}` === 'DaemonSet identity' ? sets : []),
      }),
    );
    const settings = existing({ podIdentity: { install: false, ...podIdentity } });
    return (await check(input([], settings))).problems;
  };

  it('wants its definitions', async () => {
    expect(await problemsOf({ namespace: 'identity', tokenEvents: false }, false)).toEqual([
      key(
        'clusters[0].podIdentity.install: false requires aad-pod-identity on the cluster aks-1, which does not have it: AzureIdentityBindings are not defined there. Remove `install: false` to let the stack install it.',
      ),
    ]);
  });

  it('wants its node component in the namespace, for the events of its tokens', async () => {
    const where = { namespace: 'identity' };
    const missingIn = (namespace: string) => [
      key(
        `clusters[0].podIdentity.namespace: "${namespace}" is a namespace of the cluster aks-1 without the node component of aad-pod-identity, whose log records its tokens. Set \`namespace\` to its namespace (\`kubectl get daemonset --all-namespaces\`), or \`tokenEvents: false\`.`,
      ),
    ];

    expect(await problemsOf({})).toEqual(missingIn('kube-system'));
    // Flannel has the same label.
    expect(await problemsOf(where, true, [daemonSet('kube-flannel')])).toEqual(missingIn('identity'));
    expect(await problemsOf(where)).toEqual([]);
    expect(await problemsOf({ tokenEvents: false })).toEqual([]);
  });
});
