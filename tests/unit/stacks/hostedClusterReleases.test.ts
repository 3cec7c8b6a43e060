import { releaseDigest } from '../../../stacks/settings/releases/digest';
import { validate } from '../../../stacks/checks/configuration';
import { formatProblem } from '../../../stacks/settings/problem';
import { record, valueOf } from '../components/support/recorder';
import { deployed } from './deployed';
import { validInput } from './settings';

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

/** What a configuration with one hosted cluster comes to. */
function validated(more: object = {}, file: object = releases, environment = 'test') {
  const hosted = {
    ...{ name: 'hc1', managementCluster: 'aks-1', issuer: 'https://issuer.example/hc1' },
    resourceGroup: `${subscription}/resourceGroups/hc1`,
    subnet: `${network}/virtualNetworks/vnet/subnets/nodes`,
    securityGroup: `${network}/networkSecurityGroups/nsg`,
    authentication: 'WorkloadIdentities',
    ...('spec' in more ? {} : { release: `./${path}` }),
    ...more,
  };
  const input = validInput({ applications: [], secretValues: {}, hostedClusters: [hosted] });
  return validate(environment, input, (name) => (name === path ? JSON.stringify(file) : undefined));
}

function configurationOf(...given: Parameters<typeof validated>) {
  const validation = validated(...given);
  if (!validation.ok) throw new Error(validation.problems.map(formatProblem).join('\n'));
  return validation.configuration;
}

const hostedIn = (...given: Parameters<typeof validated>) =>
  configurationOf(...given).plan.clusters[0]?.hostedClusters[0];

describe('a hosted cluster with a release file', () => {
  it('has the spec that the file pins for the environment, and its digest', () => {
    expect(hostedIn()).toMatchObject({
      settings: { name: 'hc1', spec: spec('4.19.2') },
      version: '4.19.2',
      digest: releaseDigest({ spec: spec('4.19.2') }),
      namespaces: [{ name: 'clusters', existing: false }],
    });
    expect(hostedIn({}, releases, 'prod')).toMatchObject({
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
    const { result, find } = await record(() => deployed(configurationOf()));

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
    const { result } = await record(() => deployed(configurationOf(given)));
    const [hosted] = await valueOf(result.hostedClusters);
    expect(hosted).not.toHaveProperty('version');
    expect(hosted).not.toHaveProperty('digest');
  });
});

describe('a release of a hosted cluster is refused', () => {
  const of = (release: object) => ({ ...releases, releases: { ...releases.releases, '4.19.2': release } });
  const hosted = 'aks-workload-identity:hostedClusters[0]';

  it.each<[string, object, object, string]>([
    [
      'in a file that does not exist',
      { release: './hosted-clusters/hc2.yaml' },
      releases,
      `${hosted}.release: "./hosted-clusters/hc2.yaml" is no file of the project. Write it, or correct this path, which is relative to the project.`,
    ],
    [
      'in a file outside the project',
      { release: '../hc1.yaml' },
      releases,
      `${hosted}.release: "../hc1.yaml" is not allowed. Allowed: a path of a .yaml file in the project, such as ./hosted-clusters/hc1.yaml.`,
    ],
    [
      'in the file of another hosted cluster',
      {},
      { ...releases, name: 'hc2' },
      `${path}: name: "hc2" is not the hosted cluster that names this file, "hc1". Correct it, or \`release\`.`,
    ],
    [
      'that the environment does not have',
      {},
      { ...releases, environments: { prod: '4.19.1' } },
      `${path}: environments.test: is missing, so the stack has no release of the hosted cluster. Allowed: 4.19.1, 4.19.2. Add it, for example \`test: "4.19.1"\`.`,
    ],
    [
      'that is of an application',
      {},
      of({ spec: {}, image: 'x/y:1' }),
      `${path}: releases["4.19.2"].image: is not a known key. Allowed: spec. Remove it.`,
    ],
    [
      'without a spec',
      {},
      of({}),
      `${path}: releases["4.19.2"].spec: is missing. Allowed: an object, such as { release: …, pullSecret: …, services: … }. Add it.`,
    ],
    [
      'with what follows from the settings',
      {},
      of({ spec: { platform: { azure: { subnetID: 'x' } } } }),
      `${path}: releases["4.19.2"].spec.platform.azure.subnetID: "x" follows from the other settings of the hosted cluster. Remove it.`,
    ],
    [
      'with what follows from the settings, in the stack file',
      { release: `./${path}`, spec: { platform: { azure: { subnetID: 'x' } } } },
      releases,
      `${hosted}.spec.platform.azure.subnetID: "x" follows from the other settings of the hosted cluster. Remove it.`,
    ],
  ])('%s', (_, more, file, message) => {
    const validation = validated(more, file);
    expect(validation.ok ? [] : validation.problems.map(formatProblem)).toEqual([message]);
  });
});
