import type { Access } from '../stacks/access/reach';
import type { Registered, RegisteredStack } from '../stacks/access/registered';
import { accessOf } from '../stacks/access/reach';
import { stackOf } from '../stacks/access/registered';
import { exportedState, runPulumi, type PulumiStack } from './pulumi';

/** Computes who can use what in a deployed stack from its state. */
export async function deployedAccess(stack: PulumiStack): Promise<Access> {
  return accessOf(await deployedStack(stack), stack.name);
}

/** Returns the resources that a deployed stack registered, from its state. */
export async function deployedStack(stack: PulumiStack): Promise<RegisteredStack> {
  const text = await runPulumi(stack, ['stack', 'export']);
  const resources = exportedState.parse(JSON.parse(text)).deployment.resources ?? [];
  const registered = resources.map(({ urn, id, inputs = {}, outputs = {}, provider }): Registered => ({
    ...{ urn, id, inputs, outputs },
    provider: typeof provider === 'string' ? provider : undefined,
  }));
  return stackOf(registered);
}
