import { groupId, subnetId, vaultId, workspaceId } from '../ids';
import { application } from '../settings';
import type { Subject } from './table';
import { each, refused, valid } from './table';

const existing = { vault: { existing: vaultId('kv-y') } };
const own = 'applications[0].vault';
const perApplication = { [`${own}.placement`]: 'perApplication' };
const numbered = Array.from({ length: 100 }, (_, index) => `secret-number-${index}`);
const firewall = { allowedIpRanges: ['203.0.113.7'] };
const zones = `${groupId('rg-dns')}/providers/Microsoft.Network/privateDnsZones`;
const endpoints = (...names: string[]) => names.map((name) => ({ subnet: subnetId(name) }));

export const vaults: Subject = {
  rows: {
    'neither a name nor an id': refused({ vault: {} }),
    'a name of two characters': refused({ 'vault.name': 'kv' }),
    'a name of 25 characters': refused({ 'vault.name': 'k'.repeat(25) }),
    'the id of something else': refused({ vault: { existing: subnetId('x') } }, 'vault.existing'),
    'an id in any case': valid({ vault: { existing: vaultId('kv-y').toUpperCase() } }),
    'a name and an id': refused({ 'vault.existing': vaultId('kv-y') }, 'vault.name'),
    'a name and a wrong id': refused({ 'vault.existing': 'kv-y' }, 'vault.existing', 'vault.name'),
    'one that exists, with what is used of it': valid({
      ...existing,
      'vault.access': 'accessPolicy',
      'vault.retainOnDelete': true,
    }),
    'an existing one, with settings that only a new one has': refused(
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
      ...[
        ...['network', 'privateEndpoints', 'lock', 'tags', 'publicAccess'],
        ...['softDeleteRetentionInDays', 'purgeProtection'],
      ].map((field) => `vault.${field}`),
    ),
    'one that exists, with what the made ones of applications are like': valid({
      ...existing,
      'vault.lock': true,
      'vault.publicAccess': true,
      ...perApplication,
      [`${own}.name`]: 'kv-a',
    }),
    'a firewall with public access': valid({ 'vault.publicAccess': true, 'vault.network': firewall }),
    'a firewall without public access': refused({ 'vault.network': firewall }),
    'a firewall of an application without public access': refused({
      ...perApplication,
      [`${own}.network`]: firewall,
    }),
    'an endpoint with the private DNS zone of another service': refused(
      {
        'vault.privateEndpoints': [
          { subnet: subnetId('apps'), privateDnsZone: `${zones}/privatelink.blob.core.windows.net` },
        ],
      },
      'vault.privateEndpoints[0].privateDnsZone',
    ),
    'roles on the vault under conditions': valid({ 'vault.grants': 'condition' }),
    'conditions in one that exists': valid({ ...existing, 'vault.grants': 'condition' }),
    'conditions of access policies': refused(
      { 'vault.access': 'accessPolicy', 'vault.grants': 'condition' },
      'vault.grants',
    ),
    'conditions of access policies of an application': refused({
      ...perApplication,
      [`${own}.access`]: 'accessPolicy',
      [`${own}.grants`]: 'condition',
    }),
    'conditions that the access policies of an application do not need': valid({
      ...perApplication,
      'vault.grants': 'condition',
      [`${own}.access`]: 'accessPolicy',
    }),
    'a condition on a name that is not in lower case': refused(
      { 'vault.grants': 'condition', 'applications[0].secrets': ['Orders-DB'] },
      'vault.grants',
    ),
    'a condition on more names than 8 KB hold': refused(
      { 'vault.grants': 'condition', 'applications[0].secrets': numbered },
      'vault.grants',
    ),
    'a condition on more names, in a vault of the application': refused({
      ...{ ...perApplication, 'applications[0].secrets': numbered },
      [`${own}.grants`]: 'condition',
    }),
    'a condition on more names for a group': refused(
      { 'vault.grants': 'condition', groups: [{ name: 'readers', secrets: numbered }] },
      'vault.grants',
    ),
    'conditions of a vault that the application does not have': refused({
      [`${own}.grants`]: 'condition',
    }),
    'two endpoints in the same subnet': refused(
      { 'vault.privateEndpoints': endpoints('apps', 'APPS') },
      'vault.privateEndpoints[1].subnet',
    ),
  },
};

export const vaultsOfApplications: Subject = {
  rows: {
    'one that exists': valid({ ...perApplication, [`${own}.existing`]: vaultId('kv-a') }),
    'a lock on an existing one': refused({
      ...perApplication,
      [`${own}.existing`]: vaultId('kv-a'),
      [`${own}.lock`]: false,
    }),
    'a name and an id': refused({
      ...perApplication,
      [`${own}.existing`]: vaultId('kv-a'),
      [`${own}.name`]: 'kv-b',
    }),
    'an existing one for two applications': refused(
      {
        applications: ['a', 'b'].map((name) =>
          application(name, { vault: { placement: 'perApplication', existing: vaultId('kv-a') } }),
        ),
      },
      'applications[1].vault.existing',
    ),
    ...each(
      Object.entries({ existing: vaultId('kv-a'), lock: true, access: 'accessPolicy', name: 'kv-a' }),
      ([key, value]) => [
        `${key} where the secrets are in the central vault`,
        refused({ [`${own}.${key}`]: value }),
      ],
    ),
    'a default name that is too long': refused(
      { 'vault.name': 'kv-test-environment', vaults: 'perApplication', 'applications[0].name': 'invoices' },
      `${own}.name`,
    ),
    'the name of the central vault': refused({ ...perApplication, [`${own}.name`]: 'KV-test' }),
  },
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
  rows: {
    'with access policies': refused(policies, 'vault.access'),
    'with RBAC': valid({ 'vault.access': 'rbac' }),
    'with a vault each': valid({ ...policies, vaults: 'perApplication' }),
    'where it is accepted': valid({ ...policies, 'vault.overreach': 'accepted' }),
    'where all run as one identity': valid({ ...policies, identity: 'cluster' }),
  },
};

const workspace = 'logs.workspace';

export const logs: Subject = {
  rows: {
    'a workspace that is made': valid({ [workspace]: { name: 'log-x', retentionInDays: 90 } }),
    'a workspace that exists': valid({ [workspace]: { existing: workspaceId('log-x') } }),
    'a workspace with neither a name nor an id': refused({ [workspace]: {} }),
    'a retention in a workspace that exists': refused(
      { [workspace]: { existing: workspaceId('log-x'), retentionInDays: 90 } },
      `${workspace}.retentionInDays`,
    ),
  },
};
