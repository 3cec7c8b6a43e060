import type { Variant } from './patches';
import { change, both, within } from './patches';

export const dependencies: readonly Variant[] = [
  {
    name: 'every-service',
    of: 'dependencies',
    shows: 'Each kind of service has its custom resources, its roles, and the variables of its application.',
    settings: both(
      change('applications', 'legacy', {
        dependencies: [
          { name: 'cache', redis: { name: 'redis-legacy' }, connection: 'secret' },
          { name: 'bus', serviceBus: { name: 'sb-legacy', queues: ['a/B', 'a'] }, connection: 'secret' },
        ],
      }),
      change('applications', 'invoices', {
        ...{ provisioning: 'cluster', delivery: 'application', secrets: [], env: {} },
        dependencies: [
          { name: 'cache', redis: { name: 'redis-invoices', sku: 'Basic', capacity: 0 } },
          { name: 'bus', serviceBus: { name: 'sb-invoices', sku: 'Premium', queues: ['a'] } },
          { name: 'tables', storageAccount: { name: 'stwidependtables', data: ['tables'] } },
          { name: 'further', identity: { name: 'id-invoices-further' } },
          { name: 'own', vault: { name: 'kv-invoices-own' } },
          {
            name: 'db',
            postgresql: {
              ...{ name: 'pg-invoices', sku: 'Standard_D2ds_v5', storageGb: 64, database: 'invoices' },
              allowedIpRanges: ['203.0.113.0/24'],
            },
          },
          {
            name: 'documents',
            resource: {
              ...{ apiVersion: 'documentdb.azure.com/v20231115', kind: 'DatabaseAccount' },
              spec: {
                operatorSpec: {
                  secrets: { documentEndpoint: { name: 'invoices-documents', key: 'endpoint' } },
                  configMapExpressions: [{ name: 'elsewhere', value: 'self.spec' }],
                },
              },
            },
          },
          {
            name: 'site',
            resource: {
              apiVersion: 'web.azure.com/v20220301',
              kind: 'Site',
              spec: { owner: { name: 'plan' } },
            },
          },
        ],
      }),
    ),
  },
  {
    name: 'other-key',
    of: 'dependencies',
    shows: 'The other key of a service is in another secret, so that pods are made anew.',
    settings: change('applications', 'legacy', {
      dependencies: [
        {
          ...{ name: 'files', storageAccount: { name: 'stwidependlegacy' } },
          ...{ connection: 'secret', key: 'secondary' },
        },
      ],
    }),
  },
  {
    name: 'generations-with-dependencies',
    of: 'dependencies',
    shows: 'Both generations of an identity have access to the services.',
    settings: change('applications', 'orders', { clusters: ['one'], identityGenerations: [2, 1] }),
  },
  {
    name: 'chart-with-dependencies',
    of: 'dependencies',
    shows: 'A chart gets the names of the objects with the connection information.',
    settings: change('applications', 'legacy', {
      ...{ image: undefined, replicas: undefined, chart: { chart: './examples/charts/reports' } },
    }),
  },
  {
    name: 'connection-in-vault-with-policies',
    of: 'dependencies',
    shows: 'A connection string is written to a vault with access policies as well.',
    settings: within('vault', { access: 'accessPolicy', overreach: 'accepted' }),
  },
];
