import type { PromoteFlags } from '../../../cli/promote/command';
import { VisibleError } from '../../../cli/visibleError';
import type { HostedClusterOutput } from '../../../stacks/outputs/outputs';
import { releaseDigest } from '../../../stacks/settings/releases/digest';
import { hostedCluster, stackText } from './projectFolder';
import type { Case } from './promotions';
import { both, failed, files, orders, run, workload } from './promotions';

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

  it('changes one line of its file, beside those of the applications', async () => {
    const { result, after, stdout, stderr, verify } = await run({ project, hostedClusters: [output()] });

    expect(result).toBeUndefined();
    expect(after[file]).toBe(promoted);
    expect(after['applications/orders.yaml']).not.toBe(orders);
    expect(stdout).toContain("-  prod: '4.19.1'\n+  prod: '4.19.2'\n");
    expect(stderr).toContain('prod: billing 1.0.0 → 1.1.0\nprod: hc1 4.19.1 → 4.19.2\n');
    expect(verify).toHaveBeenCalledTimes(1);
  });

  it.each<[string, Partial<PromoteFlags>, string]>([
    ['of it alone', flags, file],
    ['of an application alone', { application: ['orders'] }, 'applications/orders.yaml'],
  ])('may be %s', async (_, only, changed) => {
    const { result, after } = await run({ project, flags: only, hostedClusters: [output()] });

    expect(result).toBeUndefined();
    const names = Object.entries(after).filter(([name, text]) => text !== (project as typeof after)[name]);
    expect(names.map(([name]) => name)).toEqual([changed]);
  });

  it('is none if nothing differs', async () => {
    const { result, stderr } = await run({ project: { ...project, [file]: promoted }, flags });
    expect(result).toBeUndefined();
    expect(stderr).toBe('prod has what dev has already: hc1 4.19.2.\n');
  });

  const { version: _version, digest: _digest, ...withoutRelease } = output();
  it.each<[string, Case, string | RegExp]>([
    [
      'if it is not deployed',
      { hostedClusters: [] },
      'dev is to have hc1 4.19.2, and has deployed nothing on aks-1. Nothing was written.',
    ],
    [
      'if another version is deployed',
      { hostedClusters: [output({ version: '4.19.1' })] },
      'dev is to have hc1 4.19.2, and has deployed 4.19.1 on aks-1. Nothing was written.',
    ],
    [
      'if its control plane is still elsewhere in another version',
      { hostedClusters: [output(), output({ managementCluster: 'aks-0', version: '4.19.1' })] },
      'dev is to have hc1 4.19.2, and has deployed 4.19.1 on aks-0. Nothing was written.',
    ],
    [
      'if what is deployed is of no release',
      { hostedClusters: [withoutRelease] },
      'dev is to have hc1 4.19.2, and has deployed no release on aks-1. Nothing was written.',
    ],
    [
      'if an application of its name is deployed, and not it',
      { workloads: [workload('hc1', { version: '4.19.2' })] },
      'dev is to have hc1 4.19.2, and has deployed nothing on aks-1. Nothing was written.',
    ],
    [
      'if its release was edited since it was deployed',
      {
        project: { ...project, [file]: hc1.replace('x/ocp:4.19.2', 'x/ocp:4.19.3') },
        hostedClusters: [output()],
      },
      'Release 4.19.2 of hc1, or what the stack file of dev adds to it, was edited after dev got it: dev has deployed something else under that version. Nothing was written.',
    ],
    [
      'if the verification does not pass',
      { hostedClusters: [output()], verified: failed },
      /^The verification of dev does not pass: 1 of 9 checks failed; nothing was written\.\n/,
    ],
    [
      'if the other stack lacks it',
      { project: { ...project, 'Pulumi.prod.yaml': stackText('prod', both) } },
      'prod has no hosted cluster hc1. Nothing was written.',
    ],
    [
      'if its release has what follows from the settings',
      { project: { ...project, [file]: hc1.replace(/(4\.19\.2': { spec: { )/, '$1issuerURL: x, ') } },
      /^Pulumi\.dev\.yaml is not valid; nothing was written\.\n {2}hosted-clusters\/hc1\.yaml:7: releases\["4\.19\.2"\]\.spec\.issuerURL: "x" follows from the other settings/,
    ],
  ])('is refused, and nothing written, %s', async (_, given, message) => {
    const { result, after, stdout } = await run({ project, flags, ...given });

    expect({ after, stdout }).toEqual({ after: given.project ?? project, stdout: '' });
    if (!(result instanceof VisibleError)) throw new Error(`not refused: ${String(result)}`);
    if (typeof message === 'string') expect(result.message).toBe(message);
    else expect(result.message).toMatch(message);
  });
});
