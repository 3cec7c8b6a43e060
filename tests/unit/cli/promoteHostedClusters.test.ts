import type { HostedClusterOutput } from '../../../stacks/outputs/hostedClusterOutput';
import { releaseDigest } from '../../../stacks/settings/releases/digest';
import { reviewed } from '../support/reviewed';
import { hostedCluster, stackText } from './projectFolder';
import type { Case } from './promotions';
import { both, failed, files, shown, workload } from './promotions';

jest.mock('../../../cli/stackOutputs');
jest.mock('../../../cli/verify/run');

// What these do not prove: that outputs and verification are those of a deployed stack.

afterEach(() => {
  jest.restoreAllMocks();
  jest.clearAllMocks();
});

describe('a promotion of a hosted cluster', () => {
  const hc1 = `name: hc1
environments:
  dev: '4.19.2'
  prod: '4.19.1'
releases:
  '4.19.1': { spec: { release: { image: 'x/ocp:4.19.1' } } }
  '4.19.2': { spec: { release: { image: 'x/ocp:4.19.2' } } }
`;
  const file = 'hosted-clusters/hc1.yaml';
  const project = {
    ...files,
    'Pulumi.dev.yaml': stackText('dev', both, hostedCluster),
    'Pulumi.prod.yaml': stackText('prod', both, hostedCluster),
    [file]: hc1,
  };
  const output = (more: Partial<HostedClusterOutput> = {}): HostedClusterOutput => ({
    name: 'hc1',
    version: '4.19.2',
    digest: releaseDigest({ spec: { release: { image: 'x/ocp:4.19.2' } } }),
    managementCluster: 'aks-1',
    namespace: 'clusters',
    controlPlaneNamespace: 'clusters-hc1',
    authentication: 'WorkloadIdentities',
    makesHostedCluster: true,
    components: [],
    nodes: [],
    patch: {},
    place: {},
    ...more,
  });
  const promoted = hc1.replace("prod: '4.19.1'", "prod: '4.19.2'");
  const flags = { hostedCluster: ['hc1'] };

  const shows = reviewed(__filename);
  const promotes = (title: string, example: Case) => shows(title, () => shown({ project, ...example }));

  promotes('changes one line of its file, beside those of the applications', { hostedClusters: [output()] });
  promotes('may be of it alone', { flags, hostedClusters: [output()] });
  promotes('may be of an application alone', {
    ...{ flags: { application: ['orders'] }, hostedClusters: [output()] },
  });
  promotes('does nothing if nothing differs', { project: { ...project, [file]: promoted }, flags });

  const { version: _version, digest: _digest, ...withoutRelease } = output();
  for (const [title, example] of Object.entries<Case>({
    'is not deployed': { hostedClusters: [] },
    'is deployed in another version': { hostedClusters: [output({ version: '4.19.1' })] },
    'has its control plane still elsewhere in another version': {
      hostedClusters: [output(), output({ managementCluster: 'aks-0', version: '4.19.1' })],
    },
    'is deployed of no release': { hostedClusters: [withoutRelease] },
    'is not deployed, but an application of its name': {
      workloads: [workload('hc1', { version: '4.19.2' })],
    },
    'has a release that was edited since it was deployed': {
      project: { ...project, [file]: hc1.replace('x/ocp:4.19.2', 'x/ocp:4.19.3') },
      hostedClusters: [output()],
    },
    'does not pass the verification': { hostedClusters: [output()], verified: failed },
    'is not in the other stack': { project: { ...project, 'Pulumi.prod.yaml': stackText('prod', both) } },
    'has a release with what follows from the settings': {
      project: { ...project, [file]: hc1.replace(/(4\.19\.2': { spec: { )/, '$1issuerURL: x, ') },
    },
  }))
    promotes(`is refused, and nothing written, if it ${title}`, { flags, ...example });
});
