import { renderSummary } from '../../../cli/validate/summary';
import { secretsByGrantee, summarizeConfiguration } from '../../../stacks/plan/summary';
import { shardOf } from '../../../stacks/plan/shards';
import type { Input } from './settings';
import { application, configurationOf, planOf, validInput } from './settings';

/** `billing` has an identity of its own, and `orders` that of its cluster. */
function input(ofCluster?: unknown, ofApplication?: unknown, more: Input = {}) {
  return validInput({
    clusters: [{ name: 'aks-1', ...(ofCluster !== undefined && { identityGenerations: ofCluster }) }],
    applications: [
      application('orders', { secrets: ['orders-db'] }),
      application('billing', {
        identity: 'application',
        secrets: ['billing-db'],
        ...(ofApplication !== undefined && { identityGenerations: ofApplication }),
      }),
    ],
    secretValues: {},
    ...more,
  });
}

const identitiesOf = (settings: Input) => planOf(settings).clusters.flatMap(({ identities }) => identities);

describe('the generations of an identity', () => {
  it('are named as an identity without generations from the first on', () => {
    const names = (settings: Input) => identitiesOf(settings).map(({ key, azureName }) => [key, azureName]);

    expect(names(input([1], [1]))).toEqual(names(input()));
    expect(names(input([2], [3]))).toEqual([
      ['aks-1-g2', 'id-test-aks-1-g2'],
      ['aks-1-billing-g3', 'id-test-aks-1-billing-g3'],
    ]);
  });

  it('have the same trust and grants, and applications run as the first', () => {
    const settings = input([2, 1], [1, 2]);
    const identities = identitiesOf(settings);

    expect(identities.map(({ key, generation }) => [key, generation])).toEqual([
      ['aks-1-g2', { number: 2, inUse: true }],
      ['aks-1', { number: 1, inUse: false }],
      ['aks-1-billing', { number: 1, inUse: true }],
      ['aks-1-billing-g2', { number: 2, inUse: false }],
    ]);
    const [, , inUse, beside] = identities;
    expect(beside).toMatchObject({ subjects: inUse?.subjects });
    for (const key of ['aks-1-billing', 'aks-1-billing-g2'])
      expect(secretsByGrantee(planOf(settings)).get(key)).toEqual(['kv-test/billing-db']);
    expect(
      planOf(settings).clusters[0]?.workloads.map(({ identity, identitiesBeside }) => ({
        identity,
        identitiesBeside,
      })),
    ).toEqual([
      { identity: 'aks-1-g2', identitiesBeside: ['aks-1'] },
      { identity: 'aks-1-billing', identitiesBeside: ['aks-1-billing-g2'] },
    ]);
  });

  it('of a cluster are those of its shards, too', () => {
    const shard = shardOf('orders');

    expect(identitiesOf(input([1, 2], undefined, { shard: true })).map(({ key }) => key)).toEqual([
      'aks-1',
      'aks-1-g2',
      `aks-1-${shard}`,
      `aks-1-${shard}-g2`,
      'aks-1-billing',
    ]);
  });

  it('are in the summary, with the one in use', () => {
    const summary = renderSummary(summarizeConfiguration(configurationOf(input(undefined, [2, 1]))));

    expect(summary).toContain(
      'id-test-aks-1-billing-g2 (generation 2, in use) trusts billing/billing on aks-1; reads kv-test/billing-db',
    );
    expect(summary).toContain(
      'id-test-aks-1-billing (generation 1, beside) trusts billing/billing on aks-1; reads kv-test/billing-db',
    );
    expect(summary).toContain('id-test-aks-1 trusts orders/orders');
  });
});
