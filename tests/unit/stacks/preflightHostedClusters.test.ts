import { ClusterAnswerError } from '../../../components/waiting/cluster';
import { clusterOf, connectingTo } from '../components/support/cluster';
import { operatorDeployment } from '../components/support/hyperShiftManifests';
import { clusterId, hostedCluster, identityId, vaultId } from './ids';
import { notFound, preflighted } from './preflighted';
import { input } from './settings';

// What mocks do not prove: what Azure and clusters answer; the end-to-end tests of hosted clusters have the local ones.

const byFederation = { authentication: 'WorkloadIdentities' };
const spec = { release: { image: 'x/y:1' } };
const existingCluster = { name: 'aks-1', mode: 'existing', id: clusterId('aks-there') };
const rotating = { enabled: true, config: { enableSecretRotation: 'true' } };
const kms = { vault: vaultId('kv-etcd'), key: 'etcd', version: '0123456789abcdef0123456789abcdef' };
const at = (rest: string) => `aks-workload-identity:hostedClusters[0]${rest}`;

/** What the preflight finds, a line each. */
async function problemsOf(
  more: object,
  {
    cluster = { name: 'aks-1' },
    vault = { name: 'kv-test', publicAccess: true },
    driver = rotating,
    answers = {},
    kinds = [],
    definition = {},
    objects = [],
    manifests,
  }: {
    cluster?: object;
    vault?: object;
    driver?: object;
    answers?: Record<string, unknown>;
    /** Kinds that the cluster serves. */
    kinds?: readonly string[];
    /** HyperShift's definition of HostedClusters. */
    definition?: object;
    /** HostedClusters that are there. */
    objects?: readonly object[];
    /** HyperShift's, which the stack installs. */
    manifests?: readonly object[];
  } = {},
): Promise<string[]> {
  connectingTo(() =>
    Promise.resolve(
      clusterOf({
        get: ({ kind, name }) => {
          const served = kinds.some((servedKind) => name.startsWith(`${servedKind.toLowerCase()}s.`));
          const versions = ['v1', 'v1beta1'].map((version) => ({
            name: version,
            served: true,
            ...definition,
          }));
          const found = kind === 'CustomResourceDefinition' && served ? { spec: { versions } } : undefined;
          return Promise.resolve(found as never);
        },
        list: ({ kind }) =>
          kinds.includes(kind)
            ? Promise.resolve(objects as never)
            : Promise.reject(new ClusterAnswerError(`no kind ${kind}`, 'notFound')),
      }),
    ),
  );
  const { problems } = await preflighted(
    input([], {
      clusters: [
        { ...cluster, ...(manifests && { hyperShift: { install: { manifests: ['./operator.yaml'] } } }) },
      ],
      ...{ vault, hostedClusters: [{ ...hostedCluster, ...more }] },
    }),
    {
      'azure-native:containerservice:getManagedCluster': {
        ...{ id: clusterId('aks-there'), oidcIssuerProfile: { enabled: true, issuerURL: 'https://i/' } },
        securityProfile: { workloadIdentity: { enabled: true } },
        addonProfiles: { azureKeyvaultSecretsProvider: driver },
      },
      ...answers,
    },
    undefined,
    () => JSON.stringify({ kind: 'List', items: manifests }),
  );
  return problems;
}

describe('a hosted cluster', () => {
  it('passes where all is there', async () => {
    expect(await problemsOf({}, { cluster: existingCluster })).toEqual([]);
    expect(await problemsOf({ ...byFederation, spec }, { kinds: ['HostedCluster'] })).toEqual([]);
  });

  it.each<[string, object, Parameters<typeof problemsOf>[1], RegExp]>([
    [
      'whose management cluster has no driver',
      {},
      { cluster: existingCluster, driver: { enabled: false } },
      /\.managementCluster: "aks-1" is a cluster without the Secrets Store CSI driver.*Run `az aks enable-addons/,
    ],
    [
      'whose management cluster does not read secrets again',
      {},
      { cluster: existingCluster, driver: { enabled: true } },
      /\.managementCluster: "aks-1" is a cluster whose Secrets Store CSI driver does not rotate secrets.*Run `az aks addon update/,
    ],
    [
      'with a reader, on a cluster without a driver',
      { reader: { existing: identityId('id-reader') } },
      { cluster: existingCluster, driver: { enabled: false } },
      /\.managementCluster: needs the kind SecretProviderClass, which the cluster aks-1 does not have/,
    ],
    [
      'with a spec, on a cluster without HyperShift',
      { ...byFederation, spec },
      {},
      /\.spec: needs the kind HostedCluster, which the cluster aks-1 does not have.*Install HyperShift there/,
    ],
    [
      'with a KMS by federation, on a cluster whose HyperShift does not know it',
      { ...byFederation, spec, kms },
      { kinds: ['HostedCluster'], definition: { workloadIdentities: {} } },
      /\.kms: needs the field `workloadIdentity` of HostedClusters/,
    ],
    [
      'in an existing vault of another tenant',
      {},
      {
        vault: { existing: vaultId('kv-there') },
        answers: {
          'azure-native:keyvault:getVault': {
            properties: { tenantId: '99999999-9999-4999-8999-999999999999', enableRbacAuthorization: true },
          },
        },
      },
      /vault\.existing: .*is a vault of the tenant 99999999-.*Allowed: a vault in the tenant of the deployment/,
    ],
    [
      'with a key in a vault with access policies',
      { kms },
      {
        answers: {
          'azure-native:keyvault:getVault': {
            properties: { tenantId: '11111111-1111-4111-8111-111111111111' },
          },
        },
      },
      /\.kms\.vault: .*is a vault with access policies, in which a role on a key has no effect/,
    ],
    [
      'in the directory of another tenant',
      {},
      { answers: { 'azuread:index/getClientConfig:getClientConfig': { tenantId: 'another' } } },
      /azuread:tenantId: "another" is not the tenant of the subscription/,
    ],
    [
      'whose subnet is missing',
      {},
      { answers: { 'azure-native:network:getSubnet': notFound } },
      /\.subnet: .*does not exist/,
    ],
    [
      'whose security group is missing',
      {},
      { answers: { 'azure-native:network:getNetworkSecurityGroup': notFound } },
      /\.securityGroup: .*does not exist/,
    ],
    [
      'that was made elsewhere',
      { ...byFederation, spec },
      {
        kinds: ['HostedCluster'],
        objects: [
          {
            metadata: {
              ...{ name: 'hc1', namespace: 'others' },
              annotations: { 'aks-workload-identity/owner': 'test/aks-1' },
            },
          },
        ],
      },
      /\.namespace: "clusters" would create the HostedCluster hc1 a second time: this stack created it in the namespace others of the cluster aks-1/,
    ],
  ])('is refused once: %s', async (_what, more, world, message) => {
    const problems = await problemsOf(more, world);
    expect(problems).toEqual([expect.stringMatching(message)]);
    expect(problems[0]).toMatch(/^aks-workload-identity:|^azuread:/);
  });

  it('needs no HyperShift on the cluster where the stack installs it with its definitions', async () => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'hostedclusters.hypershift.openshift.io' },
    };
    expect(await problemsOf({ spec }, { manifests: [operatorDeployment(), definition] })).toEqual([]);
    expect(await problemsOf({ spec }, { manifests: [operatorDeployment()] })).toEqual([
      expect.stringMatching(/\.spec: needs the kind HostedCluster, .*Add the file with the definitions/),
    ]);
  });

  it('is named by its place in the stack file', async () => {
    const [problem] = await problemsOf({ ...byFederation, spec });
    expect(problem).toContain(at('.spec'));
  });
});
