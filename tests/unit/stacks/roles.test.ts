import { grantedName } from '../../../stacks/plan';
import type { Input } from './settings';
import { application, configurationOf, input } from './settings';

const scope =
  '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/st';
const roles = [{ role: 'Storage Blob Data Reader', scope }];
const granted = `Storage Blob Data Reader on ${scope}`;

/** The roles of the identity of the first cluster with this key. */
function rolesOf(key: string, applications: readonly unknown[], more: Input = {}): string[] {
  const { plan } = configurationOf(input([...applications], more));
  const identity = plan.clusters[0]?.identities.find((candidate) => candidate.key === key);
  return (identity?.roleGrants ?? []).map(grantedName);
}

describe('the roles of an identity', () => {
  it('are each assigned once, also where applications that share it name them differently', () => {
    const spelled = { role: '2A2B9908-6ea1-4ae2-8e65-a410df84e7d1', scope: scope.replace(/\/st$/, '/ST') };
    const both = [application('a', { roles }), application('b', { roles: [spelled] })];
    expect(rolesOf('aks-1', both).map((role) => role.toLowerCase())).toEqual([granted.toLowerCase()]);
  });

  it('are on every generation of it', () => {
    const a = application('a', { roles, identity: 'application', identityGenerations: [2, 1] });
    expect(rolesOf('aks-1-a-g2', [a])).toEqual([granted]);
    expect(rolesOf('aks-1-a', [a])).toEqual([granted]);
  });

  it('are not those of an application that is revoked, nor those of its windows', () => {
    const a = application('a', { roles, identity: 'application' });
    const revoked = { revoked: { applications: { a: 'x' } } };
    expect(rolesOf('aks-1-a', [a])).toEqual([granted]);
    expect(rolesOf('aks-1-a', [a], revoked)).toEqual([]);
    const shared = [application('a', { roles }), application('b')];
    expect(rolesOf('aks-1', shared, revoked)).toEqual([]);
    const windowed = { roles, days: ['Monday'], timeZone: 'UTC' };
    const atTimes = application('a', { identity: 'application', accessWindows: [windowed] });
    expect(rolesOf('aks-1-a', [atTimes])).toEqual([]);
  });
});
