import { application } from '../settings';
import type { Change, Subject } from './table';
import { refused, valid } from './table';

const at = 'applications[0].';
const secret = 'hunter2';
const named = { [`${at}secrets`]: ['orders-db'] };

/** Values of secrets, of which no message may show one. */
export const secretValues: Subject = {
  change: named,
  rows: {
    'of a secret that is named': valid({ 'secretValues.orders-db': secret }),
    'a number': refused({ 'secretValues.orders-db': 123456789 }),
    nothing: refused({ 'secretValues.orders-db': null }),
    'an object': refused({ 'secretValues.orders-db': { secret } }),
    'too much': refused({ 'secretValues.orders-db': secret.repeat(10_000) }),
    'a string for the object': refused({ secretValues: secret }),
    'a wrong name': refused({ 'secretValues.orders_db': secret }),
    'a name that nothing reads': refused({ 'secretValues.order-db': secret }),
    'a name that nothing reads, without a similar one': valid({ 'secretValues.something': secret }),
    'a misspelled key': refused({ 'secretvalues.orders-db': secret }, 'secretvalues'),
    'the same name in two spellings': refused(
      { secretValues: { 'orders-db': 'x', 'ORDERS-DB': 'y' } },
      'secretValues.ORDERS-DB',
    ),
  },
};

export const secrets: Subject = {
  rows: {
    'the same one twice': refused({ [`${at}secrets`]: ['db', 'db'] }, `${at}secrets[1]`),
    'the same one in two spellings': refused({ [`${at}secrets`]: ['db', 'DB'] }, `${at}secrets[1]`),
    'the same one in two spellings, by two applications': refused(
      { [`${at}secrets`]: ['Shared'], 'applications[1]': application('b', { secrets: ['shared'] }) },
      'applications[1].secrets[0]',
    ),
  },
};

const platform = '33333333-3333-4333-8333-333333333333';
const ours = '44444444-3333-4333-8333-333333333333';
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
  rows: {
    'of which an application is a member': valid(member),
    'an unknown group': refused({ [`${at}groups`]: ['raeders'] }, `${at}groups[0]`),
    'a group where none are defined': refused({ ...member, groups: [] }, `${at}groups[0]`),
    'an invalid object id': refused({ [`${readers}.existing`]: 'sg-readers' }),
    'an existing one that is to be deleted': refused({ 'groups[1].retainOnDelete': false }),
    'an existing one under two names': refused(
      { ...member, [`${readers}.existing`]: platform },
      'groups[1].existing',
    ),
    'an existing one with secrets and no member of the stack': refused(
      { [`${readers}.existing`]: ours },
      `${readers}.unknownMembers`,
    ),
    'an existing one with secrets, and consent to other members': valid({
      [`${readers}.existing`]: ours,
      [`${readers}.unknownMembers`]: 'accepted',
    }),
    'consent to others where none is needed': refused({ 'groups[1].unknownMembers': 'accepted' }),
    'the same name twice': refused({ 'groups[1].name': 'readers' }),
    'a secret that the identity is granted as well': refused(
      { ...member, [`${at}secrets`]: ['shared'] },
      `${at}secrets[0]`,
    ),
    'an application with its own vault': refused(
      { [`${at}groups`]: ['readers', 'platform'], [`${at}vault.placement`]: 'perApplication' },
      `${at}groups[0]`,
    ),
    'a value of a similar name': refused({ 'secretValues.shred': secret }),
    'a secret in another spelling': refused({ [`${at}secrets`]: ['Shared'] }, `${readers}.secrets[0]`),
    'a secret in a variable that is in use': refused(
      { ...member, [`${at}delivery`]: 'environment', [`${at}env`]: { SHARED: 'x' } },
      `${at}groups[0]`,
    ),
    'another application that runs as the same identity': refused(
      { identity: 'cluster', ...member, 'applications[1]': application('billing') },
      `${at}groups[0]`,
    ),
    'another member that runs as the same identity': valid({
      identity: 'cluster',
      ...member,
      'applications[1]': application('billing', { groups: ['readers'] }),
    }),
    'a vault with access policies': refused(
      {
        ...member,
        'vault.access': 'accessPolicy',
        'applications[1]': application('billing', { secrets: ['billing-db'] }),
      },
      'vault.access',
      'vault.access',
    ),
    'delivery of their secrets alone': valid({ ...member, [`${at}delivery`]: 'files' }),
    'delivery where they have none': refused({ [`${at}groups`]: ['platform'], [`${at}delivery`]: 'files' }),
  },
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
  rows: {
    'on a day of the week': valid({}),
    'an unknown time zone': refused({ [`${window}.timeZone`]: 'Europe/Berlln' }),
    'no time zone': refused({ [`${window}.timeZone`]: undefined }),
    'a time without the other': refused({ [`${window}.to`]: undefined }),
    'an impossible time': refused({ [`${window}.to`]: '24:30' }),
    'a time at which no window can open': refused({ [`${window}.from`]: '24:00' }),
    'an abbreviated day': refused({ [`${window}.days`]: ['Mon'] }, `${window}.days[0]`),
    'a key of another scheduler': refused({ [`${window}.cron`]: '0 8 * * *' }),
    'a date that no calendar has': refused({ [`${window}.validUntil`]: '2026-02-30' }),
    'one that never opens': refused(
      { [`${window}.validFrom`]: '2026-12-01', [`${window}.validUntil`]: '2026-12-05' },
      window,
    ),
    'one that is always open': refused({ [window]: { secrets: ['warehouse'], timeZone: 'UTC' } }),
    'one from a time to itself': refused({
      [window]: { secrets: ['warehouse'], from: '08:00', to: '08:00', timeZone: 'UTC' },
    }),
    'a schedule beside onDemand': refused(
      { [window]: { secrets: ['warehouse'], onDemand: '4h', timeZone: 'UTC' } },
      `${window}.timeZone`,
    ),
    'a secret that is read at all times in another case': refused(
      { [`${window}.secrets`]: ['Orders-DB'] },
      `${window}.secrets[0]`,
    ),
    'the identity of the cluster': refused({ [`${at}identity`]: 'cluster' }, ...whole),
    'secrets that are delivered': refused({ [`${at}delivery`]: 'files' }),
    'access policies': refused(
      { [`${at}vault`]: { placement: 'perApplication', access: 'accessPolicy' } },
      ...whole,
    ),
    'a vault with a lock': refused({ [`${at}vault`]: { placement: 'perApplication', lock: true } }, ...whole),
    'the central vault with a lock': refused({ 'vault.lock': true }, ...whole),
    'an own vault without the lock of the central one': valid({
      'vault.lock': true,
      [`${at}vault`]: { placement: 'perApplication', lock: false },
    }),
    'as many identities as one condition names': valid(onClusters(90)),
    'more identities than one condition names': refused(onClusters(100), ...whole),
    'what a group gives at all times': refused(
      { 'groups[0]': { name: 'readers', secrets: ['warehouse'] }, [`${at}groups`]: ['readers'] },
      `${window}.secrets[0]`,
    ),
    'a reconciler on an unknown cluster': refused(
      { 'accessWindows.clusters': ['aks-3'] },
      'accessWindows.clusters[0]',
    ),
    'a reconciler of nothing': refused(
      { [`${at}accessWindows`]: [], 'accessWindows.clusters': ['aks-1'] },
      'accessWindows',
    ),
    'an application whose identity has the name of the reconciler': refused(
      { 'applications[1]': application('windows', { identity: 'application' }) },
      'clusters[0].name',
    ),
  },
};

