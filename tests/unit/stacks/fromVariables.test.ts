import { validate } from '../../../stacks/configuration';
import { checkStackFile } from '../../../stacks/stackFile';
import { settingIn } from '../../../stacks/settings/settingIn';
import { formatProblem } from '../../../stacks/settings/problem';
import { application, input } from './settings';

const now = new Date('2026-01-01');
const checked = (changes: Record<string, unknown>, variables: NodeJS.ProcessEnv) =>
  validate('test', input([application('orders')], changes), undefined, [], now, variables);
const settingsOf = (changes: Record<string, unknown>, variables: NodeJS.ProcessEnv) => {
  const validation = checked(changes, variables);
  if (!validation.ok) throw new Error(validation.problems.map(formatProblem).join('\n'));
  return validation.configuration.settings;
};
const problemsOf = (changes: Record<string, unknown>, variables: NodeJS.ProcessEnv) => {
  const validation = checked(changes, variables);
  return validation.ok ? [] : validation.problems.map(formatProblem);
};

describe('a value of the form $(NAME)', () => {
  it('is that of the variable, wherever it stands, of the type that the setting has', () => {
    const settings = settingsOf(
      {
        location: '$(WI_REGION)',
        resourceGroup: '$(wi.group)',
        vault: { name: '$(WI_VAULT)', publicAccess: '$(WI_PUBLIC)', softDeleteRetentionInDays: '$(WI_DAYS)' },
        clusters: [{ name: 'aks-1', kubernetesVersion: '$(WI_KUBERNETES)', nodes: { count: '$(WI_NODES)' } }],
        tags: { cost: '$(WI_COST)' },
      },
      {
        ...{ WI_REGION: 'northeurope', WI_GROUP: 'rg-of-group', WI_VAULT: 'kv-of-group', WI_PUBLIC: 'false' },
        ...{ WI_DAYS: '30', WI_KUBERNETES: '1.35', WI_NODES: '2', WI_COST: '1234' },
      },
    );

    expect(settings).toMatchObject({
      ...{ location: 'northeurope', resourceGroup: { name: 'rg-of-group' }, tags: { cost: '1234' } },
      vault: { name: 'kv-of-group', publicAccess: false, softDeleteRetentionInDays: 30 },
      clusters: [{ kubernetesVersion: '1.35', nodes: { count: 2 } }],
    });
  });

  it('is checked like any other, and the message names the variable', () => {
    const wrong = { location: '$(WI_REGION)', vault: { name: 'kv-test', publicAccess: '$(WI_PUBLIC)' } };

    expect(problemsOf(wrong, { WI_REGION: 'West Europe', WI_PUBLIC: 'yes' })).toEqual([
      'aks-workload-identity:location: the value of the variable WI_REGION is not allowed. Allowed: the short name of a region, such as westeurope.',
      'aks-workload-identity:vault.publicAccess: the value of the variable WI_PUBLIC is not allowed. Allowed: true, false.',
    ]);
  });

  it.each<[string, NodeJS.ProcessEnv]>([
    ['there is none', {}],
    ['it is empty', { WI_REGION: '' }],
    ['Azure Pipelines found none', { WI_REGION: '$(WI_REGION)' }],
  ])('is one error, with where to set it, where %s', (_, variables) => {
    expect(problemsOf({ location: '$(WI_REGION)' }, variables)).toEqual([
      'aks-workload-identity:location: "$(WI_REGION)" names a variable that is not set. Allowed: a value, or the name of a variable that has one. Set WI_REGION: in Azure Pipelines in the variable group aks-workload-identity-test, in GitHub Actions in the environment (and under `env` of the job), on a workstation by `export WI_REGION=…`.',
    ]);
  });

  it('is an ordinary string within a value', () => {
    expect(settingsOf({ tags: { cost: 'a $(B)' } }, { B: 'c' }).tags).toEqual({ cost: 'a $(B)' });
  });

  it('does not apply to secrets: encrypted values are not taken from variables', () => {
    const settings = { secretValues: { 'orders-db': '$(PASSWORD)' } };

    expect(settingsOf(settings, { PASSWORD: 'of the pipeline' }).secretValues).toEqual(settings.secretValues);
  });

  it('works where a stack file is read without an engine, with the line of an unset variable', () => {
    const text = 'config:\n  aks-workload-identity:location: $(WI_REGION_OF_TEST)\n';
    const check = () =>
      checkStackFile({ environment: 'test', file: 'Pulumi.test.yaml', text }, () => undefined).problems;
    const reported = expect.objectContaining({
      line: 2,
      message: expect.stringContaining('names a variable that is not set') as string,
    }) as unknown;

    expect(check()).toContainEqual(reported);
    process.env.WI_REGION_OF_TEST = 'northeurope';
    try {
      expect(check()).not.toContainEqual(reported);
      expect(settingIn(text, 'location')).toBe('northeurope');
    } finally {
      delete process.env.WI_REGION_OF_TEST;
    }
  });
});
