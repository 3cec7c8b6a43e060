import { releaseDigest } from '../../../stacks/settings/releases/digest';
import { record, valueOf } from '../components/support/recorder';
import { deployed } from './deployed';
import { hostedCluster, vaultId } from './ids';
import { configurationOf, input } from './settings';

// What these do not prove: that the API server takes the HostedCluster; the end-to-end test of `spec` does.

const path = 'hosted-clusters/hc1.yaml';
const spec = (version: string) => ({ release: { image: `x/ocp:${version}` }, pullSecret: { name: 'pull' } });
const releases = {
  name: 'hc1',
  environments: { test: '4.19.2', live: '4.19.1' },
  releases: { '4.19.1': { spec: spec('4.19.1') }, '4.19.2': { spec: spec('4.19.2') } },
};
const byFederation = { authentication: 'WorkloadIdentities' };
const released = { ...byFederation, release: `./${path}` };

/** A configuration with one hosted cluster of these further fields. */
const configured = (fields: object = {}, environment = 'test') =>
  configurationOf(input([], { hostedClusters: [{ ...hostedCluster, ...fields }] }), environment, (name) =>
    name === path ? JSON.stringify(releases) : undefined,
  );

function planOf(...args: Parameters<typeof configured>) {
  const [hosted] = configured(...args).plan.clusters[0]?.hostedClusters ?? [];
  if (hosted === undefined) throw new Error('there is no hosted cluster');
  return hosted;
}

describe('the plan of a hosted cluster', () => {
  it('has eight components by default, each with a secret named as by HyperShift', () => {
    const hosted = planOf();
    expect(hosted.components.map(({ component, secret }) => [component, secret])).toEqual([
      ['cloudProvider', 'cloud-provider-hc1-json'],
      ['controlPlaneOperator', 'cpo-hc1-json'],
      ['nodePoolManagement', 'nodepool-mgmt-hc1-json'],
      ['ingress', 'ingress-hc1-json'],
      ['network', 'cncc-hc1-json'],
      ['disk', 'azure-disk-hc1-json'],
      ['file', 'azure-file-hc1-json'],
      ['imageRegistry', 'ciro-hc1-json'],
    ]);
    expect(hosted).toMatchObject({
      ...{ identityPrefix: 'id-test-hc1', grantee: 'hosted_hc1', createsClasses: false },
      namespaces: [],
    });
  });

  it('has kms with a key, and no image registry where that is off', () => {
    const kms = { vault: vaultId('kv-etcd'), key: 'etcd', version: '0123456789abcdef0123456789abcdef' };
    const names = planOf({ imageRegistry: false, kms }).components.map(({ component }) => component);
    expect(names).toContain('kms');
    expect(names).not.toContain('imageRegistry');
  });

  it('has no certificate and no secret where all components sign in with federation', () => {
    const { components, certificates } = planOf(byFederation);
    expect(certificates).toBeUndefined();
    expect(components.every(({ secret }) => secret === undefined)).toBe(true);
  });

  it('makes the namespaces in which the stack makes something', () => {
    const { namespaces } = planOf({ secretProviderClasses: 'stack', spec: { release: { image: 'x' } } });
    expect(namespaces).toMatchObject([
      { name: 'clusters', existing: false, path: ['hostedClusters', 0, 'namespace'] },
      { name: 'clusters-hc1', existing: false, path: ['hostedClusters', 0, 'secretProviderClasses'] },
    ]);
  });
});

describe('a hosted cluster with a release file', () => {
  it('has the spec that the file pins for the environment, and its digest', () => {
    for (const [environment, version] of Object.entries(releases.environments))
      expect(planOf(released, environment)).toMatchObject({
        ...{ settings: { name: 'hc1', spec: spec(version) }, version },
        digest: releaseDigest({ spec: spec(version) }),
        namespaces: [{ name: 'clusters', existing: false }],
      });
  });

  it('has what differs between stacks from the stack file', () => {
    const own = { dns: { baseDomain: 'test.example.com' }, pullSecret: { name: 'own' } };
    expect(planOf({ ...released, spec: own }).settings.spec).toEqual({
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

  it('is created from that spec, and its outputs have its version and digest', async () => {
    const { result, find } = await record(() => deployed(configured(released)));

    expect(find('kubernetes:hypershift.openshift.io/v1beta1:HostedCluster', 'hc1').inputs).toMatchObject({
      spec: { ...spec('4.19.2'), issuerURL: 'https://issuer.example/hc1' },
    });
    expect(await valueOf(result.hostedClusters)).toMatchObject([
      { name: 'hc1', version: '4.19.2', digest: releaseDigest({ spec: spec('4.19.2') }) },
    ]);
  });

  it('has no version without one', async () => {
    const fields = { ...byFederation, spec: spec('4.19.2') };
    expect(planOf(fields).version).toBeUndefined();
    const { result } = await record(() => deployed(configured(fields)));
    const [hosted] = await valueOf(result.hostedClusters);
    expect(hosted).not.toHaveProperty('version');
    expect(hosted).not.toHaveProperty('digest');
  });
});