export const revoked: Subject = {
  rows: {
    'what there is': valid({
      revoked: {
        applications: { orders: 'x' },
        clusters: { 'aks-1': 'x' },
        identities: { 'id-test-aks-1': 'x' },
      },
    }),
    'an unknown application': refused({ 'revoked.applications.order': 'x' }),
    'a name that is a property of every object': refused({ 'revoked.applications.constructor': 'x' }),
    'an unknown cluster': refused({ 'revoked.clusters.aks-3': 'x' }),
    'the identity of an operator': refused({ 'revoked.identities.id-test-aks-1-aso': 'x' }),
    'a list for reasons by name': refused({ 'revoked.applications': ['orders'] }),
    'no reason': refused({ 'revoked.applications.orders': true }),
    'an unknown kind of thing': refused({ 'revoked.application': { orders: 'x' } }),
  },
};

const exception = {
  policy: 'access-mode',
  resource: 'kv-test',
  reason: 'moved in March, ops 12',
  until: '2027-01-31',
};
const exceptions = 'policies.exceptions';
/** Exceptions from policies. */
export const policyExceptions: Subject = {
  change: { [exceptions]: [exception], $now: '2027-01-31T23:59:59Z' },
  rows: {
    'in a stack that is production by its name': refused({ $stack: 'prod-eu' }, 'policies.production'),
    'and production, true or false, in such a stack': valid({ $stack: 'prod', 'policies.production': false }),
    'on their last day, in UTC': valid({}),
    'on the next day': refused({ $now: '2027-02-01T00:00:00Z' }, `${exceptions}[0].until`),
    'for a year': valid({ [`${exceptions}[0].until`]: '2028-01-31' }),
    'for more than a year': refused({ [`${exceptions}[0].until`]: '2028-02-01' }),
    'until a date that no calendar has': refused({ [`${exceptions}[0].until`]: '2027-02-30' }),
    'until a day in another form': refused({ [`${exceptions}[0].until`]: '31.1.2027' }),
    'from no policy': refused({ [`${exceptions}[0].policy`]: 'acess-mode' }),
    'with an empty reason': refused({ [`${exceptions}[0].reason`]: '' }),
    'with a blank reason': refused({ [`${exceptions}[0].reason`]: ' \n ' }),
    'without a reason': refused({ [`${exceptions}[0].reason`]: undefined }),
    'without a resource': refused({ [`${exceptions}[0].resource`]: undefined }),
    'with an unknown key': refused({ [`${exceptions}[0].why`]: 'x' }),
    'from one policy for two resources': valid({
      [`${exceptions}[1]`]: { ...exception, resource: 'kv-other' },
    }),
    'twice for a policy and a resource': refused({ [`${exceptions}[1]`]: { ...exception, reason: 'x' } }),
  },
};
