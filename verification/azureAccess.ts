import {
  ClientAssertionCredential,
  ClientCertificateCredential,
  ClientSecretCredential,
  type TokenCredential,
} from '@azure/identity';
import { SecretClient } from '@azure/keyvault-secrets';
import { CoreV1Api, CustomObjectsApi, KubeConfig, RbacAuthorizationV1Api } from '@kubernetes/client-node';
import { userAgentPrefix, type Session, type WorkloadAccess } from './access';
import type { VerifiedOutputs } from './checks';
import { podsOfRelease } from './releasePods';

/** Number of log lines to read from the end of a container's log. */
const tailLines = 5;

/** The shortest lifetime that TokenRequest accepts, in seconds. */
const tokenLifetimeSeconds = 600;

/** Access through the vendors' clients, the same on Azure and on the local cloud. */
export function createAzureAccess(outputs: VerifiedOutputs): WorkloadAccess {
  const configOf = (cluster: string): KubeConfig => {
    const kubeconfig = outputs.kubeconfigs[cluster];
    if (kubeconfig === undefined) throw new Error(`the stack has no kubeconfig for cluster ${cluster}`);
    const config = new KubeConfig();
    config.loadFromString(kubeconfig);
    return config;
  };
  const api = (cluster: string): CoreV1Api => configOf(cluster).makeApiClient(CoreV1Api);

  return {
    async serviceAccountToken({ cluster, namespace, serviceAccount }, audience) {
      const answer = await api(cluster).createNamespacedServiceAccountToken({
        name: serviceAccount,
        namespace,
        body: { spec: { audiences: [audience], expirationSeconds: tokenLifetimeSeconds } },
      });
      if (answer.status === undefined) throw new Error(`cluster ${cluster} answered without a token`);
      return answer.status.token;
    },

    async annotations({ cluster, namespace, serviceAccount: name }) {
      const { metadata } = await api(cluster).readNamespacedServiceAccount({ name, namespace });
      return metadata?.annotations ?? {};
    },

    async pods({ cluster, namespace, serviceAccount }) {
      const fieldSelector = `spec.serviceAccountName=${serviceAccount}`;
      return (await api(cluster).listNamespacedPod({ namespace, fieldSelector })).items;
    },

    podsOfRelease: (cluster, namespace, release) => podsOfRelease(configOf(cluster), namespace, release),

    lastLines: ({ cluster, namespace, pod: name, container }) =>
      // Without the container's name, the API server refuses the request for a pod with several.
      api(cluster).readNamespacedPodLog({ name, namespace, container, previous: true, tailLines }),

    async customObject(cluster, kind, namespace, name) {
      const objects = configOf(cluster).makeApiClient(CustomObjectsApi);
      return (await objects.getNamespacedCustomObject({ ...kind, namespace, name })) as Record<
        string,
        unknown
      >;
    },

    async clusterRoles(cluster) {
      const rbac = configOf(cluster).makeApiClient(RbacAuthorizationV1Api);
      const [roles, bindings] = await Promise.all([rbac.listClusterRole(), rbac.listClusterRoleBinding()]);
      return { roles: roles.items, bindings: bindings.items };
    },

    signIn: (identity, assertion) =>
      sessionOf(outputs, new ClientAssertionCredential(outputs.tenantId, identity.clientId, assertion)),

    async signInByCredential({ cluster, namespace, identity }, name) {
      const { data = {} } = await api(cluster).readNamespacedSecret({ name, namespace });
      const value = (key: string) =>
        data[key] === undefined ? undefined : Buffer.from(data[key], 'base64').toString();
      const [tenantId, password] = [outputs.tenantId, value('AZURE_CLIENT_SECRET')];
      const clientId = value('AZURE_CLIENT_ID') ?? identity.clientId;
      const certificate = value('AZURE_CLIENT_CERTIFICATE') ?? '';
      if (password === undefined && !/PRIVATE KEY-/.test(certificate))
        throw new Error('the secret has no certificate with its private key');
      return sessionOf(
        outputs,
        password === undefined
          ? new ClientCertificateCredential(tenantId, clientId, { certificate })
          : new ClientSecretCredential(tenantId, clientId, password),
      );
    },
  };
}

async function sessionOf(outputs: VerifiedOutputs, credential: TokenCredential): Promise<Session> {
  await credential.getToken(vaultScope(outputs));
  return {
    async readSecret(vaultUri, name) {
      await new SecretClient(vaultUri, credential, { userAgentOptions: { userAgentPrefix } }).getSecret(name);
    },
  };
}

/** Returns the token scope of the vaults' cloud. The client reads Entra's address from AZURE_AUTHORITY_HOST. */
function vaultScope(outputs: VerifiedOutputs): string {
  const [vault] = Object.values(outputs.vaults);
  if (vault === undefined) return 'https://vault.azure.net/.default';
  const suffix = new URL(vault.uri).hostname.split('.').slice(1).join('.');
  return `https://${suffix}/.default`;
}
