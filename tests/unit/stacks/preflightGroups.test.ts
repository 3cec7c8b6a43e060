import { fails, preflighted } from './preflighted';
import { input } from './settings';

// What mocks do not prove: what Entra answers; the end-to-end test of groups has the local one.

const existing = '33333333-3333-4333-8333-333333333333';
const getGroup = 'azuread:index/getGroup:getGroup';

/** What the preflight finds, a line each, and the functions that it asks. */
async function problemsOf(groups: object[], answers: Readonly<Record<string, unknown>> = {}) {
  const { problems, recording } = await preflighted(input([], { groups }), answers);
  return { problems, asked: recording.calls.map(({ token }) => token) };
}

describe('a group', () => {
  const platform = [{ name: 'platform', existing }];

  it('is looked up only where one exists, and Entra is asked only where there are groups', async () => {
    expect(await problemsOf(platform)).toMatchObject({
      problems: [],
      asked: expect.arrayContaining([getGroup]) as unknown,
    });
    expect((await problemsOf([{ name: 'readers' }])).asked).not.toContain(getGroup);
    expect((await problemsOf([])).asked.filter((token) => token.startsWith('azuread:'))).toEqual([]);
  });

  it.each<[string, unknown, RegExp]>([
    [
      'is not there',
      fails(`1 error occurred:\n\t* No group found with object ID: "${existing}"\n\n`),
      /cannot be read as a group: .*1 error occurred: \* No group found with object ID: "33333333-[^\n]*"\. Allowed: the object id of a security group.*Correct it, as `az ad group show/,
    ],
    [
      'is one that the stack made',
      { description: 'Made by the stack aks-workload-identity/test.' },
      /this stack created/,
    ],
    ['is no security group', { securityEnabled: false }, /is not a security group/],
    ['has a rule for its members', { types: ['DynamicMembership'] }, /a group with dynamic membership/],
    ['is of another directory', { onpremisesSyncEnabled: true }, /is a group of another directory/],
  ])('is refused if it %s', async (_, answer, problem) => {
    const { problems } = await problemsOf(platform, { [getGroup]: answer });
    expect(problems).toEqual([expect.stringMatching(problem)]);
    expect(problems[0]).toContain(`aks-workload-identity:groups[0].existing: "${existing}" `);
  });

  it('is refused in another tenant than that of the subscription', async () => {
    const { problems } = await problemsOf([{ name: 'readers' }], {
      'azuread:index/getClientConfig:getClientConfig': { tenantId: 'another' },
    });
    expect(problems).toEqual([expect.stringMatching(/azuread:tenantId: "another" is not the tenant/)]);
  });
});
