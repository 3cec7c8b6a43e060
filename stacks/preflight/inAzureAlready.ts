import { setTimeout } from 'node:timers/promises';
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
import { UserError } from '../../components/resource/errors';
import { groupDescription, stackTagValue } from '../plan/tags';

/** What a reader returns. */
interface Existing {
  readonly id?: string;
  readonly tags?: unknown;
  readonly description?: string;
}

/** Reads a resource. The inputs of the resource include those that identify it. */
type Reader = (inputs: never, opts: pulumi.InvokeOptions) => Promise<Existing>;

const applicationType = 'azuread:index/application:Application';
const groupType = 'azuread:index/group:Group';

/** Readers, by type, of resources that stay in Azure when they leave the stack, or that others create as well. */
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

/** Types of which the stack file can name an existing resource. */
const mayBeUsed = /:(ResourceGroup|Workspace|ManagedCluster|UserAssignedIdentity|Vault)$/;

/** An existing resource, and what to do about it. */
interface Found {
  readonly what: string;
  /** Hint for all resources of the kind, if it is the same for them. */
  readonly hint?: string;
}

/**
 * Refuses to create resources that exist in Azure, also in a preview, and says how to import them. An example is an identity
 * that left the stack file, stayed in Azure and is put back. This is a hook of the engine, because only the engine knows that a
 * resource is not in the stack.
 */
export function refuseWhatIsInAzure(stack: string): void {
  const together = new Together();
  pulumi.runtime.registerStackTransformation(({ resource, type, name, props, opts }) => {
    const read = readersByType[type];
    if (read === undefined) return undefined;
    const hook = new pulumi.ResourceHook(
      `in Azure already? ${type} ${name}`,
      async ({ newInputs = {} }) =>
        together.refuse(async () => {
          const existing = await inAzure(read, newInputs, { parent: resource });
          return existing.id === undefined
            ? undefined
            : foundAs({ ...existing, id: existing.id }, { stack, type, name, inputs: newInputs });
        }),
      { onDryRun: true },
    );
    return { props, opts: pulumi.mergeOptions(opts, { hooks: { beforeCreate: [hook] } }) };
  });
}

function foundAs(
  { id, tags, description }: Existing & { readonly id: string },
  {
    stack,
    type,
    name,
    inputs,
  }: { stack: string; type: string; name: string; inputs: Record<string, unknown> },
): Found {
  // Entra allows several applications with the same name.
  const isOther =
    type === groupType
      ? description !== groupDescription(stack)
      : type === applicationType && !(Array.isArray(tags) && tags.includes(stackTagValue(stack)));
  if (isOther)
    return {
      what: `${id} in Entra has the display name of ${name}, ${JSON.stringify(inputs['displayName'])}, and is not of this stack. Rename it, or ${type === groupType ? 'the group, or name it as `existing`' : `what ${name} is named after in the stack file`}.`,
    };
  return {
    what: `${id} exists in ${type.startsWith('azuread:') ? 'Entra' : 'Azure'}, and the stack would make it.`,
    hint: `If it is not in the stack, import it with \`npx aks-wi import --stack ${stack}\`${mayBeUsed.test(type) ? ', name it as `existing` in the stack file if it is only to be used,' : ''} or choose another name. If this update replaces it, delete it in Azure first, and run \`pulumi up --refresh\`.`,
  };
}

/**
 * Time without a further question after which the existing resources are reported. A preview takes less time to reach the next
 * resource.
 */
const quietMs = 500;

/** Reports all existing resources in one error, because the engine stops at the first. */
class Together {
  private readonly found: Found[] = [];
  private told: Promise<string> | undefined;
  private asked = 0;
  private asking = 0;

  /** @throws UserError if the resource exists */
  async refuse(find: () => Promise<Found | undefined>): Promise<void> {
    this.asked += 1;
    this.asking += 1;
    const found = await find().finally(() => (this.asking -= 1));
    if (found === undefined) return;
    this.found.push(found);
    const isFirst = this.told === undefined;
    this.told ??= this.tellAll();
    const all = await this.told;
    if (isFirst) throw new UserError(all);
    // By then, the engine has stopped.
    await setTimeout(quietMs);
    throw new UserError(found.what);
  }

  private async tellAll(): Promise<string> {
    let before;
    do {
      before = this.asked;
      await setTimeout(quietMs);
    } while (this.asking > 0 || this.asked > before);
    const all = [this.found.map(({ what }) => what).sort(), this.found.flatMap(({ hint }) => hint ?? [])];
    return [...new Set(all.flat())].join('\n');
  }
}

/** Finds a membership that somebody else created, which the provider refuses to create. */
async function membership(inputs: { groupObjectId: string; memberObjectId: string }): Promise<Existing> {
  const { groupObjectId: group, memberObjectId: member } = inputs;
  const { members } = await getGroup({ objectId: group });
  return members.includes(member) ? { id: `${group}/member/${member}` } : {};
}

/** Returns no id if the resource does not exist, cannot be read, or has a name that is not known yet. */
async function inAzure(read: Reader, inputs: object, opts: pulumi.InvokeOptions): Promise<Existing> {
  try {
    return await read(inputs as never, opts);
  } catch {
    return {};
  }
}

/**
 * Turns off the check of the Entra provider for duplicate names of applications and groups. The previews of `aks-wi import`
 * show what would be created although it exists.
 */
export function allowWhatIsInEntra(): void {
  pulumi.runtime.registerStackTransformation(({ type, props, opts }) =>
    type === applicationType || type === groupType
      ? { props: { ...props, preventDuplicateNames: false }, opts }
      : undefined,
  );
}
