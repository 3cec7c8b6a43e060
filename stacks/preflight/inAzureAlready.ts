import { getManagedCluster } from '@pulumi/azure-native/containerservice';
import { getSecret, getVault } from '@pulumi/azure-native/keyvault';
import {
  getFederatedIdentityCredential,
  getUserAssignedIdentity,
} from '@pulumi/azure-native/managedidentity';
import { getWorkspace } from '@pulumi/azure-native/operationalinsights';
import { getResourceGroup } from '@pulumi/azure-native/resources';
import { getApplication, getGroup, getServicePrincipal } from '@pulumi/azuread';
import * as pulumi from '@pulumi/pulumi';
import { VisibleError } from '../../components/resource/errors';
import { groupDescription, stackTagValue } from '../plan/tags';

/** What a reader finds. */
interface Existing {
  readonly id?: string;
  readonly tags?: unknown;
  readonly description?: string;
}

/** Reads a resource; it takes from the resource's inputs those that name it. */
type Reader = (inputs: never, opts: pulumi.InvokeOptions) => Promise<Existing>;

const applicationType = 'azuread:index/application:Application';
const groupType = 'azuread:index/group:Group';

/** Readers of the resources that stay in Azure when they leave the stack, or that others make as well, by type. */
const readersByType: Readonly<Record<string, Reader>> = {
  'azure-native:resources:ResourceGroup': getResourceGroup,
  'azure-native:operationalinsights:Workspace': getWorkspace,
  'azure-native:containerservice:ManagedCluster': getManagedCluster,
  'azure-native:managedidentity:UserAssignedIdentity': getUserAssignedIdentity,
  'azure-native:managedidentity:FederatedIdentityCredential': getFederatedIdentityCredential,
  'azure-native:keyvault:Vault': getVault,
  'azure-native:keyvault:Secret': getSecret,
  [applicationType]: getApplication,
  [groupType]: ({ displayName }: { displayName: string }) => getGroup({ displayName }),
  'azuread:index/groupMember:GroupMember': membership,
  'azuread:index/servicePrincipal:ServicePrincipal': getServicePrincipal,
};

/** Types that the stack file can name as existing. */
const mayBeUsed = /:(ResourceGroup|Workspace|ManagedCluster|UserAssignedIdentity|Vault)$/;

/**
 * Refuses to make a resource that exists in Azure, in the preview as well, and says how to import it: such as an identity
 * that was taken out of the stack file, stayed in Azure, and is put back. It is a hook of the engine, which alone knows that
 * the resource is not in the stack.
 */
export function refuseWhatIsInAzure(stack: string): void {
  pulumi.runtime.registerStackTransformation(({ resource, type, name, props, opts }) => {
    const read = readersByType[type];
    if (read === undefined) return undefined;
    const hook = new pulumi.ResourceHook(
      `in Azure already? ${type} ${name}`,
      async ({ newInputs = {} }) => {
        const { id, tags, description } = await inAzure(read, newInputs, { parent: resource });
        if (id === undefined) return;
        // Entra allows several applications of one name.
        const isOther =
          type === groupType
            ? description !== groupDescription(stack)
            : type === applicationType && !(Array.isArray(tags) && tags.includes(stackTagValue(stack)));
        if (isOther)
          throw new VisibleError(
            `${id} in Entra has the display name of ${name}, ${JSON.stringify(newInputs['displayName'])}, and is not of this stack. Rename it, or ${type === groupType ? 'the group, or name it as `existing`' : `what ${name} is named after in the stack file`}.`,
          );
        throw new VisibleError(
          `${id} exists in ${type.startsWith('azuread:') ? 'Entra' : 'Azure'}, and the stack would make it. If it is not in the stack, import it with \`npx aks-wi import --stack ${stack}\`${mayBeUsed.test(type) ? ', name it as `existing` in the stack file if it is only to be used,' : ''} or choose another name. If this update replaces it, delete it in Azure first, and run \`pulumi up --refresh\`.`,
        );
      },
      { onDryRun: true },
    );
    return { props, opts: pulumi.mergeOptions(opts, { hooks: { beforeCreate: [hook] } }) };
  });
}

/** A membership that somebody else made: the provider refuses to make it. */
async function membership(inputs: { groupObjectId: string; memberObjectId: string }): Promise<Existing> {
  const { groupObjectId: group, memberObjectId: member } = inputs;
  const { members } = await getGroup({ objectId: group });
  return members.includes(member) ? { id: `${group}/member/${member}` } : {};
}

/** Without an id if there is no such resource, it cannot be read, or its name is not known yet. */
async function inAzure(read: Reader, inputs: object, opts: pulumi.InvokeOptions): Promise<Existing> {
  try {
    return await read(inputs as never, opts);
  } catch {
    return {};
  }
}

/**
 * For `aks-wi import`: its previews show what would be created though it exists, and the provider of Entra would refuse
 * applications and groups by itself.
 */
export function allowWhatIsInEntra(): void {
  pulumi.runtime.registerStackTransformation(({ type, props, opts }) =>
    type === applicationType || type === groupType
      ? { props: { ...props, preventDuplicateNames: false }, opts }
      : undefined,
  );
}
