import { application } from '../settings';
import type { Change, Row, Subject } from './table';
import { valid } from './table';

const at = 'applications[0].';
const secret = 'hunter2';
const named = { [`${at}secrets`]: ['orders-db'] };

/** Values of secrets, of which no message may show one. */
export const secretValues: Subject = {
  change: named,
  rows: [
    ['of a secret that is named', { 'secretValues.orders-db': secret }, valid],
    ['a number', { 'secretValues.orders-db': 123456789 }],
    ['nothing', { 'secretValues.orders-db': null }],
    ['an object', { 'secretValues.orders-db': { secret } }],
    ['too much', { 'secretValues.orders-db': secret.repeat(10_000) }],
    ['a text for the object', { secretValues: secret }],
    ['a wrong name', { 'secretValues.orders_db': secret }],
    ['a name that nobody reads', { 'secretValues.order-db': secret }],
    ['a name that nobody reads, and like no other', { 'secretValues.something': secret }, valid],
    ['a misspelt key', { 'secretvalues.orders-db': secret }, ['secretvalues']],
    [
      'one name in two spellings',
      { secretValues: { 'orders-db': 'x', 'ORDERS-DB': 'y' } },
      ['secretValues.ORDERS-DB'],
    ],
  ],
};

export const secrets: Subject = {
  rows: [
    ['one twice', { [`${at}secrets`]: ['db', 'db'] }, [`${at}secrets[1]`]],
    ['one twice in two spellings', { [`${at}secrets`]: ['db', 'DB'] }, [`${at}secrets[1]`]],
    [
      'one of two applications in two spellings',
      { [`${at}secrets`]: ['Shared'], 'applications[1]': application('b', { secrets: ['shared'] }) },
      ['applications[1].secrets[0]'],
    ],
  ],
};

const platform = '33333333-3333-4333-8333-333333333333';
const readers = 'groups[0]';
const member = { [`${at}groups`]: ['readers'] };

export const groups: Subject = {
  change: {
    identity: 'application',
    groups: [
      { name: 'readers', secrets: ['shared'] },
      { name: 'platform', existing: platform },
    ],
  },
  rows: [
    ['of which an application is a member', member, valid],
    ['one that is not there', { [`${at}groups`]: ['raeders'] }, [`${at}groups[0]`]],
    ['one where there are none', { ...member, groups: [] }, [`${at}groups[0]`]],
    ['an object id that is none', { [`${readers}.existing`]: 'sg-readers' }],
    ['one that exists and is to be deleted', { 'groups[1].retainOnDelete': false }],
    ['one that exists under two names', { [`${readers}.existing`]: platform }, ['groups[1].existing']],
    ['one name twice', { 'groups[1].name': 'readers' }],
    [
      'a secret that the identity is granted as well',
      { ...member, [`${at}secrets`]: ['shared'] },
      [`${at}secrets[0]`],
    ],
    [
      'an application with its own vault',
      { [`${at}groups`]: ['readers', 'platform'], [`${at}vault.placement`]: 'perApplication' },
      [`${at}groups[0]`],
    ],
    ['a value of a similar name', { 'secretValues.shred': secret }],
    ['a secret in another spelling', { [`${at}secrets`]: ['Shared'] }, [`${readers}.secrets[0]`]],
    [
      'a secret in a variable that is taken',
      { ...member, [`${at}delivery`]: 'environment', [`${at}env`]: { SHARED: 'x' } },
      [`${at}groups[0]`],
    ],
    [
      'another application that runs as the same identity',
      { identity: 'cluster', ...member, 'applications[1]': application('billing') },
      [`${at}groups[0]`],
    ],
    [
      'another member that runs as the same identity',
      { identity: 'cluster', ...member, 'applications[1]': application('billing', { groups: ['readers'] }) },
      valid,
    ],
    [
      'a vault with access policies',
      {
        ...member,
        'vault.access': 'accessPolicy',
        'applications[1]': application('billing', { secrets: ['billing-db'] }),
      },
      ['vault.access', 'vault.access'],
    ],
    ['delivery of their secrets alone', { ...member, [`${at}delivery`]: 'files' }, valid],
    [
      'delivery where they have none',
      { [`${at}groups`]: ['platform'], [`${at}delivery`]: 'files' },
      [`${at}delivery`],
    ],
  ],
};

const monday = {
  secrets: ['warehouse'],
  days: ['Monday'],
  from: '00:00',
  to: '01:00',
  timeZone: 'Europe/Berlin',
};
const window = `${at}accessWindows[0]`;
const onClusters = (count: number): Change => ({
  clusters: Array.from({ length: count }, (_, index) => ({ name: `aks-${index}` })),
});
const whole = [`${at}accessWindows`];

