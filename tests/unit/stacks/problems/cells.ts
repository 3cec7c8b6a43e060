import { application } from '../settings';
import type { Subject } from './table';
import { refused, valid } from './table';

const cells = [
  { name: 'canary', clusters: ['aks-1'] },
  { name: 'rest', wave: 2, clusters: ['aks-2'] },
];
const base = { 'clusters[1]': { name: 'aks-2' }, cells };

export const cellsOfClusters: Subject = {
  rows: {
    'each cluster in one': valid(base),
    'clusters by labels': valid({
      'clusters[0].labels': { ring: 'one' },
      'clusters[1]': { name: 'aks-2', labels: { ring: 'one' } },
      cells: [{ name: 'one', clusters: { labels: { ring: 'one' } } }],
    }),
    'a name that stacks do not accept': refused({ ...base, 'cells[0].name': 'Canary' }, 'cells[0].name'),
    'two with the same name': refused({ ...base, 'cells[1].name': 'canary' }, 'cells[1].name'),
    'an unknown cluster': refused(
      { ...base, 'cells[1].clusters': ['aks-2', 'aks-3'] },
      'cells[1].clusters[1]',
    ),
    'labels that no cluster has': refused(
      { ...base, 'cells[2]': { name: 'none', clusters: { labels: { ring: 'three' } } } },
      'cells[2].clusters.labels',
    ),
    'a cluster in none': refused({ ...base, 'clusters[2]': { name: 'aks-3' } }, 'clusters[2].name'),
    'a cluster in two': refused({ ...base, 'cells[1].clusters': ['aks-1', 'aks-2'] }, 'cells[1].clusters'),
    'a wave without cells': refused({ ...base, 'cells[1].wave': 3 }, 'cells[1].wave'),
    'one wave without cells, before two with cells': refused(
      {
        ...{ ...base, 'cells[0].wave': 4, 'cells[1].wave': 3 },
        ...{ 'clusters[2]': { name: 'aks-3' }, 'cells[2]': { name: 'last', clusters: ['aks-3'] } },
      },
      'cells[1].wave',
    ),
    'a vault with access policies': refused({ ...base, 'vault.access': 'accessPolicy' }, 'vault.access'),
    'a dependency of an application in two': refused(
      {
        ...base,
        'applications[0]': application('files', {
          dependencies: [{ name: 'data', storageAccount: { name: 'stfiles' } }],
        }),
      },
      'applications[0].name',
    ),
    'connection strings of two': refused(
      {
        ...base,
        applications: ['aks-1', 'aks-2'].map((cluster, index) =>
          application(`files-${index}`, {
            clusters: [cluster],
            delivery: 'application',
            dependencies: [
              { name: 'data', connection: 'vault', storageAccount: { name: `stfiles${index}` } },
            ],
          }),
        ),
      },
      'applications[1].name',
    ),
    'kubeconfigs, which their own stack files have': refused(
      {
        ...base,
        'clusters[1]': { name: 'aks-2', mode: 'external', issuer: 'https://issuer.example/' },
        kubeconfigs: { 'aks-2': 'a kubeconfig' },
      },
      'kubeconfigs.aks-2',
    ),
  },
};
