import type { DependencyService, DependencyServiceArgs } from '../../../../components/dependency/service';

export const storage: DependencyService = {
  kind: 'storageAccount',
  name: 'stfiles',
  sku: 'Standard_ZRS',
  data: ['blobs', 'tables'],
};
export const postgresql: DependencyService = {
  kind: 'postgresql',
  name: 'pg-orders',
  version: '17',
  sku: 'Standard_D2ds_v5',
  storageGb: 64,
  database: 'orders',
  allowedIpRanges: ['203.0.113.0/24'],
};

/** A service as an argument. */
export function asArgument({ kind, ...service }: DependencyService): DependencyServiceArgs {
  return { [kind]: service };
}
