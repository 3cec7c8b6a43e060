import { shardOf } from '../../../../stacks/plan/shards';
import { identityId } from '../ids';
import { application } from '../settings';
import type { Subject } from './table';
import { refused, valid } from './table';

const accounts = (count: number) => Array.from({ length: count }, (_, index) => `w-${index}`);
const oneCluster = { clusters: [{ name: 'aks-1' }] };
const many = (count: number, last: Record<string, unknown> = {}) => ({
  ...oneCluster,
  applications: [...accounts(count - 1).map((name) => application(name)), application('last', last)],
});

/** Applications of which all are in one shard. */
const sharing = (shard: string, count: number) =>
  Array.from({ length: 2000 }, (_, number) => `app-${number}`)
    .filter((name) => shardOf(name) === shard)
    .slice(0, count)
    .map((name) => application(name));

const alone = { applications: [application('a', { serviceAccounts: accounts(20) }), application('b')] };
const ofOne = ['applications[0].serviceAccounts'];
const dependent = (count: number, more: object = {}) => ({
  'clusters[2].name': 'aks-3',
  'applications[0].dependencies': [{ name: 'other', identity: { name: 'id-other' } }],
  'applications[0].serviceAccounts': accounts(count - 1),
  ...more,
});

/** What one identity may trust. */
export const manyAccounts: Subject = {
  rows: {
    '20 under the identity of a cluster': valid(many(20)),
    '21 under the identity of a cluster': refused(many(21), 'clusters[0].name'),
    '21 under identities of their own': valid({ ...many(21), identity: 'application' }),
    '21 under identities of shards': valid({ ...many(21), shard: true }),
    '22 of 20 applications': refused(many(20, { serviceAccounts: ['a', 'b'] }), 'clusters[0].name'),
    '20 of one application with an identity of its own': valid({
      identity: 'application',
      'applications[0].serviceAccounts': accounts(19),
    }),
    '21 of one application with its own identity, reported once for all clusters': refused(
      { identity: 'application', 'applications[0].serviceAccounts': accounts(20) },
      ...ofOne,
    ),
    '21 of one application, too many for a shared identity': refused(alone, ...ofOne),
    '21 of one application, too many for a shard': refused({ ...alone, shard: true }, ...ofOne),
    '18 on three clusters under an identity that an application depends on': valid(dependent(6)),
    '20 on two of three such clusters': valid(
      dependent(10, { 'applications[0].clusters': ['aks-1', 'aks-2'] }),
    ),
    '21 on three such clusters': refused(dependent(7), 'applications[0].dependencies[0].identity'),
    '20 in one shard': valid({ ...oneCluster, shard: true, applications: sharing('s07', 20) }),
    '21 in one shard': refused(
      { ...oneCluster, shard: true, applications: sharing('s07', 21) },
      'clusters[0].name',
    ),
    'the name of a shard for an application': refused(
      {
        ...oneCluster,
        shard: true,
        'applications[0].name': 's07',
        'applications[0].identity': 'application',
      },
      'clusters[0].name',
    ),
    'the name of a shard for an application where there are none': valid({
      'applications[0].name': 's07',
      identity: 'application',
    }),
  },
};

const ownId = { 'aks-1': identityId('one'), 'aks-2': identityId('two') };
const existing = (ids: object, more: object = {}) => ({
  'applications[0].identity': { existing: ids },
  ...more,
});
const shared = { existing: identityId('id-shared') };

export const existingIdentities: Subject = {
  rows: {
    'one for each cluster of an application': valid(existing(ownId)),
    'none for a cluster of the application': refused(
      existing({ 'aks-1': identityId('one') }),
      'applications[0].identity.existing.aks-2',
    ),
    'one for a cluster that the application does not run on': refused(
      existing(ownId, { 'applications[0].clusters': ['aks-1'] }),
      'applications[0].identity.existing.aks-2',
    ),
    'an identity for an unknown cluster': refused(
      existing({ ...ownId, 'aks-22': identityId('three') }),
      'applications[0].identity.existing.aks-22',
    ),
    'one for two clusters of an application': refused(
      existing({ 'aks-1': identityId('one'), 'aks-2': identityId('ONE') }),
      'applications[0].identity.existing.aks-2',
    ),
    'one for a cluster and for an operator': refused({
      'clusters[0].identity': shared,
      'clusters[1].operatorIdentity.existing': identityId('ID-shared'),
    }),
    'one for a cluster and for an application': refused(
      { 'clusters[0].identity': shared, ...existing({ ...ownId, 'aks-1': shared.existing }) },
      'applications[0].identity.existing.aks-1',
    ),
    'one that the stack creates for another application': refused(
      existing({ ...ownId, 'aks-1': identityId('ID-test-aks-1').replace('rg-there', 'RG-test') }),
      'applications[0].identity.existing.aks-1',
    ),
    'one with the name of one that the stack makes, in another group': valid(
      existing({ ...ownId, 'aks-1': identityId('id-test-aks-1') }),
    ),
    'one for an operator that the stack creates for a cluster': refused(
      { 'clusters[0].operatorIdentity.existing': identityId('id-test-aks-1').replace('rg-there', 'rg-test') },
      'clusters[0].operatorIdentity.existing',
    ),
    'one for an operator that is not installed': refused({
      'serviceOperator.install': false,
      'clusters[1].operatorIdentity.existing': identityId('id-aso'),
    }),
  },
};

