import { ResourceGroup } from '@pulumi/azure-native/resources';
import * as pulumi from '@pulumi/pulumi';
import { assignRole } from '../components/azure/assignRole';
import { roleGuid, type BuiltInRole } from '../components/azure/roles';
import { PipelineAccess, PipelineIdentity } from '../components/identity/pipelineIdentity';
import { readSettings } from './settings';

/**
 * Default of the roles that an identity may assign. Every environment assigns grants of secrets, and the service operator's right
 * to read its own identity.
 */
const assigned: Readonly<Record<PipelineAccess, readonly BuiltInRole[]>> = {
  [PipelineAccess.Deploy]: ['keyVaultSecretsUser', 'reader'],
  [PipelineAccess.Preview]: [],
  [PipelineAccess.Grant]: ['keyVaultSecretsUser'],
};

/** Outputs of the stack. */
interface BootstrapOutputs {
  /** Client and tenant ids by name of the identity, for the pipelines' sign-in. */
  readonly clients: Readonly<
    Record<string, { clientId: pulumi.Output<string>; tenantId: pulumi.Output<string> }>
  >;
  /** Resource group ids by name, for `resourceGroup: { existing: <id> }` in the environments' stack files. */
  readonly resourceGroups: Readonly<Record<string, pulumi.Output<string>>>;
}

/**
 * Deploys the identities of the pipelines, which the stack file of the current stack describes, and the resource groups of the
 * environments; returns the outputs of the stack. It is the first step: a person who may assign roles deploys it, and the
 * pipelines deploy everything else.
 *
 * @throws UserError with all problems of the stack file
 */
export function deployPipelineIdentities(): BootstrapOutputs {
  const { location, resourceGroup, tags, identities } = readSettings(
    pulumi.getStack(),
    pulumi.runtime.allConfig(),
  );

  const names = [...new Set([resourceGroup, ...identities.flatMap(({ resourceGroups }) => resourceGroups)])];
  const groups = new Map(
    names.map((resourceGroupName) => [
      resourceGroupName,
      new ResourceGroup(
        resourceGroupName,
        { resourceGroupName, location, tags },
        // Its resources belong to other stacks.
        { retainOnDelete: true },
      ),
    ]),
  );
  const idOf = (name: string) => pulumi.output(groups.get(name)?.id ?? '');

  const clientEntries = identities.map((settings) => {
    const { name, access, trusts, assignableToGroups } = settings;
    const roles = settings.assignableRoles ?? assigned[access].map(roleGuid);
    const identity = new PipelineIdentity(name, {
      create: {
        resourceGroupName: groups.get(resourceGroup)?.name ?? resourceGroup,
        identityName: name,
        location,
        tags,
      },
      ...{ access, trusts, assignableToGroups, assignableRoles: roles },
      resourceGroups: settings.resourceGroups.map((group) => ({ name: group, id: idOf(group) })),
    });
    for (const { role, scope } of settings.roles)
      assignRole(`${name}${scope}/${role}`, { scope, role, principalId: identity.principalId }, {});
    return [name, { clientId: identity.clientId, tenantId: identity.tenantId }] as const;
  });

  return {
    clients: Object.fromEntries(clientEntries),
    resourceGroups: Object.fromEntries(names.map((name) => [name, idOf(name)])),
  };
}
