import { InvalidConfigurationError } from '../../../stacks/checks/invalidConfiguration';
import { validate } from '../../../stacks/checks/configuration';
import { formatProblem } from '../../../stacks/settings/problem';
import { Subscriptions } from '../../../stacks/preflight/subscriptions';
import { preflight } from '../../../stacks/preflight/preflight';
import { clusterOf, connectingTo } from '../components/support/cluster';
import { record } from '../components/support/recorder';
import { validInput } from './settings';

const given = 'https://issuer.example/edge';

/** The problems of the preflight if an external cluster answers so when it is asked for its issuer. */
async function problemsIf(issuer: () => Promise<string>): Promise<string[]> {
  const validation = validate(
    'test',
    validInput({
      clusters: [{ name: 'edge', mode: 'external', issuer: given }],
      kubeconfigs: { edge: 'of edge' },
      ...{ applications: [], secretValues: {} },
    }),
  );
  if (!validation.ok) throw new Error(validation.problems.map(formatProblem).join('\n'));
  connectingTo(clusterOf({ issuer }));
  let problems: string[] = [];
  await record(() =>
    preflight(validation.configuration, new Subscriptions('public'), {
      list: () => Promise.resolve([]),
    }).catch((error: unknown) => {
      if (!(error instanceof InvalidConfigurationError)) throw error;
      problems = error.problems.map(formatProblem);
    }),
  );
  return problems;
}

describe('the issuer of an external cluster', () => {
  it('is the one that the cluster itself says', async () => {
    expect(await problemsIf(() => Promise.resolve(given))).toEqual([]);
  });

  it('differs in a slash only', async () => {
    expect(await problemsIf(() => Promise.resolve(`${given}/`))).toEqual([
      `aks-workload-identity:clusters[0].issuer: "${given}" is not the issuer of the cluster edge. Allowed: ${given}/, as its discovery document says. Set it. If this is another cluster, correct its kubeconfig.`,
    ]);
  });

  it('is left as it is if the cluster does not say', async () => {
    expect(await problemsIf(() => Promise.reject(new Error('forbidden')))).toEqual([]);
  });
});
