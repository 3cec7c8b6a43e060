import { defaultAudience } from '../identity/subjects';
import type { PodAdditions } from './pod';

const tokenFolder = '/var/run/secrets/aks-workload-identity';
const tokenFile = 'azure-identity-token';

/**
 * Returns a token volume for an audience other than the webhook's. The webhook still adds its own token, but keeps a variable
 * that is already set (Azure/azure-workload-identity pkg/webhook/webhook.go, addEnvironmentVariables), so clients use this one.
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
