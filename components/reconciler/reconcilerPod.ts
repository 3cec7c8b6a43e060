import { accessWithin } from '../azure/accessDelay';
import { limits } from '../azure/limits';
import * as kubernetes from '@pulumi/kubernetes';
import type * as pulumi from '@pulumi/pulumi';
import { accountAnnotations, useLabel } from '../identity/signIn';
import type { ServiceAccountReference } from '../identity/subjects';
import type { ArgumentProblem } from '../resource/errors';
import { restrictedContainer, restrictedPod } from '../resource/podSecurity';
import { forceConflicts } from '../resource/forceConflicts';
import { serviceAccountFolder } from './serviceAccountFolder';

/** The identity that a reconciler signs in as, for example a ManagedIdentity. */
export interface ReconcilerIdentity {
  /** Application (client) id. */
  readonly clientId: pulumi.Input<string>;
  /** Object id of its service principal. */
  readonly principalId: pulumi.Input<string>;
  /** Entra tenant. */
  readonly tenantId: pulumi.Input<string>;
}

/** Settings of a program of this project that runs in a cluster. */
export interface ReconcilerSettings {
  /** Seconds between two runs, 5 to 60. Default: 60. */
  readonly intervalSeconds?: number;
  /** Image with Node.js 20 or later. Default: a fixed version of the official Node.js image. */
  readonly image?: string;
}

/** A program of this project that runs in a cluster at intervals. */
export interface ReconcilerPodArgs extends ReconcilerSettings {
  /** Its service account, in its own namespace. */
  readonly account: ServiceAccountReference;
  /**
   * Identity for Azure. Default: none; it does not sign in to Azure, and has its service account's token for Kubernetes.
   */
  readonly identity?: ReconcilerIdentity;
  /** The program, bundled into one file. */
  readonly program: string;
  /** Input of each run: JSON. */
  readonly document: pulumi.Input<string>;
  /** Name of `document`, for its volume and its file. */
  readonly documentName: string;
  /** Its rights, which exist before the pod uses them. */
  readonly rights: readonly pulumi.Resource[];
}

/**
 * Returns the problems of the settings. Neither Azure nor Kubernetes checks the interval: without a pause, the reconciler
 * would send requests endlessly; with a pause of minutes, the kubelet would restart it.
 */
export function reconcilerProblems({ intervalSeconds: value }: ReconcilerSettings): ArgumentProblem[] {
  const [least, greatest] = limits.intervalSeconds;
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= greatest)) return [];
  const allowed = `an integer from ${least} to ${greatest}`;
  return [{ argument: 'intervalSeconds', value, problem: 'is not possible', allowed }];
}

/** No image is built for the program: any image with Node.js can run it. */
const nodeImage = 'docker.io/library/node:24.10.0-bookworm-slim';

const programFile = 'reconcile.cjs';

/**
 * Deploys namespace, service account, ConfigMaps and Deployment of a reconciler.
 * @returns the namespace
 */
export function reconcilerPod(
  name: string,
  args: ReconcilerPodArgs,
  children: pulumi.CustomResourceOptions,
): kubernetes.core.v1.Namespace {
  const { account, identity, program, document, documentName, rights } = args;
  const labels = { 'app.kubernetes.io/name': account.serviceAccount };
  const annotations = forceConflicts;
  const home = new kubernetes.core.v1.Namespace(
    name,
    { metadata: { name: account.namespace, annotations } },
    children,
  );
  const inside = { namespace: home.metadata.name, labels, annotations };
  const serviceAccount = new kubernetes.core.v1.ServiceAccount(
    `${name}-account`,
    {
      metadata: {
        ...inside,
        name: account.serviceAccount,
        annotations: { ...annotations, ...(identity && accountAnnotations(identity)) },
      },
    },
    children,
  );
  const texts = { program: [programFile, program], [documentName]: [`${documentName}.json`, document] };
  // The provider generates their names: a change gives a new ConfigMap, and with it a new pod.
  const mounts = Object.entries(texts).map(([volume, [file = '', text = '']]) => {
    const map = new kubernetes.core.v1.ConfigMap(
      `${name}-${volume}`,
      { metadata: inside, data: { [file as string]: text } },
      children,
    );
    return { name: volume, configMap: { name: map.metadata.name } };
  });
  new kubernetes.apps.v1.Deployment(
    `${name}-reconciler`,
    {
      metadata: { ...inside, name: account.serviceAccount },
      spec: {
        // Two would not interfere with each other. The next run corrects the omissions of one.
        replicas: 1,
        // The old pod would still use the old document.
        strategy: { type: 'Recreate' },
        progressDeadlineSeconds: accessWithin,
        selector: { matchLabels: labels },
        template: {
          metadata: {
            labels: { ...labels, ...(identity && { [useLabel]: 'true' }) },
            ...(identity && { annotations: { 'aks-workload-identity/client-id': identity.clientId } }),
          },
          spec: {
            serviceAccountName: serviceAccount.metadata.name,
            automountServiceAccountToken: identity === undefined,
            // The user `node` of the image, by its number: the kubelet cannot verify a name.
            securityContext: { ...restrictedPod, runAsUser: 1000 },
            containers: [container(args)],
            volumes: mounts,
          },
        },
      },
    },
    {
      ...children,
      dependsOn: [...rights],
      // Ready means that a run has succeeded.
      customTimeouts: { create: `${accessWithin}s`, update: `${accessWithin}s` },
    },
  );
  return home;
}

function container(args: ReconcilerPodArgs) {
  const { account, identity, documentName, image = nodeImage, intervalSeconds = 60 } = args;
  const http = (path: string) => ({ httpGet: { path, port: 'http' } });
  return {
    name: account.serviceAccount,
    image,
    command: ['node', `/program/${programFile}`, `/${documentName}/${documentName}.json`],
    env: [
      { name: 'INTERVAL_SECONDS', value: String(intervalSeconds) },
      ...(identity === undefined ? [{ name: 'SERVICE_ACCOUNT', value: serviceAccountFolder }] : []),
    ],
    ports: [{ name: 'http', containerPort: 8080 }],
    livenessProbe: { ...http('/healthz'), periodSeconds: 60 },
    readinessProbe: { ...http('/readyz'), periodSeconds: 5 },
    resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '256Mi' } },
    securityContext: restrictedContainer,
    volumeMounts: ['program', documentName].map((each) => ({
      name: each,
      mountPath: `/${each}`,
      readOnly: true,
    })),
  };
}
