/** Settings of a stack in the group that bootstrap makes. */
export const settings = (stack: string, id: string) => ({
  // As the variable group of the environment has it.
  ...{ location: '$(WI_LOCATION)', resourceGroup: { existing: id }, protect: false, retainOnDelete: false },
  vault: {
    name: `kv-pipelines-${stack}`,
    publicAccess: true,
    softDeleteRetentionInDays: 7,
    purgeProtection: false,
  },
  clusters: [{ name: `aks-${stack}` }],
  // Its vault is not kept after the tests.
  ...{
    certManager: { install: false },
    serviceOperator: { install: false },
    policies: { production: false },
  },
  applications: [{ name: 'orders', release: './applications/orders.yaml', replicas: 1 }],
});
/** Settings as a stack file has them. */
export const configuration = (prefix: string, values: object) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [`${prefix}:${key}`, value as unknown]));

const release = (secrets: string[]) => ({ image: 'ghcr.io/aks-workload-identity/reader:0.1.0', secrets });
/** The release file of the application. */
export const releases = {
  name: 'orders',
  environments: { dev: '0.2.0', prod: '0.1.0' },
  releases: { '0.1.0': release(['orders-db']), '0.2.0': release(['orders-db', 'orders-key']) },
};
