import * as kubernetes from '@pulumi/kubernetes';
import type { types } from '@pulumi/kubernetes';
import type * as pulumi from '@pulumi/pulumi';
import type { SignInIdentity } from '../identity/signIn';
import { secretVariable } from './secretVariable';
import { digestOf } from '../resource/digest';

/**
 * How secrets reach a workload.
 */
export const SecretDelivery = {
  /** It reads the vault itself. */
  Application: 'application',
  /** The Secrets Store CSI driver writes them below `secretsFolder`. */
  Files: 'files',
  /** The driver copies them into a Kubernetes secret, of which the pods get variables. */
  Environment: 'environment',
} as const;
export type SecretDelivery = (typeof SecretDelivery)[keyof typeof SecretDelivery];

/** Where the driver writes the secrets: one file each, named as the secret. */
export const secretsFolder = '/mnt/secrets';

/** The secrets of one workload, as the driver fetches them. */
export interface ProvidedSecrets {
  /** Name of the application; the SecretProviderClass is named after it. */
  readonly application: string;
  /** Name of the vault in Azure. */
  readonly vaultName: string;
  /** Cloud that the vault is in, as the driver's Azure provider calls it; if absent, the public one. */
  readonly cloudName?: string;
  readonly secretNames: readonly string[];
  readonly delivery: Exclude<SecretDelivery, 'application'>;
}

/** Name of the SecretProviderClass of an application. */
export function providerClassName({ application }: Pick<ProvidedSecrets, 'application'>): string {
  return `${application}-secrets`;
}

/**
 * Name of the Kubernetes secret with delivery `environment`. Other secrets, another name: a new pod finds all that it
 * needs before it starts, and those that still run keep what they have. The driver deletes it after its last pod.
 */
export function kubernetesSecretName(secrets: ProvidedSecrets): string {
  const content = [secrets.vaultName, ...[...secrets.secretNames].sort()].join('\n');
  return `${providerClassName(secrets)}-${digestOf(content)}`;
}

interface ProviderClassArgs extends ProvidedSecrets {
  readonly namespace: pulumi.Input<string>;
  readonly identity: SignInIdentity;
}

/**
 * What the driver's Azure provider fetches for the pods: exactly the named secrets, as the workload's own identity and
 * with the token of the pod's service account. The driver and its provider must be in the cluster; in AKS they are the
 * add-on azure-keyvault-secrets-provider (Azure/secrets-store-csi-driver-provider-azure, workload-identity-mode).
 */
export function secretProviderClass(
  name: string,
  args: ProviderClassArgs,
  opts: pulumi.CustomResourceOptions,
): kubernetes.apiextensions.CustomResource {
  const { application, namespace, identity, vaultName, cloudName, secretNames, delivery } = args;
  const names = [...secretNames].sort();
  return new kubernetes.apiextensions.CustomResource(
    name,
    {
      apiVersion: 'secrets-store.csi.x-k8s.io/v1',
      kind: 'SecretProviderClass',
      metadata: {
        name: providerClassName(args),
        namespace,
        labels: { 'app.kubernetes.io/name': application },
      },
      spec: {
        provider: 'azure',
        parameters: {
          usePodIdentity: 'false',
          clientID: identity.clientId,
          tenantId: identity.tenantId,
          keyvaultName: vaultName,
          ...(cloudName !== undefined && { cloudName }),
          objects: objectsOf(names),
        },
        ...(delivery === 'environment' && {
          secretObjects: [
            {
              secretName: kubernetesSecretName(args),
              type: 'Opaque',
              labels: { 'app.kubernetes.io/name': application },
              data: names.map((secret) => ({ objectName: secret, key: secret })),
            },
          ],
        }),
      },
    },
    opts,
  );
}

/** A list of YAML texts in a YAML text, as the provider takes it. Quoted: a secret may be named as a number. */
function objectsOf(names: readonly string[]): string {
  const items = names.map((name) => `  - |\n    objectName: "${name}"\n    objectType: secret\n`);
  return `array:\n${items.join('')}`;
}

/** What a container gets beside its own. */
export interface PodAdditions {
  readonly env: (types.input.core.v1.EnvVar & { readonly name: string })[];
  readonly volumes: types.input.core.v1.Volume[];
  readonly volumeMounts: types.input.core.v1.VolumeMount[];
}

/** The mounted secrets; with delivery `environment` as well, since the driver makes the Kubernetes secret for a mount. */
export function providedSecrets(
  secrets: ProvidedSecrets,
  /** Name of the SecretProviderClass, by its output. */
  providerClass: pulumi.Input<string>,
): PodAdditions {
  return {
    env:
      secrets.delivery === 'files'
        ? []
        : secrets.secretNames.map((secret) => ({
            name: secretVariable(secret),
            valueFrom: { secretKeyRef: { name: kubernetesSecretName(secrets), key: secret } },
          })),
    volumes: [
      {
        name: 'secrets',
        csi: {
          driver: 'secrets-store.csi.k8s.io',
          readOnly: true,
          volumeAttributes: { secretProviderClass: providerClass },
        },
      },
    ],
    volumeMounts: [{ name: 'secrets', mountPath: secretsFolder, readOnly: true }],
  };
}
