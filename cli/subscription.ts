import { capture } from './capture';
import { configFileOption, pulumiError, type PulumiStack } from './pulumi';

/**
 * The subscription of providers that name none, from where azure-native takes it: the stack's configuration, then
 * ARM_SUBSCRIPTION_ID, then what `az` has selected. Undefined if none of them has one.
 * @throws VisibleError if the configuration cannot be read or decrypted
 */
export async function ambientSubscription(
  stack: PulumiStack,
  env: NodeJS.ProcessEnv,
  run = capture,
): Promise<string | undefined> {
  const { cwd } = stack;
  const args = ['config', 'get', 'azure-native:subscriptionId', '--stack', stack.name];
  const configured = await run('pulumi', [...args, ...configFileOption(stack)], { cwd });
  if (configured.code === 0) return configured.stdout.trim();
  // All other failures must not let it fall back to another subscription.
  if (!configured.stderr.includes('configuration key')) throw pulumiError(stack.name, args, configured);
  if (env.ARM_SUBSCRIPTION_ID) return env.ARM_SUBSCRIPTION_ID;
  const selected = await run('az', ['account', 'show', '--query', 'id', '-o', 'tsv'], { cwd });
  return (selected.code === 0 && selected.stdout.trim()) || undefined;
}
