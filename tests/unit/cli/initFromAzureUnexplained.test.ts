import { builtInRoles } from '../../../components/azure/roles';
import { grant, identity, kindsOf, planOf, shop, subscription, vault } from './initFromAzure.fixture';

describe('what no application explains', () => {
  const beside = (name: string) => ({
    identities: [...shop.identities, identity(name)],
    vaults: shop.vaults,
  });
  const owner = '8e3af657-a8ff-443c-a75c-2fe8c4bcb635';
  const onSubscription = { scope: `/subscriptions/${subscription}` };

  it.each([
    ['on a secret', grant('somebody', 'kv-shop/orders-db')],
    ['on the vault', grant('somebody', 'kv-shop', { role: builtInRoles.keyVaultSecretsOfficer })],
    ['above the vault', grant('somebody', '', onSubscription)],
  ])('a grant %s to another principal', (_where, assignment) => {
    const { findings } = planOf({ assignments: [...shop.assignments, assignment] });

    expect(findings).toMatchObject([
      {
        kind: 'foreignGrant',
        what: 'The principal principal-of-somebody',
        problem: expect.stringContaining(assignment.scope) as string,
        hint: expect.stringContaining(assignment.id) as string,
      },
    ]);
  });

  it.each([
    ['of a role that reads no secret', grant('somebody', 'kv-shop', { role: builtInRoles.reader })],
    ['on a vault that was not read', grant('somebody', 'kv-other')],
  ])('but not a grant %s', (_what, assignment) => {
    expect(planOf({ assignments: [...shop.assignments, assignment] }).findings).toEqual([]);
  });

  it('an access policy of another principal, where policies are in force', () => {
    const policies = [{ objectId: 'somebody', permissions: ['secrets get', 'secrets list'] }];
    const kinds = (access: 'accessPolicy' | 'rbac') =>
      kindsOf(
        planOf({ vaults: [{ ...vault('kv-shop', 'orders-db'), access, policies }], assignments: [] })
          .findings,
      );

    expect(kinds('accessPolicy')).toEqual([['foreignGrant', 'The principal somebody']]);
    expect(kinds('rbac')).toEqual([]);
  });

  it('another role of an identity that no application runs as, also a powerful one', () => {
    const { findings } = planOf({
      ...beside('id-beside'),
      assignments: [
        ...shop.assignments,
        grant('id-beside', '', { ...onSubscription, role: owner }),
        grant('id-beside', 'kv-shop', { role: builtInRoles.reader }),
      ],
    });

    expect(kindsOf(findings)).toEqual([
      ['otherRole', 'id-beside'],
      ['otherRole', 'id-beside'],
    ]);
    expect(findings[0]?.problem).toContain('Owner, which can grant access, on /subscriptions/');
    expect(findings[1]?.hint).not.toContain('`roles`');
  });

  it('an identity without trust and roles', () => {
    expect(kindsOf(planOf(beside('id-beside')).findings)).toEqual([['unusedIdentity', 'id-beside']]);
  });

  it('a second vault, unless an identity reads it', () => {
    const kinds = (...assignments: ReturnType<typeof grant>[]) =>
      kindsOf(
        planOf({
          vaults: [...shop.vaults, vault('kv-second', 'x')],
          assignments: [...shop.assignments, ...assignments],
        }).findings,
      );

    expect(kinds()).toEqual([['unreadVault', 'kv-second']]);
    expect(kinds(grant('id-orders', 'kv-second/x'))).toEqual([['otherVault', 'id-orders']]);
    expect(kinds(grant('id-orders', 'kv-second'))).toEqual([['broadGrant', 'id-orders']]);
  });
});
