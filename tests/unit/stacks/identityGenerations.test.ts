import { renderSummary } from '../../../cli/validate/summary';
import { validate } from '../../../stacks/checks/configuration';
import type { Configuration } from '../../../stacks/plan';
import { summarizeConfiguration } from '../../../stacks/plan/summary';
import { formatProblem } from '../../../stacks/settings/problem';
import { shardOf } from '../../../stacks/plan';
import { application, problemsOf, validInput } from './settings';

/** `billing` has an identity of its own, and `orders` that of its cluster. */
function input(ofCluster?: unknown, ofApplication?: unknown, more: Record<string, unknown> = {}) {
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

function configured(given: Record<string, unknown>): Configuration {
  const validation = validate('test', given);
  if (!validation.ok) throw new Error(validation.problems.map(formatProblem).join('\n'));
  return validation.configuration;
}

const identitiesOf = (given: Record<string, unknown>) =>
  configured(given).plan.clusters.flatMap(({ identities }) => identities);

describe('the generations of an identity', () => {
  it('are named as an identity without generations from the first on', () => {
    const names = (given: Record<string, unknown>) =>
      identitiesOf(given).map(({ key, azureName }) => [key, azureName]);

    expect(names(input([1], [1]))).toEqual(names(input()));
    expect(names(input([2], [3]))).toEqual([
      ['aks-1-g2', 'id-test-aks-1-g2'],
      ['aks-1-billing-g3', 'id-test-aks-1-billing-g3'],
    ]);
  });

  it('have the same trust and grants, and applications run as the first', () => {
    const given = input([2, 1], [1, 2]);
    const identities = identitiesOf(given);

    expect(identities.map(({ key, generation }) => [key, generation])).toEqual([
      ['aks-1-g2', { number: 2, inUse: true }],
      ['aks-1', { number: 1, inUse: false }],
      ['aks-1-billing', { number: 1, inUse: true }],
      ['aks-1-billing-g2', { number: 2, inUse: false }],
    ]);
    const [, , inUse, beside] = identities;
    expect(beside).toMatchObject({ subjects: inUse?.subjects, grants: inUse?.grants });
    expect(beside?.grants).toEqual([{ vault: 'kv-test', secrets: ['billing-db'] }]);
    expect(
      configured(given).plan.clusters[0]?.workloads.map(({ identity, identitiesBeside }) => ({
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
    const summary = renderSummary(summarizeConfiguration(configured(input(undefined, [2, 1]))));

    expect(summary).toContain(
      'id-test-aks-1-billing-g2 (generation 2, in use) trusts billing/billing on aks-1; reads kv-test/billing-db',
    );
    expect(summary).toContain(
      'id-test-aks-1-billing (generation 1, beside) trusts billing/billing on aks-1; reads kv-test/billing-db',
    );
    expect(summary).toContain('id-test-aks-1 trusts orders/orders');
  });
});

describe('generations that are refused', () => {
  const existing =
    '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-own';

  it.each([
    ['none', []],
    ['three', [1, 2, 3]],
    ['no number', ['two']],
    ['zero', [0]],
    ['a single number', 2],
  ])('%s', (_what, generations) => {
    const [problem = '', ...others] = problemsOf(input(undefined, generations));

    expect(problem).toMatch(/^aks-workload-identity:applications\[1\]\.identityGenerations/);
    expect(problem).toMatch(/Allowed: (one or two different whole numbers|a whole number) from 1 to 999/);
    expect(others).toEqual([]);
  });

  it('twice the same', () => {
    expect(problemsOf(input([2, 2]))).toEqual([
      'aks-workload-identity:clusters[0].identityGenerations: [2,2] has a generation twice. Remove one of the two, or set the next number.',
    ]);
  });

  it('of an application that runs as its cluster', () => {
    const applications = [application('orders', { identityGenerations: [1, 2] })];

    expect(problemsOf(input(undefined, undefined, { applications }))).toEqual([
      "aks-workload-identity:applications[0].identityGenerations: [1,2] is for identities of an application's own, and this one runs as that of its cluster. Set `identityGenerations` of the cluster, or `identity: application` here.",
    ]);
  });

  it('of an identity that exists', () => {
    const clusters = [{ name: 'aks-1', identity: { existing }, identityGenerations: [1, 2] }];
    const applications = [
      application('orders', {
        identity: { existing: { 'aks-1': existing.replace('id-own', 'id-orders') } },
        identityGenerations: [1, 2],
      }),
    ];
    const end =
      'identityGenerations: [1,2] is for identities that are made, and this one exists. Remove it. To change over to another existing identity, name that one in `existing`.';

    expect(problemsOf(input(undefined, undefined, { clusters, applications }))).toEqual([
      `aks-workload-identity:clusters[0].${end}`,
      `aks-workload-identity:applications[0].${end}`,
    ]);
  });

  it('whose name is that of another identity', () => {
    const applications = [
      application('orders', { identity: 'application', identityGenerations: [1, 2] }),
      application('orders-g2', { identity: 'application' }),
    ];

    expect(problemsOf(input(undefined, undefined, { applications })).join('\n')).toContain(
      'gives the name "aks-1-orders-g2", which something else in the stack has already',
    );
  });
});
