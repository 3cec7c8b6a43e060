import { inYaml, writtenBy, type EngineRollout } from './engines';

/** Where the operator finds the program, and where it keeps its objects. */
export interface OperatorSettings {
  /** URL of the repository. */
  readonly repository: string;
  /** The commit that every stack is updated to. */
  readonly commit: string;
  readonly namespace: string;
  /** Service account of the workspaces, which signs in to Azure. */
  readonly serviceAccount: string;
  /** URL of the state. Default: Pulumi Cloud. */
  readonly backend?: string | undefined;
}

/**
 * Returns Stack resources of the Pulumi Kubernetes Operator: that of the environment, then one for each cell, which waits for
 * all of the wave before. The operator has no step after an update: nothing verifies the cells.
 */
export function operatorStacks(
  { environment, waves }: Pick<EngineRollout, 'environment' | 'waves'>,
  settings: OperatorSettings,
): string {
  const levels = [[environment], ...waves.map((cells) => cells.map(({ stack }) => stack))];
  const objects = levels.flatMap((stacks, index) =>
    stacks.map((stack) => stackOf(stack, levels[index - 1] ?? [], settings)),
  );
  return `${writtenBy('pko', environment)}${objects.map(inYaml).join('---\n')}`;
}

function stackOf(
  stack: string,
  before: readonly string[],
  { repository, commit, namespace, serviceAccount, backend }: OperatorSettings,
): object {
  return {
    apiVersion: 'pulumi.com/v1',
    kind: 'Stack',
    metadata: { name: stack, namespace },
    spec: {
      stack,
      projectRepo: repository,
      commit,
      ...(backend !== undefined && { backend }),
      serviceAccountName: serviceAccount,
      ...(before.length > 0 && { prerequisites: before.map((name) => ({ name })) }),
    },
  };
}
