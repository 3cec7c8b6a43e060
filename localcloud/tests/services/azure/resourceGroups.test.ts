import { all, refusal, withCloud } from '../../support/azure';

describe('resource groups, through @azure/arm-resources', () => {
  const cloud = withCloud({ groups: [] });

  it('creates, reads, tags, lists and finds a group', async () => {
    const { resourceGroups } = cloud.resources();

    const created = await resourceGroups.createOrUpdate('rg-one', {
      location: 'West Europe',
      tags: { a: 'b' },
    });
    await resourceGroups.update('RG-ONE', { tags: { c: 'd' } });
    const read = await resourceGroups.get('rg-One');

    expect(created).toMatchObject({ name: 'rg-one', location: 'westeurope', tags: { a: 'b' } });
    expect(created.properties?.provisioningState).toBe('Succeeded');
    expect(read).toMatchObject({ id: created.id, tags: { c: 'd' } });
    expect((await all(resourceGroups.list())).map((group) => group.name)).toContain('rg-one');
    expect((await resourceGroups.checkExistence('rg-one')).body).toBe(true);
    expect((await resourceGroups.checkExistence('rg-none')).body).toBe(false);
  });

  it('answers ResourceGroupNotFound for a missing one', async () => {
    expect(await refusal(cloud.resources().resourceGroups.get('rg-none'))).toMatchObject({
      status: 404,
      code: 'ResourceGroupNotFound',
      message: "Resource group 'rg-none' could not be found.",
    });
  });

  it('refuses tags that Azure refuses', async () => {
    const { resourceGroups } = cloud.resources();
    const tagged = (tags: Record<string, string>) =>
      refusal(resourceGroups.createOrUpdate('rg-tags', { location: 'westeurope', tags }));

    expect(await tagged({ 'a/b': 'c' })).toMatchObject({
      status: 400,
      code: 'InvalidTagNameCharacters',
      message: "The tag names 'a/b' have reserved characters '<,>,%,&,\\,?,/' or control characters.",
    });
    expect(await tagged({ a: 'v'.repeat(257) })).toMatchObject({ code: 'InvalidTagValueLength' });
  });

  it('refuses to move a group', async () => {
    await cloud.group('rg-stays');
    const moved = cloud.resources().resourceGroups.createOrUpdate('rg-stays', { location: 'eastus' });
    expect(await refusal(moved)).toMatchObject({
      status: 409,
      code: 'InvalidResourceGroupLocation',
      message:
        "Invalid resource group location 'eastus'. The Resource group already exists in location 'westeurope'.",
    });
  });

  it('refuses a location that Azure does not have, and a name with other characters', async () => {
    const { resourceGroups } = cloud.resources();
    const lost = await refusal(resourceGroups.createOrUpdate('rg-lost', { location: 'atlantis' }));
    expect(lost).toMatchObject({ status: 400, code: 'LocationNotAvailableForResourceGroup' });
    expect(lost.message).toContain("The provided location 'atlantis' is not available for resource group.");
    for (const name of ['rg one', 'rg.', 'r'.repeat(91)]) {
      const reply = await cloud.raw(
        `https://management.azure.com/subscriptions/${cloud.subscriptionId}/resourceGroups/${encodeURIComponent(name)}?api-version=2024-03-01`,
        { method: 'PUT', body: '{"location":"westeurope"}', credential: cloud.administrator() },
      );
      expect(reply).toMatchObject({ status: 400, body: { error: { code: 'InvalidResourceGroup' } } });
    }
  });

  it('deletes a group with all that is in it', async () => {
    await cloud.group('rg-gone');
    const identity = await cloud
      .identities()
      .userAssignedIdentities.createOrUpdate('rg-gone', 'id-gone', { location: 'westeurope' });

    await cloud.resources().resourceGroups.delete('rg-gone');

    expect((await cloud.resources().resourceGroups.checkExistence('rg-gone')).body).toBe(false);
    const token = cloud.assertionCredential(identity.clientId ?? '', () => Promise.resolve('x.y.z'));
    await expect(token.getToken('https://vault.azure.net/.default')).rejects.toThrow('AADSTS700016');
  });

  it('refuses changes of a group that is being deleted, and continues the deletion after a restart', async () => {
    const { resourceGroups } = cloud.resources();
    await resourceGroups.createOrUpdate('rg-leaving', { location: 'westeurope', managedBy: '/manager' });
    expect(await resourceGroups.createOrUpdate('rg-leaving', { location: 'westeurope' })).toMatchObject({
      managedBy: '/manager',
    });
    await cloud.clusters().managedClusters.createOrUpdate('rg-leaving', 'aks', {
      location: 'westeurope',
      dnsPrefix: 'dns',
      identity: { type: 'SystemAssigned' },
      agentPoolProfiles: [{ name: 'system', mode: 'System' }],
    });
    cloud.runtime.removal = new Promise(() => undefined);
    await resourceGroups.delete('rg-leaving').submitted();

    for (const change of [
      resourceGroups.createOrUpdate('rg-leaving', { location: 'westeurope' }),
      resourceGroups.update('rg-leaving', { tags: { a: 'b' } }),
    ]) {
      expect(await refusal(change)).toMatchObject({ status: 409, code: 'ResourceGroupBeingDeleted' });
    }

    cloud.runtime.removal = Promise.resolve();
    await cloud.restart();
    await cloud
      .resources()
      .resourceGroups.delete('rg-leaving')
      .catch(() => undefined);
    expect((await cloud.resources().resourceGroups.checkExistence('rg-leaving')).body).toBe(false);
  });

  it('lists the resources of a group and reads any of them by id', async () => {
    await cloud.group('rg-list');
    const { id = '' } = await cloud
      .identities()
      .userAssignedIdentities.createOrUpdate('rg-list', 'id-listed', { location: 'westeurope' });
    const { resources } = cloud.resources();

    const listed = await all(resources.listByResourceGroup('rg-list'));
    const byId = await resources.getById(id, '2023-01-31');

    expect(listed.map((each) => each.id)).toEqual([id]);
    expect(byId).toMatchObject({ id, name: 'id-listed' });
    expect((await resources.checkExistenceById(id, '2023-01-31')).body).toBe(true);
    expect((await resources.checkExistenceById(`${id}x`, '2023-01-31')).body).toBe(false);
  });

  it('finds groups and resources by tags: names in any case, values exactly', async () => {
    const { resourceGroups, resources } = cloud.resources();
    const tags = { Owner: "it's a" };
    await resourceGroups.createOrUpdate('rg-tagged', { location: 'westeurope', tags });
    const { id = '' } = await cloud
      .identities()
      .userAssignedIdentities.createOrUpdate('rg-tagged', 'id-tagged', { location: 'westeurope', tags });
    const found = async (filter: string) => [
      ...(await all(resourceGroups.list({ filter }))).map((each) => each.name),
      ...(await all(resources.list({ filter }))).map((each) => each.id),
    ];

    expect(await found("tagName eq 'owner' and tagValue eq 'it''s a'")).toEqual(['rg-tagged', id]);
    expect(await found("tagName eq 'Owner'")).toEqual(['rg-tagged', id]);
    expect(await found("tagName eq 'owner' and tagValue eq 'IT''S A'")).toEqual([]);
    expect(await found("startswith(tagname, 'own')")).toEqual(['rg-tagged', id]);
    expect(await refusal(all(resourceGroups.list({ filter: "name eq 'x'" })))).toMatchObject({ status: 400 });
  });
});
