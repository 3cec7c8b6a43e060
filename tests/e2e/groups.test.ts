/**
 * The example of docs/groups.md on a local cloud: what its applications read as members of a group, also after they left it,
 * and reports of members that others add and of existing groups. The tests are steps of one story and run in order.
 */
import type { TokenCredential } from '@azure/identity';
import type { AzureClients } from '../support/azureClients';
import { localCloud, type Update } from '../support/localCloud';
import { exampleFile } from './support/exampleFile';
import { signInAs, workloadOf } from './support/workloads';

jest.setTimeout(10 * 60_000);

const stack = 'groups';
const vault = 'kv-wi-groups';
const secret = 'shared-api-key';
const example = exampleFile('groups');
/** The example in which `orders` has left the group. */
const left = example.replace('      groups: [readers]\n', '');
/** The example with an existing group, of which `billing` is a member. */
const withExisting = (objectId: string) =>
  left
    .replace(/# - name: platform\n.*/, `- name: platform\n      existing: ${objectId}`)
    .replace('      secrets: [billing-db]', '      secrets: [billing-db]\n      groups: [platform]');

const cloud = localCloud('groups');
let first: Update;
let azure: AzureClients;

beforeAll(async () => {
  first = await cloud.up({ stack, yaml: example });
  azure = await cloud.azure();
});
afterAll(() => cloud.clean());

const workload = (application: string) => workloadOf(cloud, stack, application);

/** As the application, by its first token. */
async function signIn(application: string): Promise<TokenCredential> {
  const { identity, ...account } = await workload(application);
  return signInAs(cloud, azure, identity.clientId, account);
}

const read = (credential: TokenCredential) => azure.secrets(vault, credential).getSecret(secret);
const groupId = async () => (await cloud.outputs(stack)).groups[0]?.objectId ?? '';
const addMember = (group: string, member: string) =>
  azure
    .graph()
    .api(`/groups/${group}/members/$ref`)
    .post({ '@odata.id': `https://graph.microsoft.com/v1.0/directoryObjects/${member}` });

async function failedChecks(): Promise<Record<string, string>> {
  const { report } = await cloud.verify(stack);
  const failed = report.checks.filter(({ ok }) => !ok);
  return Object.fromEntries(
    failed.map(({ application, check, detail }) => [`${application}: ${check}`, detail]),
  );
}

describe('a group', () => {
  it('lets its members read its secret by one assignment, and nobody else', async () => {
    expect(first.output).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
    expect(first.output).toMatch(/a removal takes effect only with the next token, up to 24 hours/);
    expect(
      first.steps.summary.filter((step) => step.includes('RoleAssignment') && step.endsWith(secret)),
    ).toEqual([`create azure-native:authorization:RoleAssignment ${vault}/group_readers/${secret}`]);
    const { report } = await cloud.verify(stack);
    const reported = report.checks.map(({ application, check }) => `${application}: ${check}`);
    expect(reported).toEqual(
      expect.arrayContaining([
        `orders: reads ${vault}/${secret}`,
        `invoices: reads ${vault}/${secret}`,
        `billing: is refused ${vault}/${secret}`,
        'readers: has exactly the members of the stack',
        'readers: has only the grants of the stack',
      ]),
    );
    expect((await read(await signIn('orders'))).name).toBe(secret);
    await expect(read(await signIn('billing'))).rejects.toMatchObject({ statusCode: 403 });
  });

  it('does not change in a second up, and shows no drift', async () => {
    expect(await cloud.changesOfSecondUpdate({ stack })).toEqual([]);
  });

  it('fails the verification with a member that somebody else added, and says how to remove it', async () => {
    const group = await groupId();
    const { principalId } = (await workload('billing')).identity;
    await addMember(group, principalId);

    const failed = await failedChecks();

    expect(Object.keys(failed).sort()).toEqual([
      `billing: is refused ${vault}/${secret}`,
      'readers: has exactly the members of the stack',
    ]);
    expect(failed['readers: has exactly the members of the stack']).toContain(
      `az ad group member remove --group ${group} --member-id ${principalId}`,
    );
    await azure.graph().api(`/groups/${group}/members/${principalId}/$ref`).delete();
    expect(await failedChecks()).toEqual({});
  });

  it('is left with the next token only: the one before still reads', async () => {
    const before = await signIn('orders');
    await read(before);

    const steps = await cloud.deploy({ stack, yaml: left });

    expect(steps.summary).toContain('delete azuread:index/groupMember:GroupMember readers/aks-groups-orders');
    expect((await read(before)).name).toBe(secret);
    await expect(read(await signIn('orders'))).rejects.toMatchObject({ statusCode: 403 });
  });
});

describe('a group that exists', () => {
  it('is refused where there is none', async () => {
    const none = '33333333-3333-4333-8333-333333333333';
    expect(await cloud.refusedUp({ stack, yaml: withExisting(none) })).toMatch(
      /groups\[1\]\.existing: "33333333-[^"]*" cannot be read as a group: /,
    );
  });

  it('gets its members, of which one that is there already is imported, and stays at the end', async () => {
    const body = { displayName: 'platform', mailNickname: 'platform', securityEnabled: true };
    const created = (await azure
      .graph()
      .api('/groups')
      .post({ ...body, mailEnabled: false })) as { id: string };
    await addMember(created.id, (await workload('billing')).identity.principalId);
    const request = { stack, yaml: withExisting(created.id) };

    expect(await cloud.refusedUp(request)).toMatch(
      new RegExp(`${created.id}/member/\\S+ exists in Entra, and the stack would create it`),
    );
    await cloud.succeed('import', '--stack', stack, '--yes');
    expect((await cloud.up(request)).output).toMatch(/ checks passed, 0 failed/);

    await cloud.destroy({ stack });
    const groups = (await azure.graph().api('/groups').get()) as { value: { displayName: string }[] };
    expect(groups.value.map(({ displayName }) => displayName)).toEqual(['platform']);
    const members = (await azure.graph().api(`/groups/${created.id}/members`).version('beta').get()) as {
      value: unknown[];
    };
    expect(members.value).toEqual([]);
  });
});
