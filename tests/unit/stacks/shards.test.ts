import fc from 'fast-check';
import { isValidName } from '../../../components/azure/naming';
import { validate } from '../../../stacks/checks/configuration';
import { formatProblem } from '../../../stacks/settings/problem';
import type { IdentityPlan } from '../../../stacks/plan';
import { shardOf, shards } from '../../../stacks/plan';
import { application, problemsOf, validInput } from './settings';

function identitiesOf(names: readonly string[], more: Record<string, unknown> = {}): readonly IdentityPlan[] {
  const validation = validate(
    'test',
    validInput({
      shard: true,
      clusters: [{ name: 'aks-1' }],
      applications: names.map((name) => application(name, { secrets: [`${name}-db`] })),
      secretValues: {},
      ...more,
    }),
  );
  if (!validation.ok) throw new Error(validation.problems.map(formatProblem).join('\n'));
  return validation.configuration.plan.clusters[0]?.identities ?? [];
}

/** The identity that each application runs as. */
const homes = (identities: readonly IdentityPlan[]) =>
  new Map(identities.flatMap(({ key, applications }) => applications.map((name) => [name, key] as const)));

/** Names of applications that are all in one shard. */
function sharing(shard: string, count: number): string[] {
  const found: string[] = [];
  for (let number = 0; found.length < count; number++) {
    if (shardOf(`app-${number}`) === shard) found.push(`app-${number}`);
  }
  return found;
}

describe('shards', () => {
  it('are made of the name alone, and are what they have always been', () => {
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

  it('give each application that runs as the cluster an identity that trusts and may read what its own need', () => {
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
      grants: [{ vault: 'kv-test', secrets: ['orders-db'] }],
    });
    // Nothing runs as the cluster itself any more.
    expect(identities[0]).toMatchObject({ applications: [], subjects: [], grants: [] });
  });

  it('leave alone what has an identity of its own', () => {
    const identities = identitiesOf(['orders'], { identity: 'application' });

    expect(identities.map(({ key }) => key)).toEqual(['aks-1', 'aks-1-orders']);
  });

  it('move no application where any other is added or removed', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}[a-z0-9]$/).filter((one) => !shards.includes(one));

    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 18 }), fc.nat(), (names, pick) => {
        const removed = names[pick % names.length];
        fc.pre(names.every((one) => isValidName('application', one) && !one.startsWith('kube-')));
        fc.pre(!names.some((one) => ['default', 'cert-manager', 'aso'].includes(one)));
        const before = homes(identitiesOf(names));
        const after = homes(identitiesOf(names.filter((one) => one !== removed)));
        expect(before.size).toBe(names.length);
        for (const [application, identity] of after) expect(identity).toBe(before.get(application));
        for (const [application, identity] of before) expect(identity).toBe(`aks-1-${shardOf(application)}`);
      }),
      { numRuns: 150 },
    );
  });

  it('spread applications so that hundreds find room', () => {
    const counts = new Map<string, number>();
    for (let number = 0; number < 300; number++) {
      const shard = shardOf(`service-${number}`);
      counts.set(shard, (counts.get(shard) ?? 0) + 1);
    }

    expect(Math.max(...counts.values())).toBeLessThanOrEqual(20);
    expect(counts.size).toBe(32);
  });

  it('with more than 20 service accounts are an error that names the applications', () => {
    const names = sharing('s07', 21);
    const input = (count: number) =>
      validInput({
        shard: true,
        clusters: [{ name: 'aks-1' }],
        applications: names.slice(0, count).map((name) => application(name)),
        secretValues: {},
      });

    expect(problemsOf(input(20))).toEqual([]);
    expect(problemsOf(input(21))).toEqual([
      `aks-workload-identity:clusters[0].name: "aks-1" comes to 21 service accounts under one identity, which trusts at most 20: ${names.join(', ')}. Set \`identity: application\` on some of them.`,
    ]);
  });

  it('keep their names from applications, whether they are used or not', () => {
    const input = (shard: boolean) =>
      validInput({
        shard,
        clusters: [{ name: 'aks-1' }],
        applications: [application('s07', { identity: 'application' })],
        secretValues: {},
      });

    expect(problemsOf(input(false))).toEqual([]);
    expect(problemsOf(input(true))).toEqual([
      'aks-workload-identity:clusters[0].name: "aks-1" with s07 gives the name "aks-1-s07", which something else in the stack has already. Rename the application or the cluster. Taken are "aso" and "<application>-aso", and with `shard: true` the names of the shards, "s00" to "s31"; with access windows also "windows".',
    ]);
  });
});
