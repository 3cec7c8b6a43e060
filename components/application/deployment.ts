import { accessWithin } from '../azure/accessDelay';
import type { types } from '@pulumi/kubernetes';
import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { keyAnnotation } from '../identity/storedCredential';
import { restrictedContainer, restrictedPod } from '../resource/podSecurity';
import { forceConflicts } from '../resource/forceConflicts';
import type { WorkloadArgs, WorkloadImage } from './arguments';
import { storedSignIn } from './credentialSecret';
import { dependencyAnnotations, dependencyVariables } from './dependencies';
import type { PodAdditions, Variable } from './pod';
import type { DeliveredSecrets } from './secretProviderClass';
import { mountedSecrets } from './secretProviderClass';
import { signInLabels } from './signIn';
import { projectedToken } from './token';
import { engineWaits } from './waits';

/** What is made in the cluster for the pods. */
export interface DeliveredParts {
  /** What the driver delivers; undefined if nothing. */
  readonly secrets: DeliveredSecrets | undefined;
  /** Name of the Kubernetes secret that they sign in with; undefined: by federation. */
  readonly credential: pulumi.Output<string> | undefined;
}

/** The Deployment of an image; its pods pass the `restricted` pod security standard. */
export function imageDeployment(
  name: string,
  args: WorkloadArgs,
  image: WorkloadImage,
  /** By its output: the account, and with it its annotations, is there before the first pod. */
  serviceAccount: pulumi.Output<string>,
  { secrets, credential }: DeliveredParts,
  opts: pulumi.CustomResourceOptions,
): kubernetes.apps.v1.Deployment {
  const { application, namespace, identity, vault, audience, dependencies = [] } = args;
  const labels = { 'app.kubernetes.io/name': application };
  const additions = [
    projectedToken(audience),
    storedSignIn(args, credential),
    ...(secrets === undefined ? [] : [mountedSecrets(secrets, vault.secretNames)]),
  ];
  const volumes = additions.flatMap((one: PodAdditions) => one.volumes ?? []);
  return new kubernetes.apps.v1.Deployment(
    name,
    {
      metadata: {
        ...{ name: application, namespace, labels },
        annotations: {
          ...forceConflicts,
          ...(!engineWaits(args) && { 'pulumi.com/skipAwait': 'true' }),
        },
      },
      spec: {
        replicas: image.replicas ?? 2,
        // Past it, Kubernetes and the engine give up.
        progressDeadlineSeconds: accessWithin,
        selector: { matchLabels: labels },
        template: {
          metadata: {
            labels: { ...labels, ...signInLabels(args) },
            // Tokens are for the identity that a pod had when it was made: without a new template, pods that run would keep
            // the one before.
            annotations: {
              'aks-workload-identity/client-id': identity.clientId,
              ...keyAnnotation(args.credential),
              ...dependencyAnnotations(dependencies),
            },
          },
          spec: {
            serviceAccountName: serviceAccount,
            // The token for Entra is a volume of its own, from the webhook; the API server's is not needed.
            automountServiceAccountToken: false,
            securityContext: restrictedPod,
            containers: [container(args, image, additions, dependencyVariables(dependencies))],
            ...(volumes.length > 0 && { volumes }),
          },
        },
      },
    },
    // Its pods are ready when they have read their secrets.
    pulumi.mergeOptions(opts, {
      customTimeouts: { create: `${accessWithin}s`, update: `${accessWithin}s` },
    }),
  );
}

function container(
  { application, vault }: WorkloadArgs,
  image: WorkloadImage,
  additions: readonly PodAdditions[],
  ofDependencies: pulumi.Output<Variable[]>,
): types.input.core.v1.Container {
  const volumeMounts = additions.flatMap((one) => one.volumeMounts ?? []);
  const plain = { ...image.env, KEY_VAULT_URI: vault.uri, SECRET_NAMES: vault.secretNames.join(',') };
  const env: Variable[] = [
    ...Object.entries(plain).map(([name, value]) => ({ name, value })),
    ...additions.flatMap((one) => one.env ?? []),
  ];
  return {
    name: application,
    image: image.reference,
    ports: [{ name: 'http', containerPort: image.port ?? 8080 }],
    // Sorted: the order in which a file lists them must not make a difference.
    env: ofDependencies.apply((further) => [...env, ...further].sort((a, b) => (a.name < b.name ? -1 : 1))),
    livenessProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 10 },
    readinessProbe: { httpGet: { path: '/readyz', port: 'http' }, periodSeconds: 5 },
    resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '256Mi' } },
    securityContext: restrictedContainer,
    ...(volumeMounts.length > 0 && { volumeMounts }),
  };
}
