import type { V1JobTemplateSpec } from '@kubernetes/client-node';
import { ownVariables } from '../../stacks/settings/ownVariables';
import { cellCodes } from '../pipeline/cell';
import { cellContainer } from '../pipeline/leftLock';
import { useLabel } from '../../components/identity/signIn';
import { digestOf } from '../../components/resource/digest';

/** An update of all cells of an environment to one commit, wave by wave. */
interface Rollout {
  /**
   * Name of the JobSet. It begins with a letter, has at most 40 characters, and is the name of no JobSet in another namespace: the
   * hosts of the pods have its name, by which a pod recognises the lock of its predecessor. It is the same for each commit, so
   * that the API server refuses a second rollout beside the first: the Jobs of a JobSet are immutable.
   */
  readonly name: string;
  readonly namespace: string;
  readonly environment: string;
  /** The commit to which all cells are updated. */
  readonly commit: string;
  /** In their order: a wave starts when every cell of the wave before has succeeded. */
  readonly waves: readonly Wave[];
  /** Reference of an image that contains the project at the commit, and the engine. */
  readonly image: string;
  /** Service account that the pods sign in with. */
  readonly serviceAccount: string;
  /** Command line that updates a cell. `--cells` with the cells of the wave and `--index` are appended. */
  readonly command: readonly string[];
  /** Environment variables, in addition to those of the project. They take precedence over those of `secret`. */
  readonly env: Readonly<Record<string, string>>;
  /** Secret in the namespace whose entries are environment variables too. @default none */
  readonly secret?: string;
}

/** Cells that are updated at the same time. */
interface Wave {
  readonly name: string;
  readonly cells: readonly string[];
  /** The number of cells that are updated at once. */
  readonly parallelism: number;
}

/** Exit codes after which a retry is useless. After any other failure, the cell is tried once more. */
const finalFailures = [cellCodes.notVerified, cellCodes.refused];

/**
 * Seconds for which the token of a pod is valid, the most that the webhook allows. A provider may read the token only once, at
 * its start, when the token is up to four fifths through its life.
 */
const tokenSeconds = 24 * 60 * 60;

/** Seconds between SIGTERM and SIGKILL: a running operation of the engine, such as a new cluster, must be able to end. */
const graceSeconds = 15 * 60;

/** Returns the name of the JobSet of an environment, by the rules of `Rollout`. */
export function jobSetName(environment: string, namespace: string): string {
  // A pod's name has at most 63 characters: of these, the names of a wave, the indexes and the suffix need up to 22.
  const shown = environment
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '-')
    .slice(0, 17);
  return `rollout-${shown}-${digestOf(`${namespace}/${environment}`, 6)}`;
}

/**
 * Returns the JobSet of a rollout: an Indexed Job for each wave, with an index for each cell.
 * https://jobset.sigs.k8s.io/docs/reference/jobset.v1alpha2/
 */
export function jobSetOf(rollout: Rollout) {
  const { name, namespace, environment, commit, waves } = rollout;
  return {
    apiVersion: 'jobset.x-k8s.io/v1alpha2',
    kind: 'JobSet',
    metadata: {
      name,
      namespace,
      annotations: {
        // No label, which has at most 63 characters: the name of a stack may have 100.
        'aks-workload-identity/environment': environment,
        'aks-workload-identity/commit': commit,
      },
    },
    spec: {
      // JobSet's controller fails without it if its webhook does not set it.
      successPolicy: { operator: 'All' },
      // The pods do not connect to each other.
      network: { enableDNSHostnames: false },
      replicatedJobs: waves.map((wave, index) => {
        const before = waves[index - 1];
        return {
          name: wave.name,
          replicas: 1,
          ...(before && { dependsOn: [{ name: before.name, status: 'Complete' }] }),
          template: jobOf(wave, rollout),
        };
      }),
    },
  };
}

function jobOf({ cells, parallelism }: Wave, rollout: Rollout): V1JobTemplateSpec {
  const { environment, commit, image, serviceAccount, command, env, secret } = rollout;
  const variables = { ...env, [ownVariables.environment]: environment, [ownVariables.commit]: commit };
  return {
    spec: {
      completionMode: 'Indexed',
      completions: cells.length,
      parallelism,
      backoffLimitPerIndex: 1,
      // Two pods must not update one cell at the same time.
      podReplacementPolicy: 'Failed',
      podFailurePolicy: {
        rules: [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [...finalFailures] } }],
      },
      template: {
        metadata: {
          labels: { [useLabel]: 'true' },
          annotations: {
            'aks-workload-identity/commit': commit,
            'azure.workload.identity/service-account-token-expiration': String(tokenSeconds),
          },
        },
        spec: {
          restartPolicy: 'Never',
          serviceAccountName: serviceAccount,
          // As process 1, the command would ignore SIGTERM until the engine runs, and have to reap the engine's orphans.
          shareProcessNamespace: true,
          terminationGracePeriodSeconds: graceSeconds,
          containers: [
            {
              name: cellContainer,
              image,
              command: [...command, '--cells', cells.join(','), '--index', '$(JOB_COMPLETION_INDEX)'],
              ...(secret !== undefined && { envFrom: [{ secretRef: { name: secret } }] }),
              env: [
                ...Object.entries(variables).map(([name, value]) => ({ name, value })),
                fromPod(ownVariables.pod, 'metadata.name'),
                fromPod(ownVariables.namespace, 'metadata.namespace'),
              ],
            },
          ],
        },
      },
    },
  };
}

const fromPod = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
