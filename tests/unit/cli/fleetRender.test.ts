import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { azurePipeline } from '../../../cli/fleet/azurePipelines';
import type { EngineRollout } from '../../../cli/fleet/engines';
import { gitHubWorkflow } from '../../../cli/fleet/gitHub';
import { operatorStacks } from '../../../cli/fleet/pulumiOperator';
import { expandedText } from '../../support/pipelineFiles';
import { gitHubErrors, isPipeline } from '../../support/pipelineSyntax';
import { reviewed } from '../support/reviewed';
import { clusterNames, fleetText, runFleet, stackFileOfCell } from './fleet.fixture';

// What the engines get, checked by their vendors' parsers and schemas. What it does not prove: that they run it.

const shows = reviewed(__filename);
const commit = '4f2a9c1d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39';
const files = {
  ...Object.fromEntries(
    ['canary', 'c01', 'c02'].map((name) => [`Pulumi.fleet-${name}.yaml`, stackFileOfCell]),
  ),
  'Pulumi.fleet.yaml': fleetText(clusterNames(4), {
    canary: [1, 'aks-001'],
    c01: [2, 'aks-002'],
    c02: [2, 'aks-003', 'aks-004'],
  }),
};
const written = (folder: string) => readFileSync(path.join(folder, 'rollout.yaml'), 'utf8');
const rendered = async (...args: string[]) => {
  const { after } = await runFleet(
    files,
    ['render', ...args, '--stack', 'fleet', '--out', '{folder}/rollout.yaml'],
    written,
  );
  return after ?? '';
};
const pinned = ['--commit', commit, '--repository', 'https://github.com/example/fleet'];

const large: EngineRollout = {
  environment: 'fleet',
  parallel: 10,
  waves: [1, 300].map((count, index) =>
    Array.from({ length: count }, (_, cell) => {
      const name = `w${index + 1}-${cell + 1}`;
      return { name, stack: `fleet-${name}`, wave: index + 1, clusters: [] };
    }),
  ),
};
interface Matrix {
  'max-parallel': number;
  matrix: { cell: string[] };
}

describe('a workflow of GitHub Actions', () => {
  shows('a workflow of GitHub Actions', () => rendered('github'));

  it.each([['a small fleet'], ['a large fleet']])("for %s is valid by GitHub's own parser", async (which) => {
    expect(
      await gitHubErrors(which === 'a small fleet' ? await rendered('github') : gitHubWorkflow(large)),
    ).toEqual([]);
  });

  it('splits a wave of more than 256 cells into jobs that share what runs at once', () => {
    const { jobs } = parse(gitHubWorkflow(large)) as {
      jobs: Record<string, { needs: string[]; strategy?: Matrix }>;
    };
    const of = (name: string) => jobs[name]?.strategy;
    expect(Object.keys(jobs)).toEqual(['environment', 'wave-1', 'approve-wave-2', 'wave-2-1', 'wave-2-2']);
    expect(
      [of('wave-2-1'), of('wave-2-2')].map((job) => [job?.['max-parallel'], job?.matrix.cell.length]),
    ).toEqual([
      [5, 256],
      [5, 44],
    ]);
    expect(jobs['wave-2-2']?.needs).toEqual(['approve-wave-2']);
  });
});

it.each([
  ['a workflow', gitHubWorkflow],
  ['a pipeline', azurePipeline],
])('%s runs no more cells at once than asked, also in a wave of several matrices', (_, render) => {
  expect(() => render({ ...large, parallel: 1 })).toThrow(
    '--parallel is 1, but a wave has 300 cells. A matrix has at most 256, and the 2 matrices of the wave run at the same time.',
  );
  const limits = [...render({ ...large, parallel: 3 }).matchAll(/max-?parallel: '?(\d+)/gi)];
  expect(limits.map(([, count]) => Number(count))).toEqual([3, 1, 1]);
});

describe('a pipeline of Azure DevOps', () => {
  shows('a pipeline of Azure DevOps', () => rendered('azure', '--parallel', '2'));

  it.each([['a small fleet'], ['a large fleet']])("for %s is valid by Microsoft's schema", async (which) => {
    const text = which === 'a small fleet' ? await rendered('azure') : azurePipeline(large);
    for (const pipeline of [parse(text) as unknown, expandedText(text)]) {
      isPipeline(pipeline);
      expect(isPipeline.errors ?? []).toEqual([]);
    }
  });
});

describe('resources of the Pulumi Kubernetes Operator', () => {
  shows('Stack resources of the Pulumi Kubernetes Operator', () =>
    rendered('pko', ...pinned, '--backend', 'azblob://state'),
  );

  it('wait for every cell of the wave before, at one commit', () => {
    const stacks = parseAllDocuments(
      operatorStacks(large, { repository: 'https://x', commit, namespace: 'fleet', serviceAccount: 'fleet' }),
    ).map((document) => document.toJS() as { spec: { commit: string; prerequisites?: unknown[] } });
    expect(stacks).toHaveLength(302);
    expect(new Set(stacks.map(({ spec }) => spec.commit))).toEqual(new Set([commit]));
    expect(stacks.map(({ spec }) => spec.prerequisites?.length ?? 0)).toEqual([
      0,
      1,
      ...Array<number>(300).fill(1),
    ]);
  });
});

describe('a JobSet', () => {
  shows('a JobSet', () =>
    rendered(
      'jobset',
      ...pinned.slice(0, 2),
      '--image',
      'ghcr.io/example/fleet:1',
      '--backend',
      'azblob://state',
      ...['--env-secret', 'fleet', '--env', 'ARM_SUBSCRIPTION_ID=s', '--env', 'EMPTY='],
    ),
  );
  it('has a name of its own in each namespace, with room for those of its pods', async () => {
    const nameIn = async (namespace: string) => {
      const text = await rendered('jobset', ...pinned.slice(0, 2), '--image', 'x', '--namespace', namespace);
      return (parse(text) as { metadata: { name: string } }).metadata.name;
    };
    const names = [await nameIn('one'), await nameIn('two')];
    expect(new Set(names).size).toBe(2);
    expect(names[0]?.length).toBeLessThanOrEqual(40);
  });
  shows('refuses a variable that has no value', () =>
    runFleet(files, ['render', 'jobset', '--stack', 'fleet', '--image', 'x', '--env', 'NAME']),
  );
});

describe('fleet render', () => {
  shows('prints without --out', async () => {
    const { stdout, code } = await runFleet(files, ['render', 'github', '--stack', 'fleet']);
    return { lines: stdout.split('\n').slice(0, 3).join('\n'), code };
  });
  shows('refuses a stack without cells', () =>
    runFleet({ 'Pulumi.fleet.yaml': fleetText(clusterNames(1)) }, ['render', 'azure', '--stack', 'fleet']),
  );
  shows('refuses a cell without a stack file', () =>
    runFleet({ 'Pulumi.fleet.yaml': files['Pulumi.fleet.yaml'] }, ['render', 'github', '--stack', 'fleet']),
  );
  shows('refuses an unknown stack', () => runFleet(files, ['render', 'github', '--stack', 'flet']));
  shows('refuses a commit that is not pinned', () =>
    runFleet(files, ['render', 'pko', '--stack', 'fleet', ...pinned.with(1, 'main')]),
  );
  shows('refuses a file that cannot be written', () =>
    runFleet(files, ['render', 'github', '--stack', 'fleet', '--out', '/missing/rollout.yaml']),
  );
});
