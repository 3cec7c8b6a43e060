import { readFileSync } from 'node:fs';
import { KubeConfig, KubernetesObjectApi, type KubernetesObject } from '@kubernetes/client-node';
import { parseAllDocuments } from 'yaml';
import { podIdentityApi } from '../../stacks/offline';
import { VisibleError } from '../visibleError';

/** A pod's template, as far as it is read. */
export interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: {
    readonly serviceAccountName?: string;
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly containers?: readonly {
      readonly name?: string;
      readonly image?: string;
      readonly env?: readonly {
        readonly name: string;
        readonly value?: string;
        readonly valueFrom?: unknown;
      }[];
      readonly ports?: readonly { readonly containerPort: number }[];
    }[];
  };
}

/** An object of a cluster: of aad-pod-identity, or one that makes pods. */
export interface LegacyObject extends KubernetesObject {
  readonly spec?: PodTemplate['spec'] & {
    /** Of an AzureIdentity: 0 is a managed identity. */
    readonly type?: number;
    readonly resourceID?: string;
    readonly clientID?: string;
    /** Of an AzureIdentityBinding. */
    readonly azureIdentity?: string;
    readonly selector?: string;
    /** Of an AzureAssignedIdentity: copies of what it was made for. */
    readonly azureIdentityRef?: LegacyObject;
    readonly podNamespace?: string;
    /** Of an AzurePodIdentityException. */
    readonly podLabels?: Readonly<Record<string, string>>;
    readonly replicas?: number;
    readonly template?: PodTemplate;
    readonly jobTemplate?: { readonly spec?: { readonly template?: PodTemplate } };
  };
  readonly status?: {
    /** Of an AzureAssignedIdentity: `Created`, `Assigned` or `Unassigned`. */
    readonly status?: string;
    /** Of a pod. */
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** Kinds that make pods, and pods. */
const workloadKinds = [
  ...['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'].map((kind) => ['apps/v1', kind] as const),
  ...['CronJob', 'Job'].map((kind) => ['batch/v1', kind] as const),
  ...['ReplicationController', 'Pod'].map((kind) => ['v1', kind] as const),
];

const kinds = [
  [podIdentityApi, 'AzureIdentity'],
  [podIdentityApi, 'AzureIdentityBinding'],
  [podIdentityApi, 'AzureAssignedIdentity'],
  [podIdentityApi, 'AzurePodIdentityException'],
  ...workloadKinds,
  ['v1', 'ServiceAccount'],
] as const;

/** Whether something is of a kind that is listed and makes pods. */
export const isWorkload = (one: { apiVersion?: string; kind?: string }): boolean =>
  workloadKinds.some(([apiVersion, kind]) => one.apiVersion === apiVersion && one.kind === kind);

/** How files with everything that is looked at are made. */
export const listCommand =
  'kubectl get azureidentity,azureidentitybinding,azureassignedidentity,azurepodidentityexception,deployments,statefulsets,daemonsets,replicasets,cronjobs,jobs,replicationcontrollers,pods,serviceaccounts --all-namespaces --output yaml';

/** Everything that the migration looks at, of the cluster of a kubeconfig. It changes nothing. */
export async function readCluster(cluster: string, kubeconfig: string): Promise<LegacyObject[]> {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  const objects = KubernetesObjectApi.makeApiClient(config);
  const lists = await Promise.all(
    kinds.map(async ([apiVersion, kind]) => {
      try {
        const { items } = await objects.list<LegacyObject>(apiVersion, kind);
        // The items of a list do not say what they are.
        return items.map((one) => ({ ...one, apiVersion, kind }));
      } catch (error) {
        if (apiVersion === podIdentityApi && isNotServed(error)) return undefined;
        throw error;
      }
    }),
  );
  if (lists[0] === undefined)
    throw new VisibleError(
      `The cluster ${cluster} has no aad-pod-identity: it does not serve ${podIdentityApi}.`,
      'There is nothing to migrate. Name another cluster if you meant one.',
    );
  return lists.flatMap((one) => one ?? []);
}

function isNotServed(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === 404 || String(message).startsWith('Unrecognized API version and kind');
}

/** The objects in YAML files, as `kubectl get --output yaml` writes them. */
export function readFiles(files: readonly string[]): LegacyObject[] {
  const objects = files.flatMap((file) => {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      throw new VisibleError(`${file} cannot be read.`, 'Name files with Kubernetes objects in YAML.');
    }
    return parseAllDocuments(text).flatMap((document) => {
      if (document.errors.length > 0)
        throw new VisibleError(
          `${file} is no YAML: ${document.errors[0]?.message.split('\n', 1)[0] ?? ''}`,
          'Correct it, or write it anew with `kubectl get --output yaml`.',
        );
      const found = document.toJS() as (LegacyObject & { items?: LegacyObject[] }) | null;
      return found?.items ?? (found === null ? [] : [found]);
    });
  });
  if (objects.some(({ apiVersion }) => apiVersion === podIdentityApi)) return objects;
  throw new VisibleError(
    `There is no object of ${podIdentityApi} in ${files.join(', ')}: nothing of aad-pod-identity.`,
    `Add them: \`${listCommand}\`.`,
  );
}
