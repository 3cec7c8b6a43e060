import { promoteByPullRequest, requireDeployed } from '../../../cli/pipeline/promotion';
import { runPulumi } from '../../../cli/pulumi';

jest.mock('../../../cli/pulumi', () => ({
  ...jest.requireActual<object>('../../../cli/pulumi'),
  runPulumi: jest.fn(),
}));

/** The check of an environment at the commit c1, with the commits of the last updates of its stacks. */
function deployed(commits: Readonly<Record<string, string>>): Promise<void> {
  jest.mocked(runPulumi).mockImplementation(({ name }, [, what]) => {
    const environment = { 'git.head': commits[name] };
    const update = { kind: 'update', result: 'succeeded', startTime: '2026-11-01T00:00:00Z', environment };
    const cells = [{ stack: 'dev-a' }, { stack: 'dev-b' }];
    return Promise.resolve(JSON.stringify(what === 'output' ? { cells } : [update]));
  });
  return requireDeployed('dev', '.', 'c1');
}

it('a promotion goes on if every cell is deployed at this commit, and not before', async () => {
  await expect(deployed({ dev: 'c1', 'dev-a': 'c1', 'dev-b': 'c1' })).resolves.toBeUndefined();
  await expect(deployed({ dev: 'c1', 'dev-a': 'c1', 'dev-b': 'c0' })).rejects.toThrow(
    'Stack dev-b is not deployed at c1',
  );
});

it('a promotion by a pull request is not for a workstation', async () => {
  const request = { dryRun: false, from: 'dev', to: 'prod', base: 'main', timeout: 1 };
  await expect(promoteByPullRequest(request, '.', undefined)).rejects.toThrow('Only GitHub Actions and');
});
