import * as pulumi from '@pulumi/pulumi';
import type { Cloud } from './clouds';
import { cloudOf } from './clouds';

/** The cloud that is deployed to: `azure-native:environment`, else ARM_ENVIRONMENT, else AZURE_ENVIRONMENT. */
export function currentCloud(env: NodeJS.ProcessEnv): Cloud {
  const configured = new pulumi.Config('azure-native').get('environment');
  return cloudOf([configured, env.ARM_ENVIRONMENT, env.AZURE_ENVIRONMENT].find(Boolean) ?? 'public');
}
