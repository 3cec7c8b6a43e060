import { releaseDigest } from '../../../stacks/settings/releases/digest';
import { record, valueOf } from '../components/support/recorder';
import { deployed } from './deployed';
import { configurationOf, input } from './settings';

// What these do not prove: that the API server takes the HostedCluster; the end-to-end test of `spec` does.

const subscription = '/subscriptions/22222222-2222-4222-8222-222222222222';
const network = `${subscription}/resourceGroups/net/providers/Microsoft.Network`;
const path = 'hosted-clusters/hc1.yaml';
const spec = (version: string) => ({ release: { image: `x/ocp:${version}` }, pullSecret: { name: 'pull' } });
const releases = {
  name: 'hc1',
  environments: { test: '4.19.2', prod: '4.19.1' },
  releases: { '4.19.1': { spec: spec('4.19.1') }, '4.19.2': { spec: spec('4.19.2') } },
};

/** A configuration with one hosted cluster. */
function hostedConfiguration(more: object = {}, environment = 'test') {
  const hosted = {
    ...{ name: 'hc1', managementCluster: 'aks-1', issuer: 'https://issuer.example/hc1' },
    resourceGroup: `${subscription}/resourceGroups/hc1`,
    subnet: `${network}/virtualNetworks/vnet/subnets/nodes`,
    securityGroup: `${network}/networkSecurityGroups/nsg`,
    authentication: 'WorkloadIdentities',
    ...('spec' in more ? {} : { release: `./${path}` }),
    ...more,
  };
  return configurationOf(input([], { hostedClusters: [hosted] }), environment, (name) =>
    name === path ? JSON.stringify(releases) : undefined,
  );
}

const hostedIn = (...given: Parameters<typeof hostedConfiguration>) =>
  hostedConfiguration(...given).plan.clusters[0]?.hostedClusters[0];

describe('a hosted cluster with a release file', () => {
  it('has the spec that the file pins for the environment, and its digest', () => {
    expect(hostedIn()).toMatchObject({
      settings: { name: 'hc1', spec: spec('4.19.2') },
      version: '4.19.2',
      digest: releaseDigest({ spec: spec('4.19.2') }),
      namespaces: [{ name: 'clusters', existing: false }],
    });
    expect(hostedIn({}, 'prod')).toMatchObject({
      settings: { spec: spec('4.19.1') },
      version: '4.19.1',
      digest: releaseDigest({ spec: spec('4.19.1') }),
    });
  });

  it('has what differs between stacks from the stack file', () => {
    const own = { dns: { baseDomain: 'test.example.com' }, pullSecret: { name: 'own' } };
    expect(hostedIn({ release: `./${path}`, spec: own })?.settings.spec).toEqual({
      ...{ release: { image: 'x/ocp:4.19.2' }, pullSecret: { name: 'own' } },
      dns: { baseDomain: 'test.example.com' },
    });
  });

  it('has another digest with another spec, and the same in another order', () => {
    const { release, pullSecret } = spec('4.19.2');
    expect(releaseDigest({ spec: { pullSecret, release } })).toBe(
      releaseDigest({ spec: { release, pullSecret } }),
    );
    expect(releaseDigest({ spec: { release } })).not.toBe(releaseDigest({ spec: { release, pullSecret } }));
    expect(releaseDigest({ spec: {} })).not.toBe(releaseDigest({}));
  });

  it('is made of that spec, and told in the outputs with its version and digest', async () => {
    const { result, find } = await record(() => deployed(hostedConfiguration()));

    expect(find('kubernetes:hypershift.openshift.io/v1beta1:HostedCluster', 'hc1').inputs).toMatchObject({
      spec: { ...spec('4.19.2'), issuerURL: 'https://issuer.example/hc1' },
    });
    expect(await valueOf(result.hostedClusters)).toMatchObject([
      { name: 'hc1', version: '4.19.2', digest: releaseDigest({ spec: spec('4.19.2') }) },
    ]);
  });

  it('has no version without one', async () => {
    const given = { spec: spec('4.19.2') };
    expect(hostedIn(given)?.version).toBeUndefined();
    const { result } = await record(() => deployed(hostedConfiguration(given)));
    const [hosted] = await valueOf(result.hostedClusters);
    expect(hosted).not.toHaveProperty('version');
    expect(hosted).not.toHaveProperty('digest');
  });
});
