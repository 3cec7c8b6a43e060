import { readFileSync } from 'node:fs';
import {
  KubeConfig,
  KubernetesObjectApi,
  type KubernetesObject,
  type V1ObjectMeta,
  type V1PodSpec,
} from '@kubernetes/client-node';
import { parseAllDocuments } from 'yaml';
import { podIdentityApi } from '../../components/podIdentity/names';
import { requireUnattended } from '../unattended';
import { UserError } from '../userError';

/** The pod template of an object in a file or a cluster, which may be incomplete. */
export interface PodTemplate {
  readonly metadata?: V1ObjectMeta;
  readonly spec?: Partial<V1PodSpec>;
}

/** A Kubernetes object: of aad-pod-identity, a workload, a pod or a service account. */
export interface LegacyObject extends KubernetesObject {
  readonly spec?: PodTemplate['spec'] & {
    /** In an AzureIdentity: 0 means a managed identity. */
    readonly type?: number;
    readonly resourceID?: string;
    readonly clientID?: string;
    /** In an AzureIdentityBinding. */
    readonly azureIdentity?: string;
    readonly selector?: string;
    /** In an AzureAssignedIdentity: a copy of the identity. */
    readonly azureIdentityRef?: LegacyObject;
    readonly podNamespace?: string;
    /** In an AzurePodIdentityException. */
    readonly podLabels?: Readonly<Record<string, string>>;
    readonly replicas?: number;
    readonly template?: PodTemplate;
    readonly jobTemplate?: { readonly spec?: { readonly template?: PodTemplate } };
  };
  readonly status?: {
    /** In an AzureAssignedIdentity: `Created`, `Assigned` or `Unassigned`. */
    readonly status?: string;
    /** In a pod. */
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** Kinds of workloads, and pods. */
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

/** Tells whether an object is of one of the workload kinds. */
export const isWorkload = (object: { apiVersion?: string; kind?: string }): boolean =>
  workloadKinds.some(([apiVersion, kind]) => object.apiVersion === apiVersion && object.kind === kind);

/** The command that writes all objects that the migration reads. */
export const listCommand =
  'kubectl get azureidentity,azureidentitybinding,azureassignedidentity,azurepodidentityexception,deployments,statefulsets,daemonsets,replicasets,cronjobs,jobs,replicationcontrollers,pods,serviceaccounts --all-namespaces --output yaml';

/** Lists all objects that the migration reads in a cluster. It changes nothing. */
export async function readCluster(cluster: string, kubeconfig: string): Promise<LegacyObject[]> {
  requireUnattended({ [cluster]: kubeconfig });
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  const objects = KubernetesObjectApi.makeApiClient(config);
  const lists = await Promise.all(
    kinds.map(async ([apiVersion, kind]) => {
      try {
        const { items } = await objects.list<LegacyObject>(apiVersion, kind);
        // Items of a list have neither apiVersion nor kind.
        return items.map((item) => ({ ...item, apiVersion, kind }));
      } catch (error) {
        if (apiVersion === podIdentityApi && isNotServed(error)) return undefined;
        throw error;
      }
    }),
  );
  if (lists[0] === undefined)
    throw new UserError(
      `The cluster ${cluster} has no aad-pod-identity: it does not serve ${podIdentityApi}.`,
      'There is nothing to migrate. To inspect another cluster, name it.',
    );
  return lists.flatMap((list) => list ?? []);
}

function isNotServed(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === 404 || String(message).startsWith('Unrecognized API version and kind');
}

/** Reads objects from YAML files in the form of `kubectl get --output yaml`. */
export function readFiles(files: readonly string[]): LegacyObject[] {
  const objects = files.flatMap((file) => {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      throw new UserError(`${file} cannot be read.`, 'Name files with Kubernetes objects in YAML.');
    }
    return parseAllDocuments(text).flatMap((document) => {
      if (document.errors.length > 0)
        throw new UserError(
          `${file} is not valid YAML: ${document.errors[0]?.message.split('\n', 1)[0] ?? ''}`,
          'Correct it, or create it again with `kubectl get --output yaml`.',
        );
      const content = document.toJS() as (LegacyObject & { items?: LegacyObject[] }) | null;
      return content?.items ?? (content === null ? [] : [content]);
    });
  });
  if (objects.some(({ apiVersion }) => apiVersion === podIdentityApi)) return objects;
  throw new UserError(
    `${files.join(', ')}: there are no objects of aad-pod-identity (${podIdentityApi}).`,
    `Add them: \`${listCommand}\`.`,
  );
}
