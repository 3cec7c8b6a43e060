import { currentCloud, type Cloud } from '../components/azure/clouds';
import { capture } from './capture';
import { configFileOption, pulumiError, type PulumiStack } from './pulumi';

// Subscription and cloud of a stack, from the same sources as in azure-native.

/**
 * Returns the subscription of providers that name none: from the stack's configuration, ARM_SUBSCRIPTION_ID or the Azure CLI.
 * Undefined if none of them has one.
 * @throws UserError if the configuration cannot be read or decrypted
 */
export async function ambientSubscription(
  stack: PulumiStack,
  env: NodeJS.ProcessEnv,
  run = capture,
): Promise<string | undefined> {
  return (await azureNativeConfig(stack, 'subscriptionId', run)) ?? selectedSubscription(env, stack.cwd, run);
}

/** Returns the subscription of ARM_SUBSCRIPTION_ID or of the Azure CLI; undefined if neither has one. */
export async function selectedSubscription(
  env: NodeJS.ProcessEnv,
  cwd: string,
  run = capture,
): Promise<string | undefined> {
  if (env.ARM_SUBSCRIPTION_ID) return env.ARM_SUBSCRIPTION_ID;
  const selected = await run('az', ['account', 'show', '--query', 'id', '-o', 'tsv'], { cwd });
  return (selected.code === 0 && selected.stdout.trim()) || undefined;
}

/** Returns the cloud that a stack is deployed to. */
export async function stackCloud(stack: PulumiStack, env: NodeJS.ProcessEnv, run = capture): Promise<Cloud> {
  return currentCloud(await azureNativeConfig(stack, 'environment', run), env);
}

/** Reads an `azure-native:…` value from the configuration of a stack; undefined if it is not set. */
async function azureNativeConfig(
  stack: PulumiStack,
  key: string,
  run: typeof capture,
): Promise<string | undefined> {
  const args = ['config', 'get', `azure-native:${key}`, '--stack', stack.name];
  const configured = await run('pulumi', [...args, ...configFileOption(stack)], { cwd: stack.cwd });
  if (configured.code === 0) return configured.stdout.trim();
  // Any other failure must not lead to another subscription or cloud.
  if (!configured.stderr.includes('configuration key')) throw pulumiError(stack, args, configured);
  return undefined;
}