const generations = (list: unknown) => ({
  'applications[0].identity': 'application',
  'applications[0].identityGenerations': list,
});
const ofApplication = ['applications[0].identityGenerations'];

export const identityGenerations: Subject = {
  rows: {
    two: valid(generations([2, 1])),
    none: refused(generations([]), ...ofApplication),
    three: refused(generations([1, 2, 3]), ...ofApplication),
    'not a number': refused(generations(['two']), 'applications[0].identityGenerations[0]'),
    zero: refused(generations([0]), 'applications[0].identityGenerations[0]'),
    'a single number': refused(generations(2), ...ofApplication),
    'the same one twice': refused({ 'clusters[0].identityGenerations': [2, 2] }),
    'of an application that runs as its cluster': refused({ 'applications[0].identityGenerations': [1, 2] }),
    'of identities that exist': refused(
      {
        'clusters[0].identity': shared,
        'clusters[0].identityGenerations': [1, 2],
        ...existing(ownId),
        'applications[0].identityGenerations': [1, 2],
      },
      'clusters[0].identityGenerations',
      'applications[0].identityGenerations',
    ),
    'with the name of another identity': refused(
      {
        ...oneCluster,
        ...generations([1, 2]),
        'applications[1]': application('orders-g2', { identity: 'application' }),
      },
      'clusters[0].name',
    ),
  },
};

const byPassword = { credential: 'password', storedPassword: 'accepted' };
const at = 'applications[0].';
const stored = `${at}identity.servicePrincipal`;

export const storedCredentials: Subject = {
  change: {
    clusters: [{ name: 'aks-1', operatorIdentity: { servicePrincipal: { credential: 'certificate' } } }],
    [`${at}secrets`]: ['db'],
    [`${at}identity`]: { servicePrincipal: byPassword },
  },
  rows: {
    'with all that they need': valid({}),
    'a password without consent': refused({ [`${stored}.storedPassword`]: undefined }),
    'consent that nothing needs': refused(
      { [`${stored}.credential`]: 'certificate' },
      `${stored}.storedPassword`,
    ),
    'another consent': refused({ [`${stored}.storedPassword`]: true }),
    'a renewal of more than half of the validity': refused(
      { [`${stored}.validityDays`]: 30 },
      `${stored}.renewBeforeDays`,
    ),
    'an existing identity as well': refused({ [`${at}identity.existing`]: {} }),
    'delivery by the driver': refused({ [`${at}delivery`]: 'files' }),
    'an audience of tokens': refused({ [`${at}audience`]: 'api://other' }),
    'another identity that trusts the service accounts': refused(
      { [`${at}dependencies`]: [{ name: 'further', identity: { name: 'id-further' } }] },
      `${at}dependencies[0].identity`,
    ),
    'further service accounts': refused({ [`${at}serviceAccounts`]: ['worker'] }),
    'a generation': refused({ [`${at}identityGenerations`]: [1] }),
    'two generations': refused({ [`${at}identityGenerations`]: [1, 2] }),
    'a vault with access policies': refused({ 'vault.access': 'accessPolicy' }),
    'a secret of the same name': refused(
      { [`${at}secrets`]: ['db', 'AKS-1-orders-password'] },
      `${at}secrets[1]`,
    ),
    'an operator without consent': refused(
      { 'clusters[0].operatorIdentity.servicePrincipal.credential': 'password' },
      'clusters[0].operatorIdentity.servicePrincipal.storedPassword',
    ),
    'an operator that is not installed': refused(
      { 'serviceOperator.install': false },
      'clusters[0].operatorIdentity.servicePrincipal',
    ),
  },
};
