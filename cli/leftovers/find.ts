import { stackTag, stackTagValue } from '../../stacks/offline';
import type { AzureReader } from '../azureReader';
import { importableTypes } from '../import/types';
import { member } from '../member';
import { VisibleError } from '../visibleError';

/** Something in Azure that carries the stack's tag and is not in the stack. */
export interface Leftover {
  /** Resource id. */
  id: string;
  /** Type in Azure. */
  type: string;
  /** The command that deletes it. */
  delete: string;
  /** The command that takes it back, once it is in the stack file again. */
  takeBack: string;
}

interface Tagged {
  id: string;
  type: string;
}

const groupType = 'Microsoft.Resources/resourceGroups';
const vaultType = 'Microsoft.KeyVault/vaults';
const apiVersion = '2021-04-01';

/** Where leftovers are looked for. */
export interface Search {
  /** Name of the stack. */
  stack: string;
  subscriptions: readonly string[];
  /** Ids of everything that the stack has. */
  inStack: ReadonlySet<string>;
  /** Ids of vaults that the stack may have written secrets into. */
  vaults: readonly string[];
}

/** What carries the tag of a stack and is not in it. */
export async function findLeftovers(
  azure: AzureReader,
  { stack, subscriptions, inStack, vaults: named }: Search,
): Promise<Leftover[]> {
  const known = new Set([...inStack].map((id) => id.toLowerCase()));
  const tagged = (await Promise.all(subscriptions.map((one) => taggedIn(azure, stack, one)))).flat();
  const vaults = new Set(
    [...tagged.filter(({ type }) => same(type, vaultType)).map(({ id }) => id), ...named].map((id) =>
      id.toLowerCase(),
    ),
  );
  const secrets = (await Promise.all([...vaults].map((vault) => secretsIn(azure, stack, vault)))).flat();
  return [...tagged, ...secrets]
    .filter(({ id }) => !known.has(id.toLowerCase()))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ id, type }) => ({ id, type, delete: deleteCommand(id, type), takeBack: takeBack(stack, type) }));
}

/** Groups and resources; without those that Azure makes for a cluster, and that have its tags. */
async function taggedIn(azure: AzureReader, stack: string, subscription: string): Promise<Tagged[]> {
  const filter = `tagName eq '${stackTag}' and tagValue eq '${stackTagValue(stack)}'`;
  const scope = `/subscriptions/${subscription}`;
  if ((await azure.get(scope, '2022-12-01')) === undefined) {
    throw new VisibleError(
      `There is no subscription ${subscription}, or who is signed in does not see it.`,
      'Name another with --subscription, or sign in as who deploys the stack.',
    );
  }
  const [groups, resources] = await Promise.all([
    azure.list(`${scope}/resourcegroups`, apiVersion, filter),
    azure.list(`${scope}/resources`, apiVersion, filter),
  ]);
  const managed = groups.filter((group) => member(group, 'managedBy') !== undefined).flatMap(idOf);
  return [
    ...groups.flatMap(idOf).map((id) => ({ id, type: groupType })),
    ...resources.flatMap((one) => {
      const type = member(one, 'type');
      return idOf(one).map((id) => ({ id, type: typeof type === 'string' ? type : '' }));
    }),
  ].filter(
    ({ id }) => !managed.some((group) => `${id}/`.toLowerCase().startsWith(`${group}/`.toLowerCase())),
  );
}

/** Azure lists no secrets among the resources of a subscription. */
async function secretsIn(azure: AzureReader, stack: string, vault: string): Promise<Tagged[]> {
  const secrets = await azure.list(`${vault}/secrets`, '2024-11-01');
  return secrets
    .filter((secret) => member(secret, 'tags', stackTag) === stackTagValue(stack))
    .flatMap(idOf)
    .map((id) => ({ id, type: `${vaultType}/secrets` }));
}

function idOf(item: unknown): string[] {
  const id = member(item, 'id');
  return typeof id === 'string' ? [id] : [];
}

function deleteCommand(id: string, type: string): string {
  const [, , subscription = '', , group = ''] = id.split('/');
  const name = id.split('/').at(-1) ?? '';
  if (same(type, groupType)) return `az group delete --subscription ${subscription} --name ${group}`;
  if (same(type, `${vaultType}/secrets`))
    return `az keyvault secret delete --vault-name ${id.split('/').at(-3) ?? ''} --name ${name}`;
  return `az resource delete --ids ${id}`;
}

/** What the operator provisioned is taken over by it again. */
function takeBack(stack: string, type: string): string {
  const importable = importableTypes.some(({ type: known }) => known !== undefined && same(known, type));
  return importable ? `npx aks-wi import --stack ${stack}` : `pulumi up --stack ${stack}`;
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
