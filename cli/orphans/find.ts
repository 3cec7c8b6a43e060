import { apiVersions } from '../../components/azure/resourceManager';
import { groupDescription, stackTagFilter, stackTagValue } from '../../stacks/plan/tags';
import { groupPrefix } from '../../stacks/plan/groups';
import { identityType, isInScope, vaultType } from '../../components/azure/resourceId';
import { stackTag } from '../../stacks/settings/schema/fields';
import type { AzureReader } from '../azureReader';
import { filtered, type GraphReader } from '../graphReader';
import { UserError } from '../userError';
import { isImportable } from '../import/types';

/** A resource in Azure or Entra with the stack's tag that is not in the stack. */
export interface Orphan {
  /** Resource id; in Entra `/applications/<object id>` or `/groups/<object id>`. */
  id: string;
  /** Type in Azure or in Microsoft Graph. */
  type: string;
  /** Display name of an application or a group in Entra. */
  displayName?: string | undefined;
  /** The command that deletes it. */
  delete: string;
  /** The command that adopts it, once it is in the stack file again. */
  takeBack: string;
}

/** Where to search for orphans. */
export interface Search {
  /** Name of the stack. */
  stack: string;
  subscriptions: readonly string[];
  /** Ids of all resources in the stack. */
  inStack: ReadonlySet<string>;
  /** Name of the environment's resource group; undefined if unknown. */
  group: string | undefined;
  /** Ids of vaults that the stack may have written secrets into. */
  vaults: readonly string[];
  /** The stack or its file has applications in Entra. If the account may not read them, the search fails. */
  hasApplications: boolean;
  /** The same of groups. */
  hasGroups: boolean;
}

const groupType = 'Microsoft.Resources/resourceGroups';
const secretType = `${vaultType}/secrets`;
const applicationType = 'Microsoft.Graph/applications';
const entraGroupType = 'Microsoft.Graph/groups';

/**
 * Finds the resources with the tag of a stack that are not in the stack.
 * @param note receives messages about places that were not searched
 */
export async function findOrphans(
  azure: AzureReader,
  graph: GraphReader,
  { stack, subscriptions, inStack, group, vaults: named, hasApplications, hasGroups }: Search,
  note: (text: string) => void,
): Promise<Orphan[]> {
  const known = new Set([...inStack].map((id) => id.toLowerCase()));
  const tagged = (
    await Promise.all(subscriptions.map((subscription) => taggedIn(azure, stack, subscription)))
  ).flat();
  const taggedVaults = tagged.filter(({ type }) => type.toLowerCase() === vaultType.toLowerCase());
  const vaults = new Set([...taggedVaults.map(({ id }) => id), ...named].map((id) => id.toLowerCase()));
  const secrets = (
    await Promise.all([...vaults].map((vault) => taggedSecretsIn(azure, stack, vault)))
  ).flat();
  const skipUnlessNeeded = (isNeeded: boolean, kind: string) => (error: unknown) => {
    if (isNeeded || !(error instanceof UserError)) throw error;
    note(
      `${kind} in Entra were not searched: ${error.message} The stack has none now, but earlier ones may remain.`,
    );
    return [];
  };
  const [applications, groups] = await Promise.all([
    taggedApplications(graph, stack).catch(skipUnlessNeeded(hasApplications, 'Applications')),
    ownGroups(graph, stack).catch(skipUnlessNeeded(hasGroups, 'Groups')),
  ]);
  return [...tagged, ...secrets, ...applications, ...groups]
    .filter(({ id }) => !known.has(id.toLowerCase()))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, type, displayName }) => ({
      id,
      type,
      displayName,
      delete: deleteCommand(id, type),
      // Azure Service Operator adopts resources that it provisioned. They are never in the environment's own group.
      takeBack:
        isImportable(id) && !isProvisioned(id, type, group)
          ? `npx aks-wi import --stack ${stack}`
          : `pulumi up --stack ${stack}`,
    }));
}

type Tagged = Pick<Orphan, 'id' | 'type' | 'displayName'>;

/** Lists tagged groups and resources, except those that Azure creates for a cluster with the cluster's tags. */
async function taggedIn(azure: AzureReader, stack: string, subscription: string): Promise<Tagged[]> {
  const scope = `/subscriptions/${subscription}`;
  const [groups, resources] = await Promise.all([
    azure.list(`${scope}/resourcegroups`, apiVersions.resources, stackTagFilter(stack)),
    azure.list(`${scope}/resources`, apiVersions.resources, stackTagFilter(stack)),
  ]);
  const managed = groups.filter(({ managedBy }) => typeof managedBy === 'string');
  return [...groups.map(({ id }) => ({ id, type: groupType })), ...resources].filter(
    ({ id }) => !managed.some((group) => isInScope(id, group.id)),
  );
}

/** Lists tagged applications in Entra. Their service principals are deleted with them. */
async function taggedApplications(graph: GraphReader, stack: string): Promise<Tagged[]> {
  const tag = stackTagValue(stack);
  const applications = await filtered(graph, 'applications', `tags/any(tag:tag eq '${tag}')`);
  // Graph ignores case.
  return applications
    .filter(({ tags }) => tags.includes(tag))
    .map(({ id, displayName }) => ({ id: `/applications/${id}`, type: applicationType, displayName }));
}

/** Lists the stack's groups in Entra by name and description, since groups have no tags. */
async function ownGroups(graph: GraphReader, stack: string): Promise<Tagged[]> {
  const groups = await filtered(graph, 'groups', `startswith(displayName,'${groupPrefix(stack)}')`);
  return groups
    .filter(({ description }) => description === groupDescription(stack))
    .map(({ id, displayName }) => ({ id: `/groups/${id}`, type: entraGroupType, displayName }));
}

/** Lists tagged secrets in a vault. The resources of a subscription do not include secrets. */
async function taggedSecretsIn(azure: AzureReader, stack: string, vault: string): Promise<Tagged[]> {
  const secrets = await azure.list(`${vault}/secrets`, apiVersions.vaults);
  return secrets
    .filter(({ tags }) => tags?.[stackTag] === stackTagValue(stack))
    .map(({ id }) => ({ id, type: secretType }));
}

/** Tells whether the operator created the resource: it provisions identities and vaults for applications too. */
function isProvisioned(id: string, type: string, group: string | undefined): boolean {
  if (group === undefined || ![identityType, vaultType].includes(type)) return false;
  return id.split('/')[4]?.toLowerCase() !== group.toLowerCase();
}

function deleteCommand(id: string, type: string): string {
  if (type === applicationType) return `az ad app delete --id ${id.split('/').at(-1) ?? ''}`;
  if (type === entraGroupType) return `az ad group delete --group ${id.split('/').at(-1) ?? ''}`;
  const [, , subscription = '', , group = ''] = id.split('/');
  if (type === groupType) return `az group delete --subscription ${subscription} --name ${group}`;
  if (type === secretType) {
    const [vault = '', , name = ''] = id.split('/').slice(-3);
    return `az keyvault secret delete --vault-name ${vault} --name ${name}`;
  }
  return `az resource delete --ids ${id}`;
}
