import { inYaml, matricesOf, writtenBy, type EngineRollout } from './engines';

/**
 * Returns a pipeline for Azure DevOps: a stage for the environment's stack, then a stage for each wave, with a matrix of its
 * cells, which from the second on waits for the approvals of an environment. A run checks out the same commit in every job.
 */
export function azurePipeline({ environment, waves, parallel }: EngineRollout): string {
  const group = `aks-workload-identity-${environment}`;
  const stages = waves.map((cells, index) => {
    const wave = index + 1;
    const matrices = matricesOf(cells, parallel);
    return {
      stage: `wave_${wave}`,
      dependsOn: index === 0 ? 'environment' : `wave_${index}`,
      jobs: [
        ...(index === 0
          ? []
          : [
              // Its approvals hold the whole stage.
              {
                deployment: `wave_${wave}_approved`,
                environment: `${group}-wave-${wave}`,
                strategy: { runOnce: { deploy: { steps: [{ checkout: 'none' }] } } },
              },
            ]),
        ...matrices.map((matrix, part) => ({
          job: matrices.length === 1 ? `wave_${wave}_cells` : `wave_${wave}_cells_${part + 1}`,
          ...(index > 0 && { dependsOn: `wave_${wave}_approved` }),
          // As long as the agent allows: the usual hour is too short for new clusters.
          timeoutInMinutes: '0',
          variables: [{ group }],
          strategy: {
            maxParallel: String(matrix.parallel),
            matrix: Object.fromEntries(
              matrix.cells.map(({ name, stack }) => [`cell_${name.replaceAll('-', '_')}`, { cell: stack }]),
            ),
          },
          steps: steps(environment, 'cell --stack $(cell)'),
        })),
      ],
    };
  });
  const pipeline = {
    ...{ trigger: 'none', pr: 'none', pool: { vmImage: 'ubuntu-24.04' } },
    stages: [
      {
        stage: 'environment',
        condition: "eq(variables['Build.SourceBranch'], 'refs/heads/main')",
        jobs: [
          {
            deployment: 'environment',
            environment: group,
            variables: [{ group }],
            strategy: {
              runOnce: { deploy: { steps: steps(environment, `cell --stack ${environment}`) } },
            },
          },
        ],
      },
      ...stages,
    ],
  };
  return `${writtenBy('azure', environment)}${inYaml(pipeline)}`;
}

function steps(environment: string, command: string): object[] {
  return [
    { checkout: 'self' },
    { template: '/.azure-pipelines/setup.yml' },
    { template: '/.azure-pipelines/step.yml', parameters: { environment, command } },
  ];
}
