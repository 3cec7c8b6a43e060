import { subnetId } from '../ids';
import { application, shared } from '../settings';
import type { Subject } from './table';
import { refused } from './table';

const long = 'x'.repeat(5000);
const shown = `${'x'.repeat(200)}…`;
const shop = (name: string, more: object = {}) =>
  application(name, { ...shared, namespace: 'shop', serviceAccount: 'same', ...more });
const conflict = 'applications[1].serviceAccount';

/** A field of an application that is wrong, beside a conflict with another application. */
const beside = (field: string, value: unknown, place = field) =>
  refused({ [`applications[0].${field}`]: value }, `applications[0].${place}`, conflict);

/** Something that is wrong hides nothing else that is. */
export const hidesNothing: Subject = {
  change: { applications: [shop('a'), shop('b')] },
  rows: {
    'replicas of an application': beside('replicas', -1),
    'a port of an application': beside('port', 'http'),
    'variables of an application': beside('env', { 'not valid': 'x' }, 'env["not valid"]'),
    'overrides of an application': beside(
      'overrides',
      [{ clusters: ['aks-1'], replicas: -1 }],
      'overrides[0].replicas',
    ),
    'a size of an application': beside(
      'dependencies',
      [{ name: 'db', redis: { name: 'redis-a', sku: 'Huge' } }],
      'dependencies[0].redis.sku',
    ),
    'a name of a service of an application': beside(
      'dependencies',
      [{ name: 'db', storageAccount: { name: 'UPPER' } }],
      'dependencies[0].storageAccount.name',
    ),
    'a vault of an application': beside('vault.access', 'rbca'),
    'a misspelt key of an application': beside('replcas', 2),
    'an image of an application': beside('image', 'ghcr.io/example/without-a-tag'),
    'secrets of an application': beside('secrets', ['right', 'not right'], 'secrets[1]'),
    clusters: refused(
      { 'clusters[0].tier': 'Fre', 'clusters[1].nodes.count': 0 },
      'clusters[0].tier',
      'clusters[1].nodes.count',
      conflict,
    ),
    'the vault': refused({ 'vault.access': 'rbca' }, 'vault.access', conflict),
    tags: refused({ 'tags.a': 1 }, 'tags.a', conflict),
    'variables, whose values are not shown': refused(
      { 'tags.env': 1, 'applications[0].env': { tags: 1, env: 2 } },
      'applications[0].env.tags',
      'applications[0].env.env',
      'tags.env',
      conflict,
    ),
  },
};

export const together: Subject = {
  rows: {
    'tags and clusters, in the order of the checks': refused(
      { 'clusters[2].name': 'aks-1', kubeconfigs: { edge: 'x' }, tags: { owner: 'a', Owner: 'b' } },
      'clusters[2].name',
      'tags.Owner',
      'kubeconfigs.edge',
    ),
    'five problems of one vault, and one of an application': refused(
      {
        vault: {
          ...{ name: 'kv', access: 'rbca', softDeleteRetentionInDays: 5 },
          ...{ tags: { 'a/b': 'x' }, privateEndpoints: [{ subnet: 'not-a-subnet' }] },
        },
        'applications[0].replicas': -1,
      },
      ...['vault.name', 'vault.privateEndpoints[0].subnet', 'vault.tags["a/b"]', 'vault.access'],
      ...['vault.softDeleteRetentionInDays', 'applications[0].replicas'],
    ),
    'a cluster and the vault, and what is checked in the plan': refused(
      {
        'vault.access': 'rbca',
        'vault.softDeleteRetentionInDays': 5,
        clusters: [{ name: 'aks-1', tier: 'Fre' }],
        applications: [
          application('x'.repeat(60), { vault: { placement: 'perApplication' } }),
          application('b', { clusters: ['asks-1'] }),
        ],
      },
      ...['vault.access', 'vault.softDeleteRetentionInDays', 'clusters[0].tier'],
      ...['applications[1].clusters[0]', 'applications[0].vault.name'],
    ),
    'single values and, for what is right in itself, the whole': refused(
      {
        location: 'West Europe',
        resourceGroup: undefined,
        clusters: [{ nme: 'aks-0' }, { name: 'aks-1' }, { name: 'aks-1' }],
        applications: [
          application('Wrong'),
          application('right', { namespace: 'kube-system' }),
          application('other', { clusters: ['aks-9'] }),
        ],
        'secretValues.unread': 'hunter2',
      },
      ...['location', 'resourceGroup', 'clusters[0].name', 'clusters[0].nme', 'applications[0].name'],
      ...['clusters[2].name', 'applications[1].namespace'],
    ),
    'entries that are right, beside others and a key that are not': refused(
      {
        vault: {},
        applications: [
          application('a', { image: 'no-tag' }),
          application('b', { clusters: ['aks-9'], namespace: 'shop', serviceAccount: 's' }),
          application('c', { ...shared, clusters: ['aks-1'], namespace: 'shop', serviceAccount: 's' }),
          application('d', { ...shared, clusters: ['aks-1'], namespace: 'shop', serviceAccount: 's' }),
        ],
      },
      'vault',
      'applications[0].image',
      'applications[1].clusters[0]',
      'applications[3].serviceAccount',
    ),
    'texts twice in lists, beside what else is wrong': refused(
      {
        'vault.access': 'rbca',
        'vault.privateEndpoints': [{ subnet: subnetId('s') }, { subnet: subnetId('s').toUpperCase() }],
        'applications[0]': application('a', {
          dependencies: [{ name: 'bus', serviceBus: { name: 'sb-orders-a', queues: ['one', 'two', 'One'] } }],
          ...{ replicas: -1, secrets: ['db', 'DB'], overrides: [{ clusters: ['aks-1', 'aks-1'] }] },
        }),
      },
      ...['vault.access', 'applications[0].replicas', 'vault.privateEndpoints[1].subnet'],
      ...['dependencies[0].serviceBus.queues[2]', 'secrets[1]', 'overrides[0].clusters[1]'].map(
        (place) => `applications[0].${place}`,
      ),
    ),
    'long texts, which are shortened wherever they are': refused(
      {
        location: `${long} ${long}`,
        [long]: 1,
        'vault.tags': { [`${long}/`]: 'v' },
        'clusters[0].labels': { tier: long },
        applications: [
          application('a', {
            clusters: { labels: { tier: `${long}y` } },
            dependencies: [{ name: 'f', storageAccount: { name: long } }],
          }),
          application(long),
        ],
      },
      ...['location', `vault.tags["${shown}"]`, 'clusters[0].labels.tier'],
      ...['applications[0].clusters.labels.tier', 'applications[0].dependencies[0].storageAccount.name'],
      ...['applications[1].name', JSON.stringify(shown)],
    ),
  },
};
