import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { forceConflicts } from '../resource/forceConflicts';
import type { WorkloadArgs } from './arguments';
import type { PodAdditions } from './pod';

const folder = '/var/run/secrets/aks-workload-identity/credential';
const file = 'certificate.pem';
const keys = { certificate: 'AZURE_CLIENT_CERTIFICATE', password: 'AZURE_CLIENT_SECRET' } as const;

/**
 * Name of the Kubernetes secret with what the application signs in with. A renewed one has a secret of its own, so that pods
 * keep theirs until new ones have taken their place. The secrets of its dependencies have no period in their names.
 * @param kind a change of the kind is another secret, too
 * @param credential name of the credential
 */
export function credentialSecretName(
  application: string,
  kind: 'certificate' | 'password',
  credential: string,
): string {
  return `${application}.${kind}-${credential}`;
}

/** The Kubernetes secret that pods sign in with; undefined where they sign in by federation. */
export function credentialSecret(
  name: string,
  { application, namespace, identity, credential }: WorkloadArgs,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<string> | undefined {
  if (credential === undefined) return undefined;
  const { certificate, password, authority } = credential;
  const kind = password === undefined ? 'certificate' : 'password';
  const { metadata } = new kubernetes.core.v1.Secret(
    `${name}-credential`,
    {
      metadata: {
        name: credentialSecretName(application, kind, credential.name),
        namespace,
        labels: { 'app.kubernetes.io/name': application },
        annotations: forceConflicts,
      },
      // Nobody can change it in place: to restore it, the update would have to remove it, and the pods with it.
      immutable: true,
      stringData: {
        AZURE_CLIENT_ID: identity.clientId,
        AZURE_TENANT_ID: identity.tenantId,
        ...(authority !== undefined && { AZURE_AUTHORITY_HOST: authority }),
        ...(certificate !== undefined && { [keys.certificate]: pulumi.secret(certificate) }),
        ...(password !== undefined && { [keys.password]: pulumi.secret(password) }),
      },
    },
    opts,
  );
  return metadata.name;
}

/** What EnvironmentCredential and DefaultAzureCredential of the Azure SDKs read: variables, and the certificate as a file. */
export function storedSignIn(
  { identity, credential }: Pick<WorkloadArgs, 'identity' | 'credential'>,
  secretName: pulumi.Output<string> | undefined,
): PodAdditions {
  if (credential === undefined || secretName === undefined) return {};
  const ids = [
    { name: 'AZURE_CLIENT_ID', value: identity.clientId },
    { name: 'AZURE_TENANT_ID', value: identity.tenantId },
    ...(credential.authority === undefined
      ? []
      : [{ name: 'AZURE_AUTHORITY_HOST', value: credential.authority }]),
  ];
  if (credential.password !== undefined)
    return {
      env: [
        ...ids,
        { name: keys.password, valueFrom: { secretKeyRef: { name: secretName, key: keys.password } } },
      ],
    };
  const items = [{ key: keys.certificate, path: file }];
  return {
    env: [...ids, { name: 'AZURE_CLIENT_CERTIFICATE_PATH', value: `${folder}/${file}` }],
    volumes: [{ name: 'credential', secret: { secretName, items } }],
    volumeMounts: [{ name: 'credential', mountPath: folder, readOnly: true }],
  };
}
