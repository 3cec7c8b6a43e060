import { jobSetOf } from '../../../cli/fleet/jobset';
import { jobSetTable, nextOfJobSet, statusIn } from '../../../cli/fleet/jobSetStatus';

// What the objects of a rollout say. What these do not prove: that the API server has such objects, which the end-to-end test of
// JobSets does.

const manifest = jobSetOf({
  ...{ name: 'rollout', namespace: 'fleet', environment: 'prod', commit: 'c'.repeat(40), image: 'x' },
  ...{ serviceAccount: 'fleet', command: ['aks-wi'], env: {} },
  waves: [
    { name: 'environment', cells: ['prod'], parallelism: 1 },
    { name: 'wave-1', cells: ['a', 'b', 'c', 'd', 'e'], parallelism: 2 },
    { name: 'wave-2', cells: ['f'], parallelism: 1 },
  ],
});
const job = (wave: string, status: object) => ({
  metadata: { labels: { 'jobset.sigs.k8s.io/replicatedjob-name': wave } },
  status,
});
const jobs = [
  job('environment', { succeeded: 1, completedIndexes: '0' }),
  job('wave-1', { active: 1, succeeded: 1, failed: 4, failedIndexes: '0,2-3' }),
];
const named = { name: 'rollout', namespace: 'fleet' };
const read = (changes: { suspend?: boolean; terminalState?: string }) => {
  const { terminalState, ...spec } = changes;
  const object = { ...manifest, spec: { ...manifest.spec, ...spec }, status: { terminalState } };
  return { ...named, ...statusIn(JSON.parse(JSON.stringify(object)), jobs) };
};

describe('the status of a JobSet', () => {
  it('has the cells of each wave that run, succeeded and failed', () => {
    const { commit, state, waves } = read({});

    expect({ commit, state }).toEqual({ commit: 'c'.repeat(40), state: 'running' });
    expect(waves).toEqual([
      { name: 'environment', cells: 1, active: 0, succeeded: 1, failed: [] },
      {
        ...{ name: 'wave-1', cells: 5, active: 1, succeeded: 1 },
        failed: [
          { index: 0, stack: 'a' },
          { index: 2, stack: 'c' },
          { index: 3, stack: 'd' },
        ],
      },
      { name: 'wave-2', cells: 1, active: 0, succeeded: 0, failed: [] },
    ]);
    expect(jobSetTable({ ...named, state, waves })).toContain('a (index 0), c (index 2), d (index 3)');
  });

  it.each([
    ['running', {}, 'Wait until the rollout ends.'],
    [
      'suspended',
      { suspend: true },
      /^The rollout is suspended\. Set `spec\.suspend` of the JobSet rollout to false/,
    ],
    ['completed', { terminalState: 'Completed', suspend: false }, undefined],
    [
      'failed',
      { terminalState: 'Failed' },
      /^The rollout failed in wave-1, at a, c, d\. Fix the cause, delete the JobSet, and apply it again: `kubectl delete jobset --namespace fleet rollout`\. The log: `kubectl logs --namespace fleet --selector batch\.kubernetes\.io\/job-name=rollout-wave-1-0,batch\.kubernetes\.io\/job-completion-index=0`\.$/,
    ],
  ])('%s says what to do next', (state, changes, next) => {
    const found = read(changes);
    expect(found.state).toBe(state);
    if (next instanceof RegExp) expect(nextOfJobSet(found)).toMatch(next);
    else expect(nextOfJobSet(found)).toBe(next);
  });
});
