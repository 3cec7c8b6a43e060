import { subnetId } from '../ids';
import { application } from '../settings';
import type { Subject } from './table';
import { refused } from './table';

const long = 'x'.repeat(5000);
const shown = `${'x'.repeat(200)}…`;
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
    'a cluster and the vault, which are compared with others once they are valid': refused(
      {
        'vault.access': 'rbca',
        'vault.softDeleteRetentionInDays': 5,
        clusters: [{ name: 'aks-1', tier: 'Fre' }],
        'tags.env': 1,
        'applications[0].env': { tags: 1, env: 2 },
        'applications[0].clusters': ['asks-1'],
      },
      ...['vault.access', 'vault.softDeleteRetentionInDays', 'clusters[0].tier'],
      ...['applications[0].env.tags', 'applications[0].env.env', 'tags.env'],
    ),
    'what follows from several settings': refused(
      {
        clusters: [{ name: 'aks-1' }],
        applications: [
          application('x'.repeat(60), { vault: { placement: 'perApplication' } }),
          application('b', { clusters: ['asks-1'], namespace: 'kube-system' }),
        ],
      },
      ...['applications[1].clusters[0]', 'applications[1].namespace', 'applications[0].vault.name'],
    ),
    'duplicate strings in lists': refused(
      {
        'vault.privateEndpoints': [{ subnet: subnetId('s') }, { subnet: subnetId('s').toUpperCase() }],
        'applications[0]': application('a', {
          dependencies: [{ name: 'bus', serviceBus: { name: 'sb-orders-a', queues: ['one', 'two', 'One'] } }],
          ...{ secrets: ['db', 'DB'], overrides: [{ clusters: ['aks-1', 'aks-1'] }] },
        }),
      },
      'vault.privateEndpoints[1].subnet',
      ...['dependencies[0].serviceBus.queues[2]', 'secrets[1]', 'overrides[0].clusters[1]'].map(
        (place) => `applications[0].${place}`,
      ),
    ),
    'long strings, which every message shortens': refused(
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
