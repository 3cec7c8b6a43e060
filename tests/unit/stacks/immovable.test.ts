import { validate } from '../../../stacks/configuration/configuration';
import { formatProblem } from '../../../stacks/configuration/problem';
import { immovableProblems } from '../../../stacks/existing/immovable';
import { OwnState } from '../../../stacks/keeping/ownState';
import { ids } from '../components/support/azure';
import type { MockUpdate } from './history';
import { update } from './history';
import { groupId } from './ids';
import { application, validInput } from './settings';

// The state is that of an update with mocks, which puts everything into the group `rg`.

const base = { resourceGroup: 'rg' };

function problemsAfter(before: OwnState, changes: Record<string, unknown>): string[] {
  const validation = validate('test', validInput({ ...base, ...changes }));
  if (!validation.ok) throw new Error(validation.problems.map(formatProblem).join('\n'));
  return immovableProblems(validation.configuration, before).map(formatProblem);
}

let before: MockUpdate;
beforeAll(async () => {
  before = await update(validInput(base));
});

describe('a stack that has made something', () => {
  it('may change whatever is not its place', () => {
    expect(problemsAfter(before.state, {})).toEqual([]);
    expect(problemsAfter(before.state, { resourceGroup: 'RG', tags: { a: 'b' } })).toEqual([]);
    expect(problemsAfter(before.state, { applications: [application('new', {})] })).toEqual([]);
  });

  it('is refused another group, with the things that are in the one it has', () => {
    expect(problemsAfter(before.state, { resourceGroup: 'rg-other' })).toEqual([
      expect.stringMatching(
        /^aks-workload-identity:resourceGroup: "rg-other" is not the group that the stack's things are in, rg \([^)]+ and \d+ more\), and nothing can be moved to another: all would be made anew\. Set it back to rg; for another group, make another stack\.$/,
      ),
    ]);
  });

  it('is refused to adopt the group that it made, or one elsewhere', () => {
    const own = `/subscriptions/${ids.subscription}/resourceGroups/rg`;

    expect(problemsAfter(before.state, { resourceGroup: { adopt: own } })).toEqual([
      expect.stringContaining('is a group that this stack made'),
    ]);
    expect(problemsAfter(before.state, { resourceGroup: { adopt: groupId('rg') } })).toEqual([
      expect.stringContaining("is not the group that the stack's things are in, rg"),
    ]);
  });

  it('is refused to make the group that it adopted', () => {
    const adopted = new OwnState(
      before.state.resources.filter(({ type }) => type !== 'azure-native:resources:ResourceGroup'),
    );

    expect(problemsAfter(adopted, {})).toEqual([
      expect.stringContaining('"rg" is the name of a group that this stack adopted'),
    ]);
  });

  it('is refused another region, not another spelling of its own', () => {
    expect(problemsAfter(before.state, { location: 'northeurope' })).toEqual([
      expect.stringMatching(
        /^aks-workload-identity:location: "northeurope" is not the region that the stack's things are in, westeurope .*Set it back to westeurope; for another region, make another stack\.$/,
      ),
    ]);
    const spelled = new OwnState(
      before.state.resources.map((resource) => ({
        ...resource,
        outputs: { ...resource.outputs, location: 'West Europe' },
      })),
    );
    expect(problemsAfter(spelled, {})).toEqual([]);
  });
});

describe('a stack without anything', () => {
  it('may be anywhere', () => {
    expect(problemsAfter(new OwnState(), { resourceGroup: 'rg-other', location: 'northeurope' })).toEqual([]);
  });
});
