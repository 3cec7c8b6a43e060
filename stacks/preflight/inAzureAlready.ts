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

type Inputs = Readonly<Record<string, string>>;

/** How a resource of a type is read: by the inputs that name it. */
interface Reader {
  readonly names: readonly string[];
  readonly read: (inputs: Inputs, opts: pulumi.InvokeOptions) => Promise<{ id?: string }>;
}

function reader<Name extends string>(
  names: readonly Name[],
  read: (inputs: Record<Name, string>, opts: pulumi.InvokeOptions) => Promise<{ id?: string }>,
): Reader {
  return { names, read: (inputs, opts) => read(inputs as Record<Name, string>, opts) };
}

/** What stays in Azure when it leaves the stack, and what others make beside the stack. */
const readers: Readonly<Record<string, Reader>> = {
  'azure-native:resources:ResourceGroup': reader(['resourceGroupName'], getResourceGroup),
  'azure-native:operationalinsights:Workspace': reader(['resourceGroupName', 'workspaceName'], getWorkspace),
  'azure-native:containerservice:ManagedCluster': reader(
    ['resourceGroupName', 'resourceName'],
    getManagedCluster,
  ),
  'azure-native:managedidentity:UserAssignedIdentity': reader(
    ['resourceGroupName', 'resourceName'],
    getUserAssignedIdentity,
  ),
  'azure-native:managedidentity:FederatedIdentityCredential': reader(
    ['resourceGroupName', 'resourceName', 'federatedIdentityCredentialResourceName'],
    getFederatedIdentityCredential,
  ),
  'azure-native:keyvault:Vault': reader(['resourceGroupName', 'vaultName'], getVault),
  'azure-native:keyvault:Secret': reader(['resourceGroupName', 'vaultName', 'secretName'], getSecret),
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
    const known = readers[type];
    if (known === undefined) return undefined;
    const hook = new pulumi.ResourceHook(
      `in Azure already? ${type} ${name}`,
      async ({ newInputs = {} }) => {
        const id = await idOf(known, newInputs, { parent: resource });
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
async function idOf(
  { names, read }: Reader,
  inputs: Readonly<Record<string, unknown>>,
  opts: pulumi.InvokeOptions,
): Promise<string | undefined> {
  const named = names.map((name) => [name, inputs[name]] as const);
  if (!named.every(([, value]) => typeof value === 'string' && value !== '')) return undefined;
  try {
    return (await read(Object.fromEntries(named) as Record<string, string>, opts)).id;
  } catch {
    return undefined;
  }
}
