import type { Instance } from '../daemon/instance';
import type { RunRecord } from '../daemon/runFile';
import { openToolchain, type Toolchain } from '../toolchain';
import { readCredentials } from './credentials';
import { outsideEnvironment, pulumiEnvironment } from './environment';
import { PULUMI_COMMAND, pulumiCommand, type LocalStack } from './localStack';
import type { PulumiContext } from './runPulumi';
import { installation, variable } from '../project';

export function openInstanceToolchain(instance: Instance): Toolchain {
  return openToolchain({
    projectRoot: installation,
    cacheDir: instance.cacheDir,
    stateRoot: instance.stateRoot,
    env: outsideEnvironment(process.env, instance),
  });
}

/** Returns the engine's executable, and its environment for a stack of this instance. */
export async function pulumiContext(
  instance: Instance,
  run: Pick<RunRecord, 'proxyPort'>,
  toolchain: Pick<Toolchain, 'require'>,
  stack: LocalStack,
): Promise<PulumiContext> {
  const pulumi = await toolchain.require('pulumi');
  const helm = await toolchain.require('helm');
  const tools = { pulumi, helm };
  const env = pulumiEnvironment(instance, run, readCredentials(instance), tools, stack.name);
  // The policy pack also reads the variable, because the engine passes it no configuration.
  return {
    instance,
    stack,
    pulumi,
    env: { ...env, [variable('CONFIG_FILE')]: stack.file, [PULUMI_COMMAND]: pulumiCommand(stack) },
  };
}
