import type { Variant } from './patches';
import { change, guid } from './patches';

const hostedReleases = {
  name: 'hc1',
  environments: { hypershift: '4.19.2' },
  releases: {
    '4.19.2': { spec: { release: { image: 'x/ocp:4.19.2' }, pullSecret: { name: 'pull' } } },
  },
};
export const hostedClusters: readonly Variant[] = [
  {
    name: 'hosted-cluster-otherwise',
    of: 'hypershift',
    shows: 'A hosted cluster has the release, the components, the role and the secret that it names.',
    settings: change('hostedClusters', 'hc1', {
      ...{ kms: undefined, imageRegistry: false, secretProviderClasses: 'hypershift' },
      ...{ spec: undefined, release: './hosted-clusters/hc1.yaml' },
      components: { disk: { role: guid('7'), secretName: 'disk-secret' } },
    }),
    files: { 'hosted-clusters/hc1.yaml': JSON.stringify(hostedReleases) },
  },
];
