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

/** What exists, and what to do about it. */
interface Found {
  readonly what: string;
  /** For all of its kind, where it is the same for them. */
  readonly hint?: string;
}

/**
 * Refuses to make resources that exist in Azure, in the preview as well, and says how to import them: such as an identity
 * that was taken out of the stack file, stayed in Azure, and is put back. It is a hook of the engine, which alone knows that
 * the resource is not in the stack.
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
  // Entra allows several applications of one name.
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

/** For so long, no other resource is asked for before it is said what exists: a preview comes to the next one sooner. */
const quietMs = 500;

/** Says all that exists in one error: the engine stops at the first one. */
class Together {
  private readonly found: Found[] = [];
  private told: Promise<string> | undefined;
  private asked = 0;
  private asking = 0;

  /** @throws UserError if there is something */
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
    // The engine has stopped by then.
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
