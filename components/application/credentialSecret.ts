import * as kubernetes from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { forceConflicts } from '../resource/forceConflicts';
import type { WorkloadArgs } from './arguments';
import type { PodAdditions } from './pod';

const folder = '/var/run/secrets/aks-workload-identity/credential';
const file = 'certificate.pem';
const keys = { certificate: 'AZURE_CLIENT_CERTIFICATE', password: 'AZURE_CLIENT_SECRET' } as const;

/**
 * Returns the name of the Kubernetes secret with the application's credential. A renewed credential has a secret of its own, so
 * that pods keep the old one until new pods have replaced them. The names of the secrets of dependencies contain no period, so
 * they cannot collide.
 * @param kind part of the name, so that a change of the kind also gives another secret
 * @param credential name of the credential
 */
export function credentialSecretName(
  application: string,
  kind: 'certificate' | 'password',
  credential: string,
): string {
  return `${application}.${kind}-${credential}`;
}

/** Deploys the Kubernetes secret that pods sign in with; undefined if they sign in with federation. */
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
      // Immutable. If it could be changed in place, an update would have to replace it and the pods to restore it.
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

/**
 * Returns what EnvironmentCredential and DefaultAzureCredential of the Azure SDKs read: variables, and the certificate as a
 * file.
 */
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
