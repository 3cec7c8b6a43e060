import type { AzureReader } from '../../../cli/azureReader';
import type { GraphReader } from '../../../cli/graphReader';
import { findInAzure } from '../../../cli/import/find';
import { unknownValue } from '../../../cli/preview';
import { candidatesOf } from '../../../cli/import/candidates';

const azure: AzureReader = { get: jest.fn(), list: jest.fn() };

/** What is found of a resource that would be created, in Entra with these lists, by path. */
async function find(type: string, inputs: object, lists: Readonly<Record<string, object[]>>) {
  const urn = `urn:pulumi:test::aks-workload-identity::c$azuread:index/${type}::readers`;
  const [candidate] = candidatesOf(
    [{ op: 'create', urn, newState: { inputs: { ...inputs } } }],
    'subscription',
  );
  if (candidate === undefined) throw new Error('no candidate');
  const graph: GraphReader = {
    get: () => Promise.resolve(undefined),
    list: (path) => Promise.resolve((lists[decodeURIComponent(path)] ?? []) as Record<string, unknown>[]),
  };
  return (await findInAzure(azure, graph, candidate))?.id;
}

describe('what is looked for in Entra of groups', () => {
  it('is a group, by its name and the description of the stack', async () => {
    const path = "groups?$filter=displayName eq 'sg-test-readers'&$select=id,displayName,description";
    const there = { [path]: [{ id: 'g', displayName: 'sg-test-readers', description: 'ours' }] };
    const named = (description: string) => ({ displayName: 'sg-test-readers', description });

    expect(await find('group:Group', named('ours'), there)).toBe('/groups/g');
    expect(await find('group:Group', named('of another'), there)).toBeUndefined();
    expect(await find('group:Group', named('ours'), {})).toBeUndefined();
  });

  it('is a membership, once the group and the member are known', async () => {
    const there = { 'beta/groups/g/members?$select=id': [{ id: 'm' }] };
    const membership = (memberObjectId: string) =>
      find('groupMember:GroupMember', { groupObjectId: 'g', memberObjectId }, there);

    expect(await membership('m')).toBe('g/member/m');
    expect(await membership('other')).toBeUndefined();
    expect(await membership(unknownValue)).toBeUndefined();
  });
});

describe('what is looked for in Entra of applications', () => {
  it('is a federated credential, by its name', async () => {
    const there = { 'applications/a/federatedIdentityCredentials': [{ id: 'c', name: 'orders' }] };
    const credential = (applicationId: string, displayName: string) =>
      find(
        'applicationFederatedIdentityCredential:ApplicationFederatedIdentityCredential',
        { applicationId, displayName },
        there,
      );

    expect(await credential('/applications/a', 'orders')).toBe('a/federatedIdentityCredential/c');
    expect(await credential('/applications/a', 'other')).toBeUndefined();
    expect(await credential('/applications/b', 'orders')).toBeUndefined();
    expect(await credential(unknownValue, 'orders')).toBeUndefined();
  });
});
