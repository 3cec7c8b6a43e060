import * as pulumi from '@pulumi/pulumi';
import { messageOf, UserError } from '../../components/resource/errors';
import type { Central } from '../deploy/central';
import type { Configuration } from '../plan';
import { stackOutputs } from './outputs';

const centralOutputs = stackOutputs.pick({ vaults: true, groups: true, logWorkspace: true });

/**
 * Reads what the stack of a cell's environment has deployed.
 * @throws UserError if it is not deployed, or lacks something that the cell needs
 */
export async function readCentral({ environment, plan, settings }: Configuration): Promise<Central> {
  const deploy = `Deploy it first: \`pulumi up --stack ${environment}\`.`;
  const outputs = await outputsOf(environment).catch((error: unknown) => {
    throw new UserError(
      `The outputs of ${environment}, the environment of this cell, cannot be read: ${messageOf(error)}. ${deploy}`,
    );
  });
  const parsed = centralOutputs.safeParse(outputs);
  if (!parsed.success)
    throw new UserError(`The stack ${environment}, the environment of this cell, is not deployed. ${deploy}`);
  const { vaults, groups, logWorkspace } = parsed.data;
  const missing = [
    ...plan.vaults.flatMap(({ name, secrets }) => {
      const vault = vaults[name];
      if (vault === undefined) return `the vault ${name}`;
      return secrets
        .filter((secret) => !vault.secrets.includes(secret))
        .map((secret) => `the secret ${secret} of ${name}`);
    }),
    ...plan.groups
      .filter(({ name }) => groups.every((group) => group.name !== name))
      .map(({ name }) => `the group ${name}`),
    ...(settings.logs !== undefined && logWorkspace === undefined ? ['the log workspace'] : []),
  ];
  if (missing.length > 0)
    throw new UserError(
      `The stack ${environment}, the environment of this cell, was deployed from older settings: it lacks ${missing.join(', ')}. ${deploy}`,
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
