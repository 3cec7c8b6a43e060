import * as pulumi from '@pulumi/pulumi';
import { messageOf, UserError } from '../../components/resource/errors';
import { firstFew } from '../../components/resource/firstFew';
import type { Central } from '../deploy/central';
import type { Configuration } from '../plan';
import { forCells } from './forCells';
import { stackOutputs } from './outputs';

const centralOutputs = stackOutputs.pick({ vaults: true, groups: true, logWorkspace: true, forCells: true });

/**
 * Reads what the stack of a cell's environment has deployed.
 * @throws UserError if it is not deployed, or lacks something that the cell needs
 */
export async function readCentral(configuration: Configuration): Promise<Central> {
  const { environment } = configuration;
  const deploy = `Deploy it first: \`pulumi up --stack ${environment}\`.`;
  const outputs = await outputsOf(environment).catch((error: unknown) => {
    throw new UserError(
      `The outputs of ${environment}, the environment of this cell, cannot be read: ${messageOf(error)}. ${deploy}`,
    );
  });
  const parsed = centralOutputs.safeParse(outputs);
  if (!parsed.success)
    throw new UserError(`The stack ${environment}, the environment of this cell, is not deployed. ${deploy}`);
  const { vaults, groups, logWorkspace, forCells: deployed = [] } = parsed.data;
  const parts = new Set(deployed);
  const missing = forCells(configuration).filter((part) => !parts.has(part));
  if (missing.length > 0)
    throw new UserError(
      `The stack ${environment}, the environment of this cell, was deployed from older settings: it lacks ${firstFew(missing, 5)}. ${deploy}`,
    );
  return {
    vaults: new Map(Object.entries(vaults).map(([name, { id }]) => [name, id])),
    groups: new Map(groups.map(({ name, objectId }) => [name, objectId])),
    logWorkspace,
  };
}

/** A function of the engine rather than a StackReference: the failure of a resource cannot be caught. */
async function outputsOf(environment: string): Promise<unknown> {
  const name = `${pulumi.getOrganization()}/${pulumi.getProject()}/${environment}`;
  const { outputs } = (await pulumi.runtime.invoke('pulumi:pulumi:readStackOutputs', { name })) as {
    outputs: unknown;
  };
  return outputs;
}
