import { clusterOf, connectingTo } from '../components/support/cluster';
import { preflighted } from './preflighted';
import { input } from './settings';

const configured = 'https://issuer.example/edge';

/** The problems of the preflight if an external cluster answers so when it is asked for its issuer. */
async function problemsIf(issuer: () => Promise<string>): Promise<string[]> {
  connectingTo(clusterOf({ issuer }));
  const clusters = [{ name: 'edge', mode: 'external', issuer: configured }];
  return (await preflighted(input([], { clusters, kubeconfigs: { edge: 'of edge' } }))).problems;
}

describe('the issuer of an external cluster', () => {
  it('is the one that the cluster itself reports', async () => {
    expect(await problemsIf(() => Promise.resolve(configured))).toEqual([]);
  });

  it('differs in a slash only', async () => {
    expect(await problemsIf(() => Promise.resolve(`${configured}/`))).toEqual([
      `aks-workload-identity:clusters[0].issuer: "${configured}" is not the issuer of the cluster edge. Allowed: ${configured}/, as its discovery document says. Set it. If this is another cluster, correct its kubeconfig.`,
    ]);
  });

  it('is left as it is if the cluster does not report one', async () => {
    expect(await problemsIf(() => Promise.reject(new Error('forbidden')))).toEqual([]);
  });
});
