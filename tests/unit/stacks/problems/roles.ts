import type { Subject } from './table';
import { each, refused, valid } from './table';

const at = 'applications[0].';
const subscription = '/subscriptions/22222222-2222-4222-8222-222222222222';
const group = `${subscription}/resourceGroups/rg-data`;
const account = `${group}/providers/Microsoft.Storage/storageAccounts/stdata`;
const container = `${account}/blobServices/default/containers/orders`;
const reader = { role: 'Storage Blob Data Reader', scope: container };
const accepted = { scopeWiderThanResource: 'accepted' };
const role = `${at}roles[0]`;
const guid = '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1';
const custom = 'ffffffff-0000-4000-8000-000000000001';

/** Roles of applications and of groups on anything in Azure. */
export const roles: Subject = {
  change: { [`${at}roles`]: [reader], [`${at}identity`]: 'application' },
  rows: {
    'on a resource in a resource': valid({}),
    'by the GUID of the role': valid({ [`${role}.role`]: guid }),
    'by its name in another case': valid({ [`${role}.role`]: 'storage blob data reader' }),
    'a custom one by its id': valid({
      [`${role}.role`]: `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${custom}`,
    }),
    'an unknown name': refused({ [`${role}.role`]: 'Storage Blob Reader' }),
    ...each(['Key Vault Secrets User', 'Key Vault Administrator'], (name) => [
      `one that reads all secrets of a vault: ${name}`,
      refused(
        { [`${role}.role`]: name, [`${role}.scope`]: `${group}/providers/Microsoft.KeyVault/vaults/kv-a` },
        `${role}.scope`,
      ),
    ]),
    'Contributor on a subscription, with consent': refused(
      {
        [`${role}.role`]: 'Contributor',
        [`${role}.scope`]: subscription,
        [`${role}.scopeWiderThanResource`]: 'accepted',
      },
      `${role}.scope`,
    ),
    'a role that reads all secrets of a vault, at times': refused(
      {
        [`${at}accessWindows`]: [
          {
            roles: [
              {
                role: 'Key Vault Secrets Officer',
                scope: `${group}/providers/Microsoft.KeyVault/vaults/kv-a`,
              },
            ],
            ...{ days: ['Monday'], from: '00:00', to: '01:00', timeZone: 'Europe/Berlin' },
          },
        ],
      },
      `${at}accessWindows[0].roles[0].scope`,
    ),
    'an unknown name without a similar one': refused({ [`${role}.role`]: 'Blob' }),
    ...each(
      [
        'Owner',
        'User Access Administrator',
        'Role Based Access Control Administrator',
        '8e3af657-a8ff-443c-a75c-2fe8c4bcb635',
      ],
      (name) => [`one that gives access: ${name}`, refused({ [`${role}.role`]: name })],
    ),
    ...each(
      ['stdata', '/subscriptions/x', `${group}/providers/Microsoft.Storage`, `${account}/`, 'https://x'],
      (scope) => [`a malformed scope: ${scope}`, refused({ [`${role}.scope`]: scope })],
    ),
    'no scope': refused({ [`${role}.scope`]: undefined }),
    'a secret of a vault': refused({
      [`${role}.scope`]: `${group}/providers/Microsoft.KeyVault/vaults/kv/secrets/orders-db`,
    }),
    ...each([group, subscription, '/providers/Microsoft.Management/managementGroups/mg-data'], (scope) => [
      `without consent: ${scope}`,
      refused({ [`${role}.scope`]: scope }, `${role}.scopeWiderThanResource`),
    ]),
    'with consent': valid({ [role]: { ...reader, scope: group, ...accepted } }),
    'an unknown value for consent': refused(
      { [role]: { ...reader, scope: group, scopeWiderThanResource: true } },
      `${role}.scopeWiderThanResource`,
    ),
    'consent to a single resource': refused(
      { [role]: { ...reader, ...accepted } },
      `${role}.scopeWiderThanResource`,
    ),
    'the same role twice, by name and by GUID': refused({
      [`${at}roles[1]`]: {
        role: guid,
        scope: container.replace('stdata', 'STDATA'),
      },
    }),
    'what a group has as well': refused(
      { groups: [{ name: 'readers', roles: [reader] }], [`${at}groups`]: ['readers'] },
      role,
    ),
    'a group with a wrong role': refused(
      { groups: [{ name: 'readers', roles: [{ ...reader, role: 'Owner' }] }] },
      'groups[0].roles[0].role',
    ),
    'what it has at all times in a window': refused(
      { [`${at}accessWindows`]: [{ roles: [reader], days: ['Monday'], timeZone: 'UTC' }] },
      `${at}accessWindows[0].roles[0]`,
    ),
    'another one in a window, whatever the delivery': valid({
      [`${at}accessWindows`]: [{ roles: [{ ...reader, scope: account }], days: ['Monday'], timeZone: 'UTC' }],
      [`${at}delivery`]: 'files',
      [`${at}secrets`]: ['orders-db'],
    }),
    'a window without a role and a secret': refused(
      { [`${at}accessWindows`]: [{ days: ['Monday'], timeZone: 'UTC' }] },
      `${at}accessWindows[0]`,
    ),
    'a window of the identity of a cluster': refused(
      {
        [`${at}accessWindows`]: [
          { roles: [{ ...reader, scope: account }], days: ['Monday'], timeZone: 'UTC' },
        ],
        [`${at}identity`]: 'cluster',
      },
      `${at}accessWindows`,
    ),
    'everything that is wrong, at once': refused(
      {
        [`${at}roles`]: [{ role: 'Ownr', scope: group }, reader, reader],
      },
      `${role}.role`,
      `${role}.scopeWiderThanResource`,
      `${at}roles[2]`,
    ),
  },
};
