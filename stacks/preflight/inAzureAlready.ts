import { setTimeout } from 'node:timers/promises';
import { getIdentityBinding, getManagedCluster } from '@pulumi/azure-native/containerservice';
import { getSecret, getVault } from '@pulumi/azure-native/keyvault';
import {
  getFederatedIdentityCredential,
  getUserAssignedIdentity,
} from '@pulumi/azure-native/managedidentity';
import { getWorkspace } from '@pulumi/azure-native/operationalinsights';
import { getResourceGroup } from '@pulumi/azure-native/resources';
import { getApplication, getGroup, getServicePrincipal } from '@pulumi/azuread';
import * as pulumi from '@pulumi/pulumi';
import { identityBindingType } from '../../components/identity/bindingNames';
import { UserError } from '../../components/resource/errors';
import { fieldsOf, textOf } from '../../components/resource/fields';
import type { Configuration } from '../plan';
import { groupDescription, stackTagValue } from '../plan/tags';
import { isSame } from './same';

/** Result of a reader. */
interface Existing {
  readonly id?: string;
  readonly tags?: unknown;
  readonly description?: string;
  readonly properties?: unknown;
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
  [identityBindingType]: getIdentityBinding,
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

/** Types of which the provider itself refuses a name that exists, in previews too, without a word of what to do. */
const isRefusedByProvider = (type: string): boolean => type === applicationType || type === groupType;

/** Time without a further resource after which a preview is taken to have come to all. */
const quietMs = 500;

/** An existing resource, and what to do about it. */
interface Found {
  readonly what: string;
  /** Hint for all resources of the kind, if it is the same for them. */
  readonly hint?: string;
}

/**
 * Refuses to create resources that exist in Azure, and says how to import them. An example is an identity that left the stack
 * file, stayed in Azure and is put back. This is a hook of the engine, because only the engine knows that a resource is not in
 * the stack. An update without a preview stops at the first such resource.
 *
 * Returns a function that waits for all resources of a preview, and throws a UserError that names all that exist. What is in
 * one of these, such as a secret in a vault, is not named: its parent's name is not known yet, and both are imported together.
 */
export function refuseWhatIsInAzure(configuration: Configuration): () => Promise<void> {
  const registered: pulumi.Resource[] = [];
  const found: Found[] = [];
  let asking = 0;
  let isAtOnce = !pulumi.runtime.isDryRun();
  /** Waits until the preview comes to no further resource, and all that it came to are read. */
  const untilQuiet = async () => {
    for (let before = -1; asking > 0 || registered.length > before;) {
      before = registered.length;
      await setTimeout(quietMs);
    }
  };
  pulumi.runtime.registerStackTransformation(({ resource, type, name, props, opts }) => {
    registered.push(resource);
    const read = readersByType[type];
    if (read === undefined) return undefined;
    const hook = new pulumi.ResourceHook(
      `in Azure already? ${type} ${name}`,
      async ({ newInputs = {} }) => {
        asking += 1;
        const reading = inAzure(read, newInputs, { parent: resource });
        const { id, ...existing } = await reading.finally(() => (asking -= 1));
        if (id === undefined) return;
        const existingResource = foundAs(
          { ...existing, id },
          { configuration, type, name, inputs: newInputs },
        );
        if (isAtOnce) throw new UserError(messageOf([existingResource]));
        found.push(existingResource);
        if (!isRefusedByProvider(type)) return;
        await untilQuiet();
        throw new UserError(messageOf(found));
      },
      { onDryRun: true },
    );
    return { props, opts: pulumi.mergeOptions(opts, { hooks: { beforeCreate: [hook] } }) };
  });
  return async () => {
    if (isAtOnce) return;
    // An array's iterator reaches what is registered in the meantime.
    for (const { urn } of registered) await new Promise((resolve) => urn.apply(resolve));
    isAtOnce = true;
    if (found.length > 0) throw new UserError(messageOf(found));
  };
}

function messageOf(found: readonly Found[]): string {
  const all = [found.map(({ what }) => what).sort(), found.flatMap(({ hint }) => hint ?? [])];
  return [...new Set(all.flat())].join('\n');
}

function foundAs(
  { id, tags, description, properties }: Existing & { readonly id: string },
  {
    configuration: { environment, cell },
    type,
    name,
    inputs,
  }: { configuration: Configuration; type: string; name: string; inputs: Record<string, unknown> },
): Found {
  // Entra allows several applications with the same name.
  const isOther =
    type === groupType
      ? description !== groupDescription(environment)
      : type === applicationType && !(Array.isArray(tags) && tags.includes(stackTagValue(environment)));
  if (isOther)
    return {
      what: `${id} in Entra has the display name of ${name}, ${JSON.stringify(inputs['displayName'])}, and does not belong to this stack. Rename it, or ${type === groupType ? 'the group, or name it as `existing`' : `what ${name} is named after in the stack file`}.`,
    };
  if (type === identityBindingType) {
    const [bound, wanted] = [properties, inputs['properties']].map((of) =>
      textOf(fieldsOf(fieldsOf(of).managedIdentity).resourceId),
    );
    // The identity is unknown in a preview that creates it.
    if (wanted !== '' && !isSame(bound, wanted ?? ''))
      return {
        what: `${id} exists in Azure, and binds another identity, ${bound ?? ''}, than the one of ${name}. Delete it in Azure if nothing uses it: az resource delete --ids ${id}`,
      };
  }
  return {
    what: `${id} exists in ${type.startsWith('azuread:') ? 'Entra' : 'Azure'}, and the stack would create it.`,
    hint: `If it is not in the stack, import it with \`npx aks-wi import --stack ${cell?.stack ?? environment}\`${mayBeUsed.test(type) ? ', name it as `existing` in the stack file to use it without owning it,' : ''} or choose another name. If this update replaces it, delete it in Azure first, and run \`pulumi up --refresh\`.`,
  };
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
