import { ownVariables } from '../../stacks/settings/ownVariables';
import { inYaml, matricesOf, writtenBy, type EngineRollout } from './engines';

/** Variables of the GitHub environment, for the steps. */
const variables = {
  ...Object.fromEntries(
    ['ARM_CLIENT_ID', 'ARM_TENANT_ID', 'ARM_SUBSCRIPTION_ID', 'PULUMI_BACKEND_URL'].map((name) => [
      name,
      `\${{ vars.${name} }}`,
    ]),
  ),
  PULUMI_CONFIG_PASSPHRASE: '${{ secrets.PULUMI_CONFIG_PASSPHRASE }}',
};

/**
 * Returns a workflow for GitHub Actions: the environment's stack, then for each wave an approval and jobs of a matrix. A job
 * that fails does not stop the others of its wave, and the next wave does not begin.
 */
export function gitHubWorkflow({ environment, waves, parallel }: EngineRollout): string {
  const jobs: Record<string, object> = {
    environment: job(environment, `cell --stack ${environment}`),
  };
  let needs = ['environment'];
  for (const [index, cells] of waves.entries()) {
    const wave = `wave-${index + 1}`;
    if (index > 0) {
      // A matrix would ask for the approval of each of its jobs.
      jobs[`approve-${wave}`] = {
        needs,
        ...{ 'runs-on': runner, environment: `${environment}-${wave}`, permissions: {} },
        steps: [{ run: `echo 'Wave ${index + 1} may begin.'` }],
      };
      needs = [`approve-${wave}`];
    }
    const matrices = matricesOf(cells, parallel);
    const names = matrices.map((_, part) => (matrices.length === 1 ? wave : `${wave}-${part + 1}`));
    for (const [part, matrix] of matrices.entries())
      jobs[names[part] ?? wave] = {
        needs,
        strategy: {
          'fail-fast': false,
          'max-parallel': matrix.parallel,
          matrix: { cell: matrix.cells.map(({ name }) => name) },
        },
        ...job(`${environment}-cells`, `cell --stack ${environment}-\${{ matrix.cell }}`),
      };
    needs = names;
  }
  const workflow = {
    name: `fleet-${environment}`,
    on: { workflow_dispatch: {} },
    permissions: { contents: 'read' },
    concurrency: { group: `fleet-${environment}`, 'cancel-in-progress': false },
    jobs,
  };
  return `${writtenBy('github', environment)}${inYaml(workflow)}`;
}

const runner = 'ubuntu-24.04';

function job(environment: string, command: string): object {
  return {
    'runs-on': runner,
    environment,
    permissions: { contents: 'read', 'id-token': 'write' },
    env: { [ownVariables.environment]: environment, ...variables },
    steps: [
      // The commit of the run, also where a job is run again later.
      { uses: 'actions/checkout@v4', with: { ref: '${{ github.sha }}' } },
      { uses: './.github/actions/setup' },
      { run: `npx aks-wi pipeline ${command}` },
    ],
  };
}
