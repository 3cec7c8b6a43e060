import { parse, stringify } from 'yaml';
import { LocalCloud } from '../../support/localCloud';
import type { Seed } from './seed';

interface StackFile {
  config: Record<string, unknown> & { 'aks-workload-identity:applications': { name: string }[] };
}

/**
 * Deploys the clusters with all but one application, and then makes this application's namespace and service
 * account.
 */
export const seed: Seed = async ({ state, stack, text }) => {
  const cloud = new LocalCloud(state);
  const local = text.replace(
    'oci://ghcr.io/aks-workload-identity/charts',
    'oci://charts.example.azurecr.io/helm',
  );
  const before = parse(local) as StackFile;
  const key = 'aks-workload-identity:applications';
  before.config[key] = before.config[key].filter(({ name }) => name !== 'shop');
  await cloud.start();
  await cloud.up({ stack, yaml: stringify(before) });
  const { core } = await cloud.kubernetes('front');
  await core.createNamespace({ body: { metadata: { name: 'storefront' } } });
  await core.createNamespacedServiceAccount({
    namespace: 'storefront',
    body: { metadata: { name: 'checkout' } },
  });
  return local;
};
