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
import { signInAnnotations, signInLabels } from './signIn';
import { projectedToken } from './token';
import { engineWaits } from './waits';

/** Objects in the cluster that the pods need. */
export interface DeliveredParts {
  /** The secrets that the driver delivers, if any. */
  readonly secrets: DeliveredSecrets | undefined;
  /** Name of the Kubernetes secret that they sign in with; undefined if they sign in with federation. */
  readonly credential: pulumi.Output<string> | undefined;
}

/** Deploys an image; its pods meet the `restricted` pod security standard. */
export function imageDeployment(
  name: string,
  args: WorkloadArgs,
  image: WorkloadImage,
  /** An output of the account: the account and its annotations must exist before the first pod. */
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
  const volumes = additions.flatMap((addition: PodAdditions) => addition.volumes ?? []);
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
        // After this time, Kubernetes and the engine give up.
        progressDeadlineSeconds: accessWithin,
        selector: { matchLabels: labels },
        template: {
          metadata: {
            labels: { ...labels, ...signInLabels(args) },
            // A pod gets tokens for the identity that it had when it was created. Without a new template, running pods would
            // keep the previous one.
            annotations: {
              'aks-workload-identity/client-id': identity.clientId,
              ...signInAnnotations(args),
              ...keyAnnotation(args.credential),
              ...dependencyAnnotations(dependencies),
            },
          },
          spec: {
            serviceAccountName: serviceAccount,
            // The token for Entra is a separate volume, from the webhook; that of the API server is not needed.
            automountServiceAccountToken: false,
            securityContext: restrictedPod,
            containers: [container(args, image, additions, dependencyVariables(dependencies))],
            ...(volumes.length > 0 && { volumes }),
          },
        },
      },
    },
    // Pods are ready when they have read their secrets.
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
  const volumeMounts = additions.flatMap((addition) => addition.volumeMounts ?? []);
  const plain = { ...image.env, KEY_VAULT_URI: vault.uri, SECRET_NAMES: vault.secretNames.join(',') };
  const env: Variable[] = [
    ...Object.entries(plain).map(([name, value]) => ({ name, value })),
    ...additions.flatMap((addition) => addition.env ?? []),
  ];
  return {
    name: application,
    image: image.reference,
    ports: [{ name: 'http', containerPort: image.port ?? 8080 }],
    // Sorts the variables: their order in a file must have no effect.
    env: ofDependencies.apply((further) => [...env, ...further].sort((a, b) => (a.name < b.name ? -1 : 1))),
    livenessProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 10 },
    readinessProbe: { httpGet: { path: '/readyz', port: 'http' }, periodSeconds: 5 },
    resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '256Mi' } },
    securityContext: restrictedContainer,
    ...(volumeMounts.length > 0 && { volumeMounts }),
  };
}
