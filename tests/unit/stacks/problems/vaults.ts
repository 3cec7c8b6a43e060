import { subnetId, vaultId, workspaceId } from '../ids';
import { application } from '../settings';
import type { Row, Subject } from './table';
import { valid } from './table';

const existing = { vault: { existing: vaultId('kv-y') } };
const own = 'applications[0].vault';
const perApplication = { [`${own}.placement`]: 'perApplication' };
const firewall = { allowedIpRanges: ['203.0.113.7'] };
const endpoints = (...names: string[]) => names.map((name) => ({ subnet: subnetId(name) }));

export const vaults: Subject = {
  rows: [
    ['neither a name nor an id', { vault: {} }],
    ['a name and an id', { 'vault.existing': vaultId('kv-y') }, ['vault.name']],
    ['a name and a wrong id', { 'vault.existing': 'kv-y' }, ['vault.existing', 'vault.name']],
    [
      'one that exists, with what is used of it',
      { ...existing, 'vault.access': 'accessPolicy', 'vault.retainOnDelete': true },
      valid,
    ],
    [
      'one that exists, with what only one that is made has',
      {
        ...existing,
        'vault.network': {},
        'vault.privateEndpoints': [],
        'vault.lock': true,
        'vault.tags': {},
        'vault.publicAccess': true,
        'vault.softDeleteRetentionInDays': 7,
        'vault.purgeProtection': false,
      },
      [
        ...['network', 'privateEndpoints', 'lock', 'tags', 'publicAccess'],
        ...['softDeleteRetentionInDays', 'purgeProtection'],
      ].map((field) => `vault.${field}`),
    ],
    [
      'one that exists, with what the made ones of applications are like',
      {
        ...existing,
        'vault.lock': true,
        'vault.publicAccess': true,
        ...perApplication,
        [`${own}.name`]: 'kv-a',
      },
      valid,
    ],
    ['a firewall with public access', { 'vault.publicAccess': true, 'vault.network': firewall }, valid],
    ['a firewall without public access', { 'vault.network': firewall }],
    [
      'a firewall of an application without public access',
      { ...perApplication, [`${own}.network`]: firewall },
      [`${own}.network`],
    ],
    [
      'two endpoints in one subnet',
      { 'vault.privateEndpoints': endpoints('apps', 'APPS') },
      ['vault.privateEndpoints[1].subnet'],
    ],
  ],
};

export const vaultsOfApplications: Subject = {
  rows: [
    ['one that exists', { ...perApplication, [`${own}.existing`]: vaultId('kv-a') }, valid],
    [
      'a lock on one that exists',
      { ...perApplication, [`${own}.existing`]: vaultId('kv-a'), [`${own}.lock`]: false },
      [`${own}.lock`],
    ],
    [
      'a name and an id',
      { ...perApplication, [`${own}.existing`]: vaultId('kv-a'), [`${own}.name`]: 'kv-b' },
      [`${own}.name`],
    ],
    [
      'one that exists for two',
      {
        applications: ['a', 'b'].map((name) =>
          application(name, { vault: { placement: 'perApplication', existing: vaultId('kv-a') } }),
        ),
      },
      ['applications[1].vault.existing'],
    ],
    ...Object.entries({
      existing: vaultId('kv-a'),
      lock: true,
      access: 'accessPolicy',
      name: 'kv-a',
    }).map(([key, value]): Row => [
      `${key} where the secrets are in the central vault`,
      { [`${own}.${key}`]: value },
    ]),
    [
      'a name that comes out too long',
      { 'vault.name': 'kv-test-environment', vaults: 'perApplication', 'applications[0].name': 'invoices' },
      [`${own}.name`],
    ],
    ['the name of the central vault', { ...perApplication, [`${own}.name`]: 'KV-test' }, [`${own}.name`]],
  ],
};

const readers = {
  clusters: [{ name: 'aks-1' }],
  identity: 'application',
  applications: [application('a', { secrets: ['a-db'] }), application('b', { secrets: ['a-db', 'b-db'] })],
};
const policies = { 'vault.access': 'accessPolicy' };

/** Access policies where a reader would see more than it names. */
export const overreach: Subject = {
  change: readers,
  rows: [
    ['with access policies', policies, ['vault.access']],
    ['with RBAC', { 'vault.access': 'rbac' }, valid],
    ['with a vault each', { ...policies, vaults: 'perApplication' }, valid],
    ['where it is accepted', { ...policies, 'vault.overreach': 'accepted' }, valid],
    ['where all run as one identity', { ...policies, identity: 'cluster' }, valid],
  ],
};

const workspace = 'logs.workspace';

export const logs: Subject = {
  rows: [
    ['a workspace that is made', { [workspace]: { name: 'log-x', retentionInDays: 90 } }, valid],
    ['a workspace that exists', { [workspace]: { existing: workspaceId('log-x') } }, valid],
    ['a workspace with neither a name nor an id', { [workspace]: {} }],
    [
      'a retention in a workspace that exists',
      { [workspace]: { existing: workspaceId('log-x'), retentionInDays: 90 } },
      [`${workspace}.retentionInDays`],
    ],
  ],
};
