import { keyIn } from '../access/registered';
import { partOfOwnStack } from '../cells';
import type { OfCell } from '../configuration';
import type { Central } from '../deploy/central';
import type { Configuration } from '../plan';
import { guidOf, ids } from './azure';
import { registrationOf } from './registration';
import type { Parts } from './request';

/** Returns the resources of the environment's own stack and of the stack of each cell. */
export async function partsOf(
  configuration: Configuration,
  ofCell: OfCell | undefined,
  config: Readonly<Record<string, string>>,
): Promise<Parts> {
  const { environment, cells } = configuration;
  const central = centralOf(configuration);
  const own = await registrationOf(partOfOwnStack(configuration), config);
  const parts = new Map([[environment, own]]);
  if (ofCell === undefined) throw new Error('the environment is a cell');
  for (const cell of cells)
    parts.set(cell.stack, await registrationOf(ofCell(cell, placeholders(configuration)), config, central));
  return Object.fromEntries(
    [...parts].map(([stack, { resources }]) => [stack, resources.map(({ urn }) => keyIn(urn))]),
  );
}

/** Kubeconfigs are secret, and are in the stack files of the cells. */
const placeholders = ({ settings }: Configuration): Record<string, string> =>
  Object.fromEntries(settings.clusters.map(({ name }) => [name, '']));

/** Returns generated ids of what the environment's stack creates. */
function centralOf({ plan, settings }: Configuration): Central {
  const id = (type: string, name: string) =>
    `/subscriptions/${ids.subscription}/resourceGroups/${settings.resourceGroup.name}/providers/${type}/${name}`;
  return {
    vaults: new Map(plan.vaults.map(({ name }) => [name, id('Microsoft.KeyVault/vaults', name)])),
    groups: new Map(plan.groups.map(({ name }) => [name, guidOf(`group-${name}`)])),
    logWorkspace:
      settings.logs && id('Microsoft.OperationalInsights/workspaces', settings.logs.workspace.name),
  };
}
