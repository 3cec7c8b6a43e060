import * as z from 'zod';
import type { V1Job } from '@kubernetes/client-node';
import { messageOf } from '../../components/resource/errors';
import { fittedTable } from '../fittedTable';
import { UserError } from '../userError';
import { jobSetName } from './jobset';

// The state of a rollout in a management cluster, from its JobSet and the Jobs of that.

/** A JobSet, as far as it is read here. */
const jobSet = z.object({
  metadata: z.object({ annotations: z.record(z.string(), z.string()).default({}) }),
  spec: z.object({
    suspend: z.boolean().default(false),
    replicatedJobs: z.array(
      z.object({
        name: z.string(),
        template: z.object({
          spec: z.object({
            template: z.object({
              spec: z.object({ containers: z.array(z.object({ command: z.array(z.string()) })).min(1) }),
            }),
          }),
        }),
      }),
    ),
  }),
  status: z.object({ terminalState: z.string().optional() }).default({}),
});

/** The pods of a wave; an index is the place of its cell in the wave. */
interface WaveStatus {
  readonly name: string;
  readonly cells: number;
  /** Number of running pods. */
  readonly active: number;
  readonly succeeded: number;
  readonly failed: readonly { readonly index: number; readonly stack: string }[];
}

export interface JobSetStatus {
  readonly name: string;
  readonly namespace: string;
  readonly commit?: string;
  readonly state: 'completed' | 'failed' | 'suspended' | 'running';
  /** In their order; the first is the stack of the environment. A wave without pods has not begun. */
  readonly waves: readonly WaveStatus[];
}

/**
 * Reads the JobSet of an environment, with the kubeconfig that kubectl uses.
 * @param context a context of the kubeconfig
 * @returns undefined if there is none
 * @throws UserError if it cannot be read
 */
export async function readJobSet(
  environment: string,
  namespace: string,
  context: string,
): Promise<JobSetStatus | undefined> {
  const { BatchV1Api, CustomObjectsApi, KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromDefault();
  const contexts = config.getContexts().map(({ name }) => name);
  if (!contexts.includes(context))
    throw new UserError(
      `The kubeconfig has no context ${context}.`,
      contexts.length === 0 ? 'Set KUBECONFIG.' : `Name one of ${contexts.join(', ')}, or set KUBECONFIG.`,
    );
  config.setCurrentContext(context);
  const name = jobSetName(environment, namespace);
  const kind = { group: 'jobset.x-k8s.io', version: 'v1alpha2', plural: 'jobsets' };
  const labelSelector = `jobset.sigs.k8s.io/jobset-name=${name}`;
  let found: unknown;
  let jobs: V1Job[];
  try {
    const api = config.makeApiClient(CustomObjectsApi);
    found = await api.getNamespacedCustomObject({ ...kind, namespace, name });
    ({ items: jobs } = await config
      .makeApiClient(BatchV1Api)
      .listNamespacedJob({ namespace, labelSelector }));
  } catch (error) {
    if ((error as { code?: unknown }).code === 404) return undefined;
    throw new UserError(
      `The JobSet ${name} cannot be read in the context ${context}: ${messageOf(error)}`,
      'Correct the kubeconfig, or leave --jobset-context out.',
    );
  }
  return { name, namespace, ...statusIn(found, jobs) };
}

/** Returns the state of a JobSet and of the Jobs that it has begun. */
export function statusIn(
  object: unknown,
  jobs: readonly V1Job[],
): Pick<JobSetStatus, 'commit' | 'state' | 'waves'> {
  const { metadata, spec, status } = jobSet.parse(object);
  const commit = metadata.annotations['aks-workload-identity/commit'];
  const ended: Readonly<Record<string, JobSetStatus['state']>> = { Completed: 'completed', Failed: 'failed' };
  return {
    ...(commit !== undefined && { commit }),
    state: ended[status.terminalState ?? ''] ?? (spec.suspend ? 'suspended' : 'running'),
    waves: spec.replicatedJobs.map(({ name, template }) => {
      const command = template.spec.template.spec.containers[0]?.command ?? [];
      const stacks = (command[command.indexOf('--cells') + 1] ?? '').split(',');
      const job = jobs.find(
        ({ metadata: of }) => of?.labels?.['jobset.sigs.k8s.io/replicatedjob-name'] === name,
      );
      return {
        ...{ name, cells: stacks.length },
        active: job?.status?.active ?? 0,
        succeeded: job?.status?.succeeded ?? 0,
        failed: indexesIn(job?.status?.failedIndexes).map((index) => ({ index, stack: stacks[index] ?? '' })),
      };
    }),
  };
}

/** Reads `0,2-4`. */
function indexesIn(text = ''): number[] {
  return [...text.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, place) => Number(first) + place),
  );
}

/** Returns what to do next about the rollout, as a sentence; undefined if it is complete. */
export function nextOfJobSet({ name, namespace, state, waves }: JobSetStatus): string | undefined {
  const failed = waves.flatMap((wave) => wave.failed.map((cell) => ({ wave: wave.name, ...cell })));
  const [first] = failed;
  switch (state) {
    case 'completed':
      return undefined;
    case 'suspended':
      return `The rollout is suspended. Set \`spec.suspend\` of the JobSet ${name} to false, and it continues.`;
    case 'running':
      return 'Wait until the rollout ends.';
    case 'failed':
      return `The rollout failed${first === undefined ? '' : ` in ${first.wave}, at ${failed.map(({ stack }) => stack).join(', ')}`}. Fix the cause, delete the JobSet, and apply it again: \`kubectl delete jobset --namespace ${namespace} ${name}\`.${first === undefined ? '' : ` The log: \`kubectl logs --namespace ${namespace} --selector batch.kubernetes.io/job-name=${name}-${first.wave}-0,batch.kubernetes.io/job-completion-index=${first.index}\`.`}`;
  }
}

export function jobSetTable({ name, commit, state, waves }: JobSetStatus): string {
  const rows = waves.map((wave) => [
    wave.name,
    String(wave.cells),
    String(wave.active),
    String(wave.succeeded),
    wave.failed.map(({ index, stack }) => `${stack} (index ${index})`).join(', '),
  ]);
  const table = fittedTable(['job', 'cells', 'active', 'succeeded', 'failed'], rows, [4]);
  return `JobSet ${name}: ${state}${commit === undefined ? '' : `, commit ${commit.slice(0, 9)}`}\n${table}\n`;
}
