import { seedBrownfield } from '../../e2e/brownfieldSeed';
import { LocalCloud } from '../../support/localCloud';
import type { Seed } from './seed';

/**
 * Makes the existing resources of the example, and sets the issuer and the kubeconfig of its external cluster.
 */
export const seed: Seed = async ({ state, stack, text }) => {
  const cloud = new LocalCloud(state);
  await cloud.start();
  const { edge } = await seedBrownfield(cloud, await cloud.azure());
  const yaml = text.replace('https://issuer.example/edge/', edge.issuer);
  await cloud.setSecret({ stack, yaml }, 'aks-workload-identity:kubeconfigs.edge', edge.kubeconfig);
  return yaml;
};
