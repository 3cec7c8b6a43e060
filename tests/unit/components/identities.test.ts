import { assertExisting } from '../../../components/azure/resourceId';
import { FederatedCredentials } from '../../../components/identity/federatedCredentials';
import type { TrustedPipeline } from '../../../components/identity/trustedPipeline';
import { claimsOf } from '../../../components/identity/trustedPipeline';
import { group, ids } from './support/azure';
import { record } from './support/recorder';

// What mocks do not prove: that writes really come one after the other (that is the engine's work, by the dependencies
// asserted here), and that Entra matches tokens by the credentials.

const resource = 'azure-native:managedidentity:FederatedIdentityCredential';
const subjects = ['a', 'b', 'c'].map((namespace) => ({ namespace, serviceAccount: 'x' }));

it.each([
  ['in order', subjects, {}],
  ['in another order', subjects.toReversed(), {}],
  // An imported name begins with any letter.
  ['with an imported name', subjects, { 'id/a_x': 'zz-by-hand', 'other/b_x': 'not-ours' }],
])('the credentials of an identity are one chain, listed %s', async (_, list, importedNames) => {
  const identity = { identityName: 'id-dev', resourceGroupName: 'rg' };
  const issuer = 'https://issuer.example/';
  const { find } = await record(
    () => new FederatedCredentials('id', { identity, issuer, subjects: list, importedNames }),
  );

  expect(find(resource, 'id/a_x').dependencies).toEqual([]);
  expect(find(resource, 'id/b_x').dependencies).toEqual([`${resource}::id/a_x`]);
  // On the first as well: it alone orders their deletion where `b` stays.
  expect(find(resource, 'id/c_x').dependencies).toEqual([`${resource}::id/a_x`, `${resource}::id/b_x`]);
});

describe('the subject of a job of GitHub Actions', () => {
  const gitHub = { repository: 'contoso/identities', environment: 'dev' };

  it.each<[string, TrustedPipeline['gitHub'], string]>([
    ['by name', gitHub, 'repo:contoso/identities:environment:dev'],
    [
      'by name and id',
      { ...gitHub, ids: { owner: 12, repository: 34 } },
      'repo:contoso@12/identities@34:environment:dev',
    ],
    ['of a pull request', { repository: 'contoso/identities' }, 'repo:contoso/identities:pull_request'],
    ['with a colon', { ...gitHub, environment: 'a:b:c' }, 'repo:contoso/identities:environment:a%3Ab%3Ac'],
  ])('%s', (_, job, subject) => {
    const issuer = 'https://token.actions.githubusercontent.com';
    expect(claimsOf({ name: 'x', gitHub: job })).toEqual({ issuer, subject });
  });

  it('is of the issuer in the arguments', () => {
    const issuer = 'https://ghes.example/_services/token';
    expect(claimsOf({ name: 'x', gitHub: { ...gitHub, issuer } })).toMatchObject({ issuer });
  });
});

it('another resource than the named one is refused', () => {
  // Purely: Pulumi's mocks do not hand on what an `apply` throws.
  const found = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/existing`;
  const other = found.replace(ids.subscription, '33333333-3333-4333-8333-333333333333');

  expect(() => assertExisting('ManagedIdentity x', other, found)).toThrow(
    /^ManagedIdentity x: existing .* is not in the subscription of the deployment/,
  );
  // Azure's own spelling of an id varies.
  expect(() => assertExisting('ManagedIdentity x', found.toLowerCase(), found)).not.toThrow();
});
