import fc from 'fast-check';
import { isValidName } from '../../../components/azure/naming';
import type { IdentityPlan } from '../../../stacks/plan';
import { shards } from '../../../stacks/plan';
import { shardOf } from '../../../stacks/plan/shards';
import type { Input } from './settings';
import { application, input, planOf } from './settings';

const planFor = (names: readonly string[], more: Input = {}) =>
  planOf(
    input(
      names.map((name) => application(name, { secrets: [`${name}-db`] })),
      { shard: true, ...more },
    ),
  );
const identitiesOf = (...args: Parameters<typeof planFor>): readonly IdentityPlan[] =>
  planFor(...args).clusters[0]?.identities ?? [];

/** The identity that each application runs as. */
const homes = (identities: readonly IdentityPlan[]) =>
  new Map(identities.flatMap(({ key, applications }) => applications.map((name) => [name, key] as const)));

describe('shards', () => {
  it('depend on the name alone, and stay what they have always been', () => {
    // A change here moves applications of stacks that are deployed to other identities.
    expect(['orders', 'billing', 'reports', 'a', 'app-20'].map(shardOf)).toEqual([
      's27',
      's12',
      's15',
      's18',
      's08',
    ]);
    expect(shards).toHaveLength(32);
    expect([shards[0], shards[31]]).toEqual(['s00', 's31']);
  });

  it('give each application that runs as the cluster an identity with the trust and access of its shard', () => {
    const identities = identitiesOf(['orders', 'billing']);

    expect(identities.map(({ key, azureName, scope }) => ({ key, azureName, scope }))).toEqual([
      { key: 'aks-1', azureName: 'id-test-aks-1', scope: 'cluster' },
      ...['orders', 'billing']
        .map(shardOf)
        .sort()
        .map((shard) => ({ key: `aks-1-${shard}`, azureName: `id-test-aks-1-${shard}`, scope: 'shard' })),
    ]);
    const orders = identities.find(({ applications }) => applications.includes('orders'));
    expect(orders).toMatchObject({
      applications: ['orders'],
      subjects: [{ namespace: 'orders', serviceAccount: 'orders' }],
    });
    const { vaults } = planFor(['orders', 'billing']);
    const { key: grantee } = orders ?? {};
    expect(vaults[0]?.grants).toContainEqual(expect.objectContaining({ grantee, secrets: ['orders-db'] }));
    expect(vaults[0]?.grants).toHaveLength(2);
    // Nothing runs as the cluster itself any more.
    expect(identities[0]).toMatchObject({ applications: [], subjects: [] });
  });

  it('leave alone what has an identity of its own', () => {
    const identities = identitiesOf(['orders'], { identity: 'application' });

    expect(identities.map(({ key }) => key)).toEqual(['aks-1', 'aks-1-orders']);
  });

  it('move no application where any other is added or removed', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}[a-z0-9]$/).filter((text) => !shards.includes(text));

    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 18 }), fc.nat(), (names, pick) => {
        const removed = names[pick % names.length];
        fc.pre(
          names.every((candidate) => isValidName('application', candidate) && !candidate.startsWith('kube-')),
        );
        fc.pre(!names.some((candidate) => ['default', 'cert-manager', 'aso'].includes(candidate)));
        const before = homes(identitiesOf(names));
        const after = homes(identitiesOf(names.filter((candidate) => candidate !== removed)));
        expect(before.size).toBe(names.length);
        for (const [application, identity] of after) expect(identity).toBe(before.get(application));
        for (const [application, identity] of before) expect(identity).toBe(`aks-1-${shardOf(application)}`);
      }),
      { numRuns: 150 },
    );
  });

  it('spread applications so that hundreds fit', () => {
    const counts = new Map<string, number>();
    for (let number = 0; number < 300; number++) {
      const shard = shardOf(`service-${number}`);
      counts.set(shard, (counts.get(shard) ?? 0) + 1);
    }

    expect(Math.max(...counts.values())).toBeLessThanOrEqual(20);
    expect(counts.size).toBe(32);
  });
});
