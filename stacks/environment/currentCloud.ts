import * as pulumi from '@pulumi/pulumi';
import { VisibleError } from '../../components/resource/errors';
import type { OperatorCloud } from './clouds';
import { cloudName, operatorCloudOf, resourceManagers, secretsStoreClouds, storageSuffixOf } from './clouds';

function deployedCloud(env: NodeJS.ProcessEnv): string {
  const configured = new pulumi.Config('azure-native').get('environment');
  return [configured, env.ARM_ENVIRONMENT, env.AZURE_ENVIRONMENT].find(Boolean) ?? 'public';
}

/** What addresses of storage end with in the cloud that is deployed to. */
export function storageSuffix(env: NodeJS.ProcessEnv): string {
  return storageSuffixOf(deployedCloud(env));
}

/** What the service operator is told of the cloud that is deployed to; undefined for the public one. */
export function operatorCloud(env: NodeJS.ProcessEnv): OperatorCloud | undefined {
  return operatorCloudOf(deployedCloud(env));
}

/** Name for the Secrets Store driver's Azure provider of the cloud that is deployed to; undefined for the public one. */
export function secretsStoreCloud(env: NodeJS.ProcessEnv): string | undefined {
  return secretsStoreClouds[cloudName(deployedCloud(env))];
}

/** Address of the resource manager of the cloud that is deployed to; undefined if it is none that is known here. */
export function knownResourceManager(env: NodeJS.ProcessEnv): string | undefined {
  return resourceManagers[cloudName(deployedCloud(env))];
}

/** Address of the resource manager of the cloud that is deployed to: `azure-native:environment`, else ARM_ENVIRONMENT. */
export function resourceManager(env: NodeJS.ProcessEnv): string {
  const endpoint = knownResourceManager(env);
  if (endpoint !== undefined) return endpoint;
  throw new VisibleError(
    `The cloud to deploy to (azure-native:environment, ARM_ENVIRONMENT) is "${deployedCloud(env)}", where clusters cannot be switched on from here. Allowed: ${Object.keys(resourceManagers).join(', ')}. Set it to one of them, or switch the cluster on yourself: \`az aks update --enable-oidc-issuer --enable-workload-identity\`.`,
  );
}
