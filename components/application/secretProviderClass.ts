import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { secretProviderClassKind } from '../cluster/existingCluster';
import { digestOf } from '../resource/digest';
import { forceConflicts } from '../resource/forceConflicts';
import type { WorkloadArgs } from './arguments';
import type { PodAdditions } from './pod';
import { secretVariable } from './secretVariable';

/** Folder of the files that the driver writes: one for each secret, with its name. */
export const secretsFolder = '/mnt/secrets';

/** The objects through which the driver delivers the secrets of a workload. */
export interface DeliveredSecrets {
  /** Name of the SecretProviderClass, from its output. */
  readonly secretProviderClass: pulumi.Output<string>;
  /** Name of the Kubernetes secret; undefined with delivery `files`. */
  readonly kubernetesSecret: pulumi.Output<string> | undefined;
}

/**
 * Deploys what the driver's Azure provider needs to fetch exactly the named secrets for the pods. It signs in as the
 * workload's own identity with the token of the pod's service account. The driver and its provider must be in the cluster;
 * in AKS, they are the add-on azure-keyvault-secrets-provider (Azure/secrets-store-csi-driver-provider-azure,
 * workload-identity-mode).
 */
export function deliveredSecrets(
  name: string,
  { application, namespace, identity, vault, delivery = 'application' }: WorkloadArgs,
  opts: pulumi.CustomResourceOptions,
): DeliveredSecrets | undefined {
  if (delivery === 'application') return undefined;
  const className = `${application}-secrets`;
  const labels = { 'app.kubernetes.io/name': application };
  const secretNames = [...vault.secretNames].sort();
  // A change of the secrets changes the name: new pods mount the new class while running pods keep the old one. The driver
  // deletes the Kubernetes secret after its last pod.
  const namedAfter = (vaultName: string) =>
    `${className}-${digestOf([vaultName, ...secretNames].join('\n'))}`;
  const kubernetesSecret =
    delivery === 'environment' ? pulumi.output(vault.name).apply(namedAfter) : undefined;
  const providerClass = new kubernetes.apiextensions.CustomResource(
    `${name}-secrets`,
    {
      ...secretProviderClassKind,
      metadata: { name: className, namespace, labels, annotations: forceConflicts },
      spec: {
        provider: 'azure',
        parameters: {
          usePodIdentity: 'false',
          clientID: identity.clientId,
          tenantId: identity.tenantId,
          keyvaultName: vault.name,
          cloudName: vault.cloudName,
          objects: objectsParameter(secretNames),
        },
        secretObjects: kubernetesSecret && [
          {
            secretName: kubernetesSecret,
            type: 'Opaque',
            labels,
            data: secretNames.map((secret) => ({ objectName: secret, key: secret })),
          },
        ],
      },
    },
    opts,
  );
  return { secretProviderClass: providerClass.metadata.name, kubernetesSecret };
}

/**
 * Returns the provider's parameter, a YAML list of YAML documents. Names are quoted, because the name of a secret may be a
 * number.
 */
function objectsParameter(names: readonly string[]): string {
  const items = names.map((name) => `  - |\n    objectName: "${name}"\n    objectType: secret\n`);
  return `array:\n${items.join('')}`;
}

/**
 * Returns the mount of the secrets. Delivery `environment` needs it too, because the driver creates the Kubernetes secret
 * for a mount.
 */
export function mountedSecrets(
  { secretProviderClass, kubernetesSecret }: DeliveredSecrets,
  secretNames: readonly string[],
): PodAdditions {
  return {
    env:
      kubernetesSecret === undefined
        ? []
        : secretNames.map((secret) => ({
            name: secretVariable(secret),
            valueFrom: { secretKeyRef: { name: kubernetesSecret, key: secret } },
          })),
    volumes: [
      {
        name: 'secrets',
        csi: {
          driver: 'secrets-store.csi.k8s.io',
          readOnly: true,
          volumeAttributes: { secretProviderClass },
        },
      },
    ],
    volumeMounts: [{ name: 'secrets', mountPath: secretsFolder, readOnly: true }],
  };
}