export const accessWindows: Subject = {
  change: {
    [`${at}identity`]: 'application',
    [`${at}secrets`]: ['orders-db'],
    [`${at}accessWindows`]: [monday],
  },
  rows: [
    ['on a day of the week', {}, valid],
    ['an unknown time zone', { [`${window}.timeZone`]: 'Europe/Berlln' }],
    ['no time zone', { [`${window}.timeZone`]: undefined }],
    ['a time without the other', { [`${window}.to`]: undefined }],
    ['a time that there is not', { [`${window}.to`]: '24:30' }],
    ['a date that there is not', { [`${window}.validUntil`]: '2026-02-30' }],
    [
      'one that never opens',
      { [`${window}.validFrom`]: '2026-12-01', [`${window}.validUntil`]: '2026-12-05' },
      [window],
    ],
    ['one that is always open', { [window]: { secrets: ['warehouse'], timeZone: 'UTC' } }],
    [
      'one from a time to itself',
      { [window]: { secrets: ['warehouse'], from: '08:00', to: '08:00', timeZone: 'UTC' } },
    ],
    [
      'a schedule beside onDemand',
      { [window]: { secrets: ['warehouse'], onDemand: '4h', timeZone: 'UTC' } },
      [`${window}.timeZone`],
    ],
    [
      'a secret that is read at all times in another case',
      { [`${window}.secrets`]: ['Orders-DB'] },
      [`${window}.secrets[0]`, `${window}.secrets[0]`],
    ],
    ['the identity of the cluster', { [`${at}identity`]: 'cluster' }, whole],
    ['secrets that are delivered', { [`${at}delivery`]: 'files' }, whole],
    [
      'access policies',
      { [`${at}vault`]: { placement: 'perApplication', access: 'accessPolicy' } },
      ['vault.access', ...whole],
    ],
    ['a vault with a lock', { [`${at}vault`]: { placement: 'perApplication', lock: true } }, whole],
    ['the central vault with a lock', { 'vault.lock': true }, whole],
    [
      'an own vault without the lock of the central one',
      { 'vault.lock': true, [`${at}vault`]: { placement: 'perApplication', lock: false } },
      valid,
    ],
    ['as many identities as one condition names', onClusters(90), valid],
    ['more identities than one condition names', onClusters(100), whole],
    [
      'what a group gives at all times',
      { 'groups[0]': { name: 'readers', secrets: ['warehouse'] }, [`${at}groups`]: ['readers'] },
      [`${window}.secrets[0]`],
    ],
    [
      'a reconciler on a cluster that there is not',
      { 'accessWindows.clusters': ['aks-3'] },
      ['accessWindows.clusters[0]'],
    ],
    [
      'a reconciler of nothing',
      { [`${at}accessWindows`]: [], 'accessWindows.clusters': ['aks-1'] },
      ['accessWindows'],
    ],
    [
      'an application whose identity has the name of the reconciler',
      { 'applications[1]': application('windows', { identity: 'application' }) },
      ['clusters[0].name'],
    ],
  ],
};

export const revoked: Subject = {
  rows: [
    [
      'what there is',
      {
        revoked: {
          applications: { orders: 'x' },
          clusters: { 'aks-1': 'x' },
          identities: { 'id-test-aks-1': 'x' },
        },
      },
      valid,
    ],
    ['an application that there is not', { 'revoked.applications.order': 'x' }],
    ['a name that every object has a property of', { 'revoked.applications.constructor': 'x' }],
    ['a cluster that there is not', { 'revoked.clusters.aks-3': 'x' }],
    ['the identity of an operator', { 'revoked.identities.id-test-aks-1-aso': 'x' }],
    ['a list for reasons by name', { 'revoked.applications': ['orders'] }],
    ['no reason', { 'revoked.applications.orders': true }],
    ['an unknown kind of thing', { 'revoked.application': { orders: 'x' } }],
  ],
};

const exception = {
  policy: 'access-mode',
  resource: 'kv-test',
  reason: 'moved in March, ops 12',
  until: '2027-01-31',
};
const exceptions = 'policies.exceptions';
const lastDay = { now: '2027-01-31T23:59:59Z' };
const one = (title: string, field: string, value: unknown): Row => [
  title,
  { [`${exceptions}[0].${field}`]: value },
  undefined,
  lastDay,
];

/** Exceptions from policies. */
export const policyExceptions: Subject = {
  change: { [exceptions]: [exception] },
  rows: [
    ['on their last day, in UTC', {}, valid, lastDay],
    ['on the next day', {}, [`${exceptions}[0].until`], { now: '2027-02-01T00:00:00Z' }],
    ['for a year', { [`${exceptions}[0].until`]: '2028-01-31' }, valid, lastDay],
    one('for more than a year', 'until', '2028-02-01'),
    one('until a day that no calendar has', 'until', '2027-02-30'),
    one('until a day in another form', 'until', '31.1.2027'),
    one('from no policy', 'policy', 'acess-mode'),
    one('with an empty reason', 'reason', ''),
    one('with a blank reason', 'reason', ' \n '),
    one('without a reason', 'reason', undefined),
    one('without a resource', 'resource', undefined),
    one('with an unknown key', 'why', 'x'),
    [
      'from one policy for two resources',
      { [`${exceptions}[1]`]: { ...exception, resource: 'kv-other' } },
      valid,
      lastDay,
    ],
    [
      'twice for a policy and a resource',
      { [`${exceptions}[1]`]: { ...exception, reason: 'x' } },
      undefined,
      lastDay,
    ],
  ],
};
