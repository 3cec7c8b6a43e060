import { TENANT_ID } from '../../../identity';
import { refusal, withCloud } from '../../support/azure';
import type { Entity, Page } from '../../support/directory';
import { directory, names, NOBODY } from '../../support/directory';

describe('queries of the directory, through @microsoft/microsoft-graph-client', () => {
  const cloud = withCloud();
  const { page, post, application, principal, remove } = directory(cloud);
  let orders: Entity;
  let ordersPrincipal: Entity;
  let group: Entity;

  beforeAll(async () => {
    orders = await application('orders', { tags: ['shop', 'even'], identifierUris: ['api://orders'] });
    await application('billing', { tags: ['shop'], description: "the firm's" });
    await application('reports (old)');
    ordersPrincipal = await principal(orders);
    await principal(await application('shipping'));
    group = await post('/groups', {
      ...{ displayName: 'readers', mailNickname: 'readers', mailEnabled: false, securityEnabled: true },
    });
  });

  const query = async (set: string, filter: string): Promise<Page> =>
    (await cloud
      .graph()
      .api(`/${set}?$count=true&$filter=${encodeURIComponent(filter)}`)
      .header('ConsistencyLevel', 'eventual')
      .get()) as Page;

  it.each([
    ['applications', "displayName eq 'orders' or displayName eq 'billing'", ['billing', 'orders']],
    ['applications', "displayName eq 'ORDERS'", ['orders']],
    ['applications', "displayName in ('orders','billing','nobody')", ['billing', 'orders']],
    ['applications', "identifierUris/any(s:s eq 'api://orders')", ['orders']],
    ['applications', "identifierUris/any(s:startswith(s,'api:'))", ['orders']],
    ['applications', "tags/any(t:t eq 'even' or t eq 'odd')", ['orders']],
    ['applications', "tags/any(t:t eq 'even' and t eq 'shop')", []],
    ['applications', "tags/any(t:t in ('odd', 'shop')) and not tags/any(t:t eq 'even')", ['billing']],
    [
      'applications',
      "not(startswith(displayName,'or') or displayName eq 'billing') and startswith(displayName,'r')",
      ['reports (old)'],
    ],
    // `and` is stronger than `or`.
    [
      'applications',
      "displayName eq 'orders' or displayName eq 'billing' and tags/any(t:t eq 'even')",
      ['orders'],
    ],
    [
      'applications',
      "(displayName eq 'orders' or displayName eq 'billing') and tags/any(t:t eq 'even')",
      ['orders'],
    ],
    ['applications', "description eq 'the firm''s'", ['billing']],
    [
      'applications',
      "displayName eq 'reports (old)' and not (not startsWith( displayName , 'rep'))",
      ['reports (old)'],
    ],
    ['servicePrincipals', "servicePrincipalNames/any(c:c eq 'api://orders')", ['orders']],
    ['servicePrincipals', 'accountEnabled eq false', []],
    ['servicePrincipals', `appOwnerOrganizationId eq ${NOBODY}`, []],
    [
      'servicePrincipals',
      `appOwnerOrganizationId in (${NOBODY}, ${TENANT_ID}) and startswith(displayName,'o')`,
      ['orders'],
    ],
    ['applications', "NOT(displayName Eq 'orders') AND tags/Any(t:t IN ('shop'))", ['billing']],
    [
      'groups',
      "securityEnabled eq true and displayName eq 'readers' and mailNickname eq 'readers'",
      ['readers'],
    ],
    ['groups', "groupTypes/any(c:c eq 'Unified')", []],
  ])('finds %s with %s', async (set, filter, found) => {
    expect(names(await query(set, filter)).sort()).toEqual(found);
  });

  it('finds what a filter describes', async () => {
    const found = await query('servicePrincipals', `servicePrincipalNames/any(c:c eq '${orders.appId}')`);
    expect(found.value.map(({ id }) => id)).toEqual([ordersPrincipal.id]);
    expect(found).toMatchObject({ '@odata.count': 1 });
    const plain = await page(`/servicePrincipals?$count=true&$filter=appId in ('${orders.appId}')`);
    expect(plain).not.toHaveProperty('@odata.count');
    expect(names(plain)).toEqual(['orders']);
    expect(await refusal(page("/applications?$filter=not startswith(displayName,'a')"))).toMatchObject({
      ...{ status: 400, code: 'Request_UnsupportedQuery' },
    });
  });

  it.each([
    "notes eq 'not filtered by'",
    `appId eq ${TENANT_ID}`,
    "displayName eq 'a' and",
    "and displayName eq 'a'",
    "displayName eq 'a' displayName eq 'b'",
    'displayName eq true',
    'displayName eq orders',
    "displayName ne 'a'",
    "not displayName eq 'a'",
    "tags eq 'a'",
    "displayName/any(t:t eq 'a')",
    "tags/any(t:u eq 'a')",
    "tags/any(t:displayName eq 'a')",
    "tags/any(tags:tags/any(t:t eq 'a'))",
    "tags/any(t:t eq 'a'",
    "tags/all(t:t eq 'a')",
    'displayName in ()',
    "displayName in ('a',)",
    "(displayName eq 'a'",
    "startswith(displayName,'a",
    "startswith('a',displayName)",
    "displayName eq 'a' ; x",
    "constructor eq 'a'",
    `${'('.repeat(1000)}displayName eq 'a'${')'.repeat(1000)}`,
  ])('refuses the filter %s', async (filter) => {
    const refused = await refusal(query('applications', filter));
    expect(refused).toMatchObject({ status: 400, code: 'BadRequest' });
    expect(refused.message).toContain('Invalid filter clause');
  });

  it('refuses a string for a GUID', async () => {
    const refused = await refusal(query('servicePrincipals', `appOwnerOrganizationId eq '${TENANT_ID}'`));
    expect(refused).toMatchObject({ status: 400, code: 'BadRequest' });
  });

  it('gives objects by their ids, of the types asked for', async () => {
    const ids = [orders.id, ordersPrincipal.id.toUpperCase(), group.id, NOBODY, group.id];
    const typesOf = async (body: object): Promise<unknown[]> => {
      const { value } = (await post('/directoryObjects/getByIds', body)) as unknown as Page;
      return value.map((each) => [each['@odata.type'], each.id]);
    };
    const all = [
      ['#microsoft.graph.application', orders.id],
      ['#microsoft.graph.servicePrincipal', ordersPrincipal.id],
      ['#microsoft.graph.group', group.id],
    ];
    expect(await typesOf({ ids })).toEqual(all);
    expect(await typesOf({ ids, types: ['directoryObject'] })).toEqual(all);
    // As the Azure CLI sends it.
    const types = ['user', 'group', 'servicePrincipal', 'directoryObjectPartnerReference'];
    expect(await typesOf({ ids, types })).toEqual(all.slice(1));
    for (const body of [{ ids: [] }, { ids: ['x'] }, { ids, types: ['colour'] }, {}])
      expect(await refusal(typesOf(body))).toMatchObject({ status: 400, code: 'Request_BadRequest' });
  });

  it('knows a type by its whole and by its short name', async () => {
    const gone = await application('gone');
    await remove(`/applications/${gone.id}`);
    for (const type of ['microsoft.graph.application', 'graph.application'])
      expect(names(await page(`/directory/deletedItems/${type}`))).toEqual(['gone']);
  });
});
