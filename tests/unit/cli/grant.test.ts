import { grantOf, type GrantRequest } from '../../../cli/grant/grants';
import { readOnDemand } from '../../../components/accessWindows/onDemand';
import { builtInRoles, roleAssignmentName } from '../../../components/azure/roles';
import { reviewed } from '../support/reviewed';
import { identity, twoClusters } from '../verification/outputs.fixture';
import { refusalOf } from './refusal';

const now = new Date('2026-11-30T12:00:00Z');
const vault = 'kv-central';
const id = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv-central';

function outputs() {
  const found = twoClusters();
  found.vaults[vault] = { id, uri: 'https://kv/', access: 'rbac', secrets: [] };
  for (const workload of found.workloads.filter(({ application }) => application === 'orders'))
    workload.windows = [
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

const shows = reviewed(__filename);

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

  it('is of a role on its scope', () => {
    const scope = '/subscriptions/s/resourceGroups/rg-data';
    const of = outputs();
    for (const workload of of.workloads)
      workload.windows = ['a', 'b'].map((name) => ({
        ...{ role: builtInRoles.reader, scope: `${scope}-${name}`, windows: [], onDemand: '1h' },
      }));
    const role = { secret: undefined, role: 'Reader', cluster: 'aks-1' };
    const { assignments } = asked({ ...role, scope: `${scope}-a` }, of);
    expect(assignments.map(({ id, properties }) => [id, properties.roleDefinitionId])).toEqual([
      [
        expect.stringMatching(`^${scope}-a/providers/`),
        `/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/${builtInRoles.reader}`,
      ],
    ]);
    expect(() => asked(role, of)).toThrow(
      /may have that role on demand on 2 scopes: .*rg-data-a, .*rg-data-b\./,
    );
    expect(() => asked({ ...role, role: 'Contributor' }, of)).toThrow(
      /no role that orders may have on demand "Contributor". It has: Reader\./,
    );
    expect(() => asked({ role: 'Reader' }, of)).toThrow('--secret and --role exclude each other.');
    expect(() => asked({ secret: undefined }, of)).toThrow('--secret and --role are both missing.');
  });

  it('is on one cluster only, and of every generation of the identity', () => {
    const of = outputs();
    for (const workload of of.workloads)
      workload.identitiesBeside = [identity(`${workload.identity.name}-g2`)];
    expect(asked({ cluster: 'aks-2' }, of).assignments.map((assignment) => assignment.identity)).toEqual([
      'id-aks-2',
      'id-aks-2-g2',
    ]);
  });

  for (const [title, more] of Object.entries<Partial<GrantRequest>>({
    'another application': { application: 'order' },
    'another cluster': { cluster: 'aks-9' },
    'a secret with a schedule only': { secret: 'warehouse' },
    'a longer time': { for: '241m' },
    'no duration': { for: '0m' },
    'no reason': { reason: ' ' },
    'a reason of two lines': { reason: 'a\nb' },
    'a long reason': { reason: 'a'.repeat(501) },
  }))
    shows(`refuses ${title}`, () => refusalOf(() => asked(more)));

  it('is not for an application that the stack file revokes since the last update', () => {
    const isRevoked = ({ cluster }: { cluster: string }) => cluster === 'aks-1';
    expect(() => grantOf(outputs(), request(), now, isRevoked)).toThrow(
      /The stack file revokes orders on aks-1\./,
    );
    expect(grantOf(outputs(), request({ cluster: 'aks-2' }), now, isRevoked).assignments).toHaveLength(1);
  });

  it('is not for an application that is revoked', () => {
    const of = outputs();
    for (const workload of of.workloads) workload.revoked = true;
    expect(() => asked({}, of)).toThrow(/It has: none/);
  });
});
