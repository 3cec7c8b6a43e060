import path from 'node:path';
import type { Instance } from '../daemon/instance';
import { requireServing } from './cloud';
import { openInstanceToolchain, pulumiContext } from './context';
import type { LocalStack } from './localStack';
import { installPlugins } from './plugins';
import type { Product } from './product';
import { prepareStack, refuseDuringUpdate } from './stack';
import { variable } from '../project';

/** Returns the environment in which a command of the product reaches the stack in the local cloud. */
export async function commandEnvironment(
  instance: Instance,
  stack: LocalStack,
  command: string,
  product: Product,
): Promise<Record<string, string>> {
  const run = requireServing(instance);
  // During an update, the stack's outputs are incomplete.
  refuseDuringUpdate(instance, stack);
  const toolchain = openInstanceToolchain(instance);
  const context = await pulumiContext(instance, run, toolchain, stack);
  const env = { ...context.env, [variable('STACK_FILE')]: path.resolve(instance.projectRoot, stack.source) };
  if (product.commands[command]?.runsProgram !== true) return env;
  // The engine needs the plugins; the program needs the charts that
  // a stack file may reference, and the local secret values.
  await toolchain.charts(instance.chartsDir);
  installPlugins(instance);
  await prepareStack(context, product);
  return env;
}
