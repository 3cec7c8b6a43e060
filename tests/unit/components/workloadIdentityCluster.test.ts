import type * as pulumi from '@pulumi/pulumi';
import { parseResourceId } from '../../../components/azure/resourceId';
import { assertEnabled } from '../../../components/cluster/existingCluster';
import { decodeKubeconfig } from '../../../components/cluster/kubeconfig';
import { WorkloadIdentityCluster } from '../../../components/cluster/workloadIdentityCluster';
import { group, ids } from './support/azure';
import { kubeconfigOfEntra } from './support/kubeconfigOfEntra';
import { record, valueOf } from './support/recorder';

// A cluster that exists: what a preview knows of it, and what it needs. What it registers is in the golden of
// examples/configurations/reuse. What mocks do not prove: that the kubeconfig works.

const id = `${group}/providers/Microsoft.ContainerService/managedClusters/legacy`;
const read = 'azure-native:containerservice:getManagedCluster';
const recorded = (found: object, preview = false) =>
  record(() => new WorkloadIdentityCluster('aks-1', { existing: { id, enable: preview } }), {
    ...{ preview, answers: { [read]: found } },
  });

/** The SDK tells it, and its types do not. */
const isKnown = (output: pulumi.Output<unknown>) =>
  (output as unknown as { isKnown: Promise<boolean> }).isKnown;

it('without local accounts gives the user’s kubeconfig', async () => {
  const { calls, result } = await recorded({ disableLocalAccounts: true });

  expect(await valueOf(result.kubeconfig)).toBe('user kubeconfig of legacy');
  expect(calls.map(({ token }) => token)).toEqual([
    read,
    'azure-native:containerservice:listManagedClusterUserCredentials',
  ]);
});

describe('a kubeconfig that needs interactive sign-in', () => {
  const waits = (cluster: string) =>
    new RegExp(
      `^The kubeconfig of the cluster ${cluster} signs in .* ` +
        '`devicecode`' +
        ` .* Set AAD_LOGIN_METHOD to`,
    );
  beforeEach(() => delete process.env.AAD_LOGIN_METHOD);

  it('is refused as the answer of Azure', () => {
    const answered = Buffer.from(kubeconfigOfEntra()).toString('base64');
    expect(() => decodeKubeconfig('legacy', answered)).toThrow(waits('legacy'));
    process.env.AAD_LOGIN_METHOD = 'azurecli';
    expect(decodeKubeconfig('legacy', answered)).toContain('devicecode');
  });

  it('is refused for an external cluster', async () => {
    const external = { issuer: 'https://issuer.example/edge', kubeconfig: kubeconfigOfEntra() };
    await expect(record(() => new WorkloadIdentityCluster('edge', { external }))).rejects.toThrow(
      waits('edge'),
    );
  });
});

it('in a preview is not switched on: its issuer is unknown then', async () => {
  const { result, calls } = await recorded({ oidcIssuerProfile: { enabled: false } }, true);

  expect(await isKnown(result.issuerUrl)).toBe(false);
  expect(await isKnown(result.kubeconfig)).toBe(true);
  expect(calls.map(({ token }) => token)).not.toContain('azure-native:authorization:getClientToken');
});

it('in a preview keeps the issuer that it has: only workload identity would be switched on', async () => {
  const { result } = await recorded({ securityProfile: {} }, true);

  // Unknown, it would show the provider, and all that is installed with it, as replaced.
  expect(await isKnown(result.issuerUrl)).toBe(true);
  expect(await valueOf(result.issuerUrl)).toBe('https://issuer.example/legacy/');
});

it.each([
  [{}, 'the OIDC issuer and workload identity disabled'],
  [{ oidcIssuerProfile: { enabled: true } }, 'workload identity disabled'],
  [{ securityProfile: { workloadIdentity: { enabled: true } } }, 'the OIDC issuer disabled'],
])('with %j says what is off, and how to switch it on', (found, off) => {
  expect(() => assertEnabled('WorkloadIdentityCluster aks-1', parseResourceId(id), found)).toThrow(
    `WorkloadIdentityCluster aks-1: the cluster legacy has ${off}, so no identity can trust its service accounts. Run \`az aks update --name legacy --resource-group rg --subscription ${ids.subscription} --enable-oidc-issuer --enable-workload-identity\`, or set \`enable: true\`.`,
  );
});
