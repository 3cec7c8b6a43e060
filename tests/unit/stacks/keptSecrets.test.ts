import { validate } from '../../../stacks/configuration/configuration';
import type { EnvironmentPlan } from '../../../stacks/plan';
import { problemsOf, validInput } from './settings';

function planOf(input: Record<string, unknown>): EnvironmentPlan {
  const validation = validate('test', input);
  if (!validation.ok) throw new Error('the configuration was expected to be valid');
  return validation.configuration.plan;
}

const applications = validInput().applications as { name: string }[];
const without = (name: string) => applications.filter((application) => application.name !== name);
const secretValues = { 'orders-db': 'of the test', 'billing-db': 'of the test' };

describe('a secret with a value that no application names any more', () => {
  it('stays in the central vault, and nobody is granted it', () => {
    const plan = planOf(validInput({ applications: without('billing'), secretValues }));

    expect(plan.kept).toEqual(['billing-db']);
    expect(plan.vaults.find(({ name }) => name === 'kv-test')?.secrets).toEqual([
      'billing-db',
      'orders-db',
      'shared-api-key',
    ]);
    const granted = plan.clusters.flatMap(({ identities }) =>
      identities.flatMap(({ grants }) => grants.flatMap(({ secrets }) => secrets)),
    );
    expect(granted).toContain('orders-db');
    expect(granted).not.toContain('billing-db');
  });

  it('is no kept one while an application names it', () => {
    expect(planOf(validInput({ secretValues })).kept).toEqual([]);
  });

  it('is kept where access policies decide as well, and refuses no application that stays', () => {
    const vault = { name: 'kv-test', access: 'accessPolicy' };
    const plan = planOf(
      validInput({
        vault,
        applications: [{ ...without('billing')[0], secrets: ['orders-db'] }],
        secretValues,
      }),
    );

    expect(plan.kept).toEqual(['billing-db']);
  });

  it('is written nowhere without a central vault, and refused by no check', () => {
    const plan = planOf(
      validInput({ vaults: 'perApplication', applications: without('billing'), secretValues }),
    );

    expect(plan.kept).toEqual(['billing-db']);
    expect(plan.vaults.flatMap(({ secrets }) => secrets)).not.toContain('billing-db');
  });

  it('is taken for a misspelt name if one much like it has no value', () => {
    expect(problemsOf(validInput({ secretValues: { 'order-db': 'of the test' } }))).toEqual([
      'aks-workload-identity:secretValues.order-db: is a secret that no application names. Did you mean orders-db?',
    ]);
  });
});
