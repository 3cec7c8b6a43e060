import type { ListInAzure } from '../../../stacks/preflight/azureList';
import { preflighted } from './preflighted';
import { application, input } from './settings';

// What mocks do not prove: that the resource manager lists permissions and roles like this; the end-to-end test of roles does.

const group = '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg-data';
const account = `${group}/providers/Microsoft.Storage/storageAccounts/st`;
const custom = 'ffffffff-0000-4000-8000-000000000001';
const write = 'Microsoft.Authorization/roleAssignments/write';
const may = [
  { actions: ['*/read'], notActions: [] },
  { actions: [write], notActions: [] },
];

/** The preflight with what the identity that deploys may do on each scope, and the roles that there are. */
async function check(
  roles: readonly object[],
  permissions: readonly object[] | undefined,
  definitions: readonly object[] | null = [],
) {
  const asked: string[] = [];
  const list: ListInAzure = ({ path }) => {
    const [, scope = '', what = ''] =
      /^(.*)\/providers\/Microsoft\.Authorization\/(permissions|roleDefinitions)$/.exec(path) ?? [];
    if (what !== '') asked.push(`${what} ${scope}`);
    const found = { permissions, roleDefinitions: definitions ?? undefined }[what];
    return Promise.resolve(what === '' ? [] : (found as Record<string, unknown>[] | undefined));
  };
  const settings = input([application('orders', { roles })]);
  return { ...(await preflighted(settings, {}, { list })), asked };
}

const reader = { role: 'Storage Blob Data Reader', scope: account };

describe('roles of applications', () => {
  it.each([
    ['where the identity that deploys may assign roles', may],
    ['where it may do everything', [{ actions: ['*'], notActions: [] }]],
    ['where it cannot be read what it may do', undefined],
  ])('are taken %s, asked once for a scope', async (_, permissions) => {
    const { problems, asked } = await check([reader, { ...reader, role: 'Reader' }], permissions);
    expect(problems).toEqual([]);
    expect(asked).toEqual([`permissions ${account}`]);
  });

  it.each([
    ['it may read only', [{ actions: ['*/read'], notActions: [] }]],
    ['it is Contributor', [{ actions: ['*'], notActions: ['Microsoft.Authorization/*/Write'] }]],
    ['it has nothing', []],
  ])('are refused where %s', async (_, permissions) => {
    const { problems } = await check([reader], permissions);
    expect(problems).toEqual([
      `aks-workload-identity:applications[0].roles[0].scope: "${account}" is a scope where the deploying identity may not assign roles: it lacks ${write}, so Azure would refuse with AuthorizationFailed. Allowed: scopes where it has Role Based Access Control Administrator. Ask the owner of the scope to grant it that role there, with a condition that allows this role, or name another scope.`,
    ]);
  });

  it('are left to Azure on a subscription and a management group, which cannot be checked', async () => {
    const scopes = [
      group.replace(/\/resourceGroups.*/, ''),
      '/providers/Microsoft.Management/managementGroups/m',
    ];
    const wide = scopes.map((scope) => ({ role: 'Reader', scope, scopeWiderThanResource: 'accepted' }));
    const { problems, asked } = await check(wide, []);
    expect([problems, asked]).toEqual([[], []]);
  });

  it.each([
    ['there', [{ name: custom, properties: { permissions: [{ actions: ['*/read'], notActions: [] }] } }], []],
    ['not readable', null, []],
    ['not there', [], ['is not the id of a role that can be assigned at this scope']],
    [
      'there and gives access',
      [
        {
          name: custom,
          properties: { permissions: [{ actions: ['Microsoft.Authorization/*'], notActions: [] }] },
        },
      ],
      [`has ${write}: its holder can assign roles to itself and to others`],
    ],
  ])('by an id that is %s', async (_, definitions, expected) => {
    const { problems } = await check([{ ...reader, role: custom.toUpperCase() }], may, definitions);
    expect(problems.map((line) => line.replace(/^.*" /, '').replace(/(\.|, and so) .*$/, ''))).toEqual(
      expected,
    );
  });
});
