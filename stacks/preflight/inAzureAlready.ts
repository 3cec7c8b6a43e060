import { getManagedCluster } from '@pulumi/azure-native/containerservice';
import { getSecret, getVault } from '@pulumi/azure-native/keyvault';
import {
  getFederatedIdentityCredential,
  getUserAssignedIdentity,
} from '@pulumi/azure-native/managedidentity';
import { getWorkspace } from '@pulumi/azure-native/operationalinsights';
import { getResourceGroup } from '@pulumi/azure-native/resources';
import * as pulumi from '@pulumi/pulumi';
import { VisibleError } from '../../components/resource/errors';

/** Reads a resource; it takes from the resource's inputs those that name it. */
type Reader = (inputs: never, opts: pulumi.InvokeOptions) => Promise<{ id?: string }>;

/** What stays in Azure when it leaves the stack, and what others make beside the stack, by its type. */
const readers: Readonly<Record<string, Reader>> = {
  'azure-native:resources:ResourceGroup': getResourceGroup,
  'azure-native:operationalinsights:Workspace': getWorkspace,
  'azure-native:containerservice:ManagedCluster': getManagedCluster,
  'azure-native:managedidentity:UserAssignedIdentity': getUserAssignedIdentity,
  'azure-native:managedidentity:FederatedIdentityCredential': getFederatedIdentityCredential,
  'azure-native:keyvault:Vault': getVault,
  'azure-native:keyvault:Secret': getSecret,
};

/** What the stack file can name as existing. */
const mayBeUsed = /:(ResourceGroup|Workspace|ManagedCluster|UserAssignedIdentity|Vault)$/;

/**
 * Refuses to make what is in Azure already, in the preview as well, and says how to take it in. Only the engine knows that
 * something would be made, so this is a hook of its: such as an identity that was taken out of the stack file, stayed in
 * Azure, and is put back.
 */
export function refuseWhatIsInAzure(stack: string): void {
  pulumi.runtime.registerStackTransformation(({ resource, type, name, props, opts }) => {
    const read = readers[type];
    if (read === undefined) return undefined;
    const hook = new pulumi.ResourceHook(
      `in Azure already? ${type} ${name}`,
      async ({ newInputs = {} }) => {
        const id = await idOf(read, newInputs, { parent: resource });
        if (id === undefined) return;
        throw new VisibleError(
          `${id} exists in Azure and is not in the stack. Take it in with \`npx aks-wi import --stack ${stack}\`${mayBeUsed.test(type) ? ', name it as `existing` in the stack file if it is only to be used,' : ''} or choose another name.`,
        );
      },
      { onDryRun: true },
    );
    return { props, opts: pulumi.mergeOptions(opts, { hooks: { beforeCreate: [hook] } }) };
  });
}

/** Its id in Azure. Undefined if it is not there, cannot be read, or is named by what is not made yet. */
async function idOf(read: Reader, inputs: object, opts: pulumi.InvokeOptions): Promise<string | undefined> {
  try {
    return (await read(inputs as never, opts)).id;
  } catch {
    return undefined;
  }
}
