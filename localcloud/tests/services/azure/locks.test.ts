import { randomUUID } from 'node:crypto';
import { all, refusal, withCloud } from '../../support/azure';

const CONTRIBUTOR = 'b24988ac-6180-42a0-ab88-20f7382dd24c';
const LOCKED = { status: 409, code: 'ScopeLocked' };

describe('locks, through @azure/arm-locks', () => {
  const cloud = withCloud({ fresh: true });
  let scope: string;
  const locks = () => cloud.locks().managementLocks;
  // Not by scope, because this client encodes the slashes of a scope.
  const identity = (name = 'id-app') =>
    ['rg', 'Microsoft.ManagedIdentity', '', 'userAssignedIdentities', name] as const;
  const keep = { level: 'CanNotDelete' };
  const identities = () => cloud.identities().userAssignedIdentities;
  beforeEach(async () => {
    scope = (await identities().createOrUpdate('rg', 'id-app', { location: 'westeurope' })).id ?? '';
  });

  it('creates, reads, lists, changes and deletes a lock', async () => {
    const created = await locks().createOrUpdateAtResourceLevel(...identity(), 'keep', {
      ...keep,
      notes: 'in use',
    });
    expect(created).toMatchObject({ name: 'keep', level: 'CanNotDelete', notes: 'in use' });
    expect(created.id).toBe(`${scope}/providers/Microsoft.Authorization/locks/keep`);
    await locks().createOrUpdateAtResourceGroupLevel('rg', 'all', { level: 'ReadOnly' });

    const names = (found: { name?: string }[]) => found.map(({ name }) => name).sort();
    expect(names(await all(locks().listAtResourceLevel(...identity())))).toEqual(['all', 'keep']);
    expect(names(await all(locks().listAtSubscriptionLevel()))).toEqual(['all', 'keep']);
    const atGroup = await all(locks().listAtResourceGroupLevel('rg', { filter: 'atScope()' }));
    expect(names(atGroup)).toEqual(['all']);
    const atResource = locks().getAtResourceLevel(...identity(), 'keep');
    expect(await atResource).toMatchObject({ id: created.id });

    await locks().deleteAtResourceGroupLevel('rg', 'all');
    await locks().deleteAtResourceLevel(...identity(), 'keep');
    expect(await refusal(locks().getAtResourceLevel(...identity(), 'keep'))).toMatchObject({ status: 404 });
    expect(
      await refusal(locks().createOrUpdateAtResourceLevel(...identity('id-none'), 'keep', keep)),
    ).toMatchObject({ status: 404, code: 'ResourceNotFound' });
  });

  it('refuses to delete a locked resource, its children and its parents', async () => {
    const credentials = cloud.identities().federatedIdentityCredentials;
    const parameters = { issuer: 'https://issuer.example/', subject: 's', audiences: ['a'] };
    await credentials.createOrUpdate('rg', 'id-app', 'credential', parameters);
    await locks().createOrUpdateAtResourceLevel(...identity(), 'keep', keep);

    const refused = await refusal(identities().delete('rg', 'id-app'));
    expect(refused).toMatchObject(LOCKED);
    expect(refused.message).toContain(
      `cannot perform delete operation because following scope(s) are locked: '${scope}'`,
    );
    expect(await refusal(credentials.delete('rg', 'id-app', 'credential'))).toMatchObject(LOCKED);
    const group = cloud.resources().resourceGroups.delete('rg');
    expect(await refusal(group)).toMatchObject(LOCKED);
    await identities().createOrUpdate('rg', 'id-app', { location: 'westeurope', tags: { still: 'written' } });
    await identities().createOrUpdate('rg', 'id-other', { location: 'westeurope' });
    await identities().delete('rg', 'id-other');

    await cloud.restart();
    expect(await refusal(identities().delete('rg', 'id-app'))).toMatchObject(LOCKED);
    await locks().deleteAtResourceLevel(...identity(), 'keep');
    await identities().delete('rg', 'id-app');
    expect(await refusal(identities().get('rg', 'id-app'))).toMatchObject({ code: 'ResourceNotFound' });
  });

  it('refuses writes below a read-only lock', async () => {
    await locks().createOrUpdateAtResourceGroupLevel('rg', 'frozen', { level: 'ReadOnly' });
    const write = identities().createOrUpdate('rg', 'id-new', { location: 'westeurope' });
    expect(await refusal(write)).toMatchObject(LOCKED);
    expect(await refusal(identities().delete('rg', 'id-app'))).toMatchObject(LOCKED);
    expect((await identities().get('rg', 'id-app')).name).toBe('id-app');
  });

  it('cannot be changed by a contributor', async () => {
    const contributor = cloud.principal('contributor');
    await cloud.authorization().roleAssignments.create(scope, randomUUID(), {
      principalId: contributor.objectId,
      principalType: 'ServicePrincipal',
      roleDefinitionId: CONTRIBUTOR,
    });
    const own = cloud.locks(contributor.credential).managementLocks;
    const set = own.createOrUpdateAtResourceLevel(...identity(), 'keep', keep);
    expect(await refusal(set)).toMatchObject({ status: 403, code: 'AuthorizationFailed' });
    await locks().createOrUpdateAtResourceLevel(...identity(), 'keep', keep);
    expect(await refusal(own.deleteAtResourceLevel(...identity(), 'keep'))).toMatchObject({ status: 403 });
  });
});
