import { defaultAudience } from '../identity/subjects';
import type { PodAdditions } from './deployment';

const tokenFolder = '/var/run/secrets/aks-workload-identity';
const tokenFile = 'azure-identity-token';

/**
 * The pod's own token, for an audience other than the one that the webhook's token has. The webhook adds its own all
 * the same, and leaves a variable that is set (Azure/azure-workload-identity pkg/webhook/webhook.go,
 * addEnvironmentVariables), so that clients find this one.
 */
export function projectedToken(audience = defaultAudience): PodAdditions {
  if (audience === defaultAudience) return {};
  return {
    env: [{ name: 'AZURE_FEDERATED_TOKEN_FILE', value: `${tokenFolder}/${tokenFile}` }],
    volumes: [
      {
        name: 'azure-identity-token',
        projected: {
          sources: [{ serviceAccountToken: { audience, expirationSeconds: 3600, path: tokenFile } }],
        },
      },
    ],
    volumeMounts: [{ name: 'azure-identity-token', mountPath: tokenFolder, readOnly: true }],
  };
}
