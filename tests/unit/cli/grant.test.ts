import { grantOf, type GrantRequest } from '../../../cli/grant/grants';
import { builtInRoles, readOnDemand, roleAssignmentName } from '../../../stacks/offline';
import { identity, twoClusters } from '../verification/outputs.fixture';

const now = new Date('2026-11-30T12:00:00Z');
const vault = 'kv-central';
const id = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv-central';

function outputs() {
  const found = twoClusters();
  found.vaults[vault] = { id, uri: 'https://kv/', access: 'rbac', secrets: [] };
  for (const one of found.workloads.filter(({ application }) => application === 'orders'))
    one.windows = [
      { vault, secret: 'payment', windows: [], onDemand: '4h' },
      { vault, secret: 'warehouse', windows: [{ timeZone: 'UTC' }] },
    ];
  return found;
}

const request = (more: Partial<GrantRequest> = {}): GrantRequest => ({
  ...{ application: 'orders', secret: 'payment', for: '30m', reason: 'incident 42' },
  ...more,
});
const asked = (more: Partial<GrantRequest> = {}, of = outputs()) => grantOf(of, request(more), now);

describe('a grant on demand', () => {
  it('is an assignment on each cluster, with its end and its reason', () => {
    const { until, assignments } = asked();
    expect(until).toEqual(new Date('2026-11-30T12:30:00Z'));
    const scope = `${id}/secrets/payment`;
    expect(assignments).toEqual(
      ['id-aks-1', 'id-aks-2'].map((name) => {
        const { principalId } = identity(name);
        const assignment = `${scope}/providers/Microsoft.Authorization/roleAssignments/${roleAssignmentName(scope, principalId, 'keyVaultSecretsUser')}`;
        return {
          identity: name,
          id: assignment,
          properties: {
            roleDefinitionId: `/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/${builtInRoles.keyVaultSecretsUser}`,
            principalId,
            principalType: 'ServicePrincipal',
            description: 'until 2026-11-30T12:30:00Z; incident 42',
          },
          end: `az role assignment delete --ids ${assignment}`,
        };
      }),
    );
    expect(readOnDemand(assignments[0]?.properties.description)).toEqual({
      until,
      reason: 'incident 42',
    });
  });

  it('is on one cluster only, and of every generation of the identity', () => {
    const of = outputs();
    for (const one of of.workloads) one.identitiesBeside = [identity(`${one.identity.name}-g2`)];
    expect(asked({ cluster: 'aks-2' }, of).assignments.map((one) => one.identity)).toEqual([
      'id-aks-2',
      'id-aks-2-g2',
    ]);
  });

  it.each<[string, Partial<GrantRequest>, RegExp]>([
    [
      'another application',
      { application: 'order' },
      /has no application "order"\. It has: orders, .*Did you mean orders\?/s,
    ],
    ['another cluster', { cluster: 'aks-9' }, /no cluster of orders "aks-9"\. It has: aks-1, aks-2/],
    [
      'a secret with a schedule only',
      { secret: 'warehouse' },
      /no secret that orders may read on demand "warehouse"\. It has: payment/,
    ],
    ['a longer time', { for: '241m' }, /--for is "241m"\. Allowed: minutes or hours such as 30m, up to 4h/],
    ['no duration', { for: '0m' }, /--for is "0m"/],
    ['no reason', { reason: ' ' }, /--reason has 1 characters/],
    ['a reason of two lines', { reason: 'a\nb' }, /--reason has 3 characters/],
    ['a long reason', { reason: 'a'.repeat(501) }, /--reason has 501 characters/],
  ])('refuses %s', (_, more, message) => {
    const error = (() => {
      try {
        return asked(more);
      } catch (thrown) {
        return thrown;
      }
    })() as Error & { remedy?: string };
    expect(`${error.message} ${error.remedy ?? ''}`).toMatch(message);
  });

  it('is not for an application that the stack file revokes since the last update', () => {
    const isRevoked = ({ cluster }: { cluster: string }) => cluster === 'aks-1';
    expect(() => grantOf(outputs(), request(), now, isRevoked)).toThrow(
      /The stack file revokes orders on aks-1\./,
    );
    expect(grantOf(outputs(), request({ cluster: 'aks-2' }), now, isRevoked).assignments).toHaveLength(1);
  });

  it('is not for an application that is revoked', () => {
    const of = outputs();
    for (const one of of.workloads) one.revoked = true;
    expect(() => asked({}, of)).toThrow(/It has: none/);
  });
});
