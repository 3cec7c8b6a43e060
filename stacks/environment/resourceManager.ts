import * as pulumi from '@pulumi/pulumi';
import { VisibleError } from '../../components/resource/errors';
import { resourceManagers } from './clouds';

/** Address of the resource manager of the cloud that is deployed to: `azure-native:environment`, else ARM_ENVIRONMENT. */
export function resourceManager(env: NodeJS.ProcessEnv): string {
  const configured = new pulumi.Config('azure-native').get('environment');
  const cloud = [configured, env.ARM_ENVIRONMENT, env.AZURE_ENVIRONMENT].find(Boolean) ?? 'public';
  // Azure's tools say `AzureCloud` and `AzureChinaCloud`.
  const endpoint = resourceManagers[cloud.toLowerCase().replace(/^azure|cloud$/g, '') || 'public'];
  if (endpoint !== undefined) return endpoint;
  throw new VisibleError(
    `The cloud to deploy to (azure-native:environment, ARM_ENVIRONMENT) is "${cloud}", where clusters cannot be switched on from here. Allowed: ${Object.keys(resourceManagers).join(', ')}. Set it to one of them, or switch the cluster on yourself: \`az aks update --enable-oidc-issuer --enable-workload-identity\`.`,
  );
}
