import * as pulumi from '@pulumi/pulumi';
import type { Access } from '../../../stacks/access/reach';
import { accessOf } from '../../../stacks/access/reach';
import type { RegisteredStack } from '../../../stacks/access/registered';
import { registrationOf } from '../../../stacks/dryRun/registration';
import type { Configuration } from '../../../stacks/plan';

/** What the program registers for a configuration, without an engine. */
export async function registeredBy(configuration: Configuration): Promise<RegisteredStack> {
  // jest's own gives lists that the SDK does not take for lists.
  const clone = jest
    .spyOn(globalThis, 'structuredClone')
    .mockImplementation((value: unknown) => JSON.parse(JSON.stringify(value)));
  const warn = jest.spyOn(pulumi.log, 'warn').mockResolvedValue();
  try {
    return await registrationOf(configuration);
  } finally {
    clone.mockRestore();
    warn.mockRestore();
  }
}

/** Who could use what if the configuration were deployed. */
export async function settledAccess(configuration: Configuration): Promise<Access> {
  return accessOf(await registeredBy(configuration), configuration.environment);
}
