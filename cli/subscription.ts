import { capture } from './capture';
import { configFileOption, type PulumiStack } from './pulumi';

/**
 * The subscription of providers that name none, from where azure-native takes it: the stack's configuration, then
 * ARM_SUBSCRIPTION_ID, then what `az` has selected. Undefined if none of them has one.
 */
export async function ambientSubscription(
  stack: PulumiStack,
  env: NodeJS.ProcessEnv,
  run = capture,
): Promise<string | undefined> {
  const ask = async (file: string, args: readonly string[]): Promise<string> => {
    const { code, stdout } = await run(file, args, { cwd: stack.cwd });
    return code === 0 ? stdout.trim() : '';
  };
  const key = 'azure-native:subscriptionId';
  const subscription =
    (await ask('pulumi', ['config', 'get', key, '--stack', stack.name, ...configFileOption(stack)])) ||
    env.ARM_SUBSCRIPTION_ID ||
    (await ask('az', ['account', 'show', '--query', 'id', '-o', 'tsv']));
  return subscription || undefined;
}
