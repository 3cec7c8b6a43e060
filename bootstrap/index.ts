import { ResourceGroup } from '@pulumi/azure-native/resources';
import * as pulumi from '@pulumi/pulumi';
import { assignRole } from '../components/azure/assignRole';
import { roleGuid, type BuiltInRole } from '../components/azure/roles';
import { PipelineAccess, PipelineIdentity } from '../components/identity/pipelineIdentity';
import { readSettings } from './settings';

// The first step from nothing: deployed by a person who may assign roles. Everything after it is deployed by the pipelines.

/** What the program assigns by itself: grants of secrets, and the right of the service operator to read its own identity. */
const assigned: readonly BuiltInRole[] = ['keyVaultSecretsUser', 'reader'];

const { location, resourceGroup, tags, identities } = readSettings(
  pulumi.getStack(),
  pulumi.runtime.allConfig(),
);

const names = [...new Set([resourceGroup, ...identities.flatMap((one) => one.resourceGroups)])];
const groups = new Map(
  names.map((resourceGroupName) => [
    resourceGroupName,
    new ResourceGroup(
      resourceGroupName,
      { resourceGroupName, location, tags },
      // What is in it is of other stacks.
      { retainOnDelete: true },
    ),
  ]),
);
const idOf = (name: string) => pulumi.output(groups.get(name)?.id ?? '');

const made = identities.map((one) => {
  const { name, access, trusts, assignableToGroups } = one;
  const roles = one.assignableRoles ?? (access === PipelineAccess.Deploy ? assigned.map(roleGuid) : []);
  const identity = new PipelineIdentity(name, {
    create: {
      resourceGroupName: groups.get(resourceGroup)?.name ?? resourceGroup,
      identityName: name,
      location,
      tags,
    },
    ...{ access, trusts, assignableToGroups, assignableRoles: roles },
    resourceGroups: one.resourceGroups.map((group) => ({ name: group, id: idOf(group) })),
  });
  for (const { role, scope } of one.roles)
    assignRole(`${name}${scope}/${role}`, { scope, role, principalId: identity.principalId }, {});
  return [name, { clientId: identity.clientId, tenantId: identity.tenantId }] as const;
});

/** By name: what a pipeline signs in as. */
export const clients = Object.fromEntries(made);
/** By name: for `resourceGroup: { existing: <id> }` in the stack files of the environments. */
export const resourceGroups = Object.fromEntries(names.map((name) => [name, idOf(name)]));
