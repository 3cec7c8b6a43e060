import { getUserAssignedIdentityOutput, UserAssignedIdentity } from '@pulumi/azure-native/managedidentity';
import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { existingResource } from '../azure/existingResource';
import { stableOutputs } from '../azure/stableOutputs';
import { oneOf } from '../resource/argumentValues';
import type { NewResource } from '../resource/newResource';
import { retention } from '../resource/newResource';

/** An identity that the component creates. */
export interface NewManagedIdentity extends NewResource {
  /** Resource group to create it in. It should outlive the clusters: a recreated identity loses its grants. */
  readonly resourceGroupName: pulumi.Input<string>;
  /** Its name in Azure. Default: the component's name. */
  readonly identityName?: pulumi.Input<string>;
}

/** Arguments of ManagedIdentity: `create` or `existing`. */
export interface ManagedIdentityArgs {
  /** The identity to create. */
  readonly create?: NewManagedIdentity;
  /** Resource id of an existing identity. It is read, never changed or deleted. */
  readonly existing?: pulumi.Input<string>;
}

/** A user-assigned managed identity, new or existing. */
export class ManagedIdentity extends pulumi.ComponentResource {
  /** Resource id. */
  readonly id: pulumi.Output<string>;
  /** Name in Azure. */
  readonly identityName: pulumi.Output<string>;
  /** Its resource group. */
  readonly resourceGroupName: pulumi.Output<string>;
  /** Application (client) id, for the annotation of a service account. */
  readonly clientId: pulumi.Output<string>;
  /** Object id of its service principal, to which access is granted. */
  readonly principalId: pulumi.Output<string>;
  /** Entra tenant. */
  readonly tenantId: pulumi.Output<string>;

  constructor(name: string, args: ManagedIdentityArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:identity:ManagedIdentity', name, {}, opts);
    const { create, existing } = checkedArguments('ManagedIdentity', name, args);
    const source = oneOf({ create, existing });
    const outputs =
      source.kind === 'create'
        ? createdIdentity(name, source.value, this)
        : readIdentity(name, source.value, this);
    this.id = outputs.id;
    this.identityName = outputs.identityName;
    this.resourceGroupName = outputs.resourceGroupName;
    this.clientId = outputs.clientId;
    this.principalId = outputs.principalId;
    this.tenantId = outputs.tenantId;
    this.registerOutputs(outputs);
  }
}

function createdIdentity(name: string, args: NewManagedIdentity, parent: pulumi.Resource) {
  const { resourceGroupName, identityName, location, tags } = args;
  const identity = new UserAssignedIdentity(
    name,
    {
      resourceGroupName,
      resourceName: identityName ?? name,
      location,
      tags,
    },
    { parent, ...retention(args) },
  );
  return {
    id: identity.id,
    identityName: identity.name,
    resourceGroupName: pulumi.output(resourceGroupName),
    ...stableOutputs(identity.id, idsOf(identity), (place) =>
      idsOf(
        getUserAssignedIdentityOutput(
          { resourceGroupName: place.resourceGroupName, resourceName: place.name },
          { parent },
        ),
      ),
    ),
  };
}

function readIdentity(name: string, id: pulumi.Input<string>, parent: pulumi.Resource) {
  const component = `ManagedIdentity ${name}`;
  const { place, found } = existingResource(id, component, ({ resourceGroupName, name: resourceName }) =>
    getUserAssignedIdentityOutput({ resourceGroupName, resourceName }, { parent }),
  );
  return {
    id: found.id,
    identityName: found.name,
    resourceGroupName: place.resourceGroupName,
    ...idsOf(found),
  };
}

/** Returns the ids of an identity, which no update changes. */
function idsOf({ clientId, principalId, tenantId }: Record<IdName, pulumi.Output<string>>) {
  return { clientId, principalId, tenantId };
}

type IdName = 'clientId' | 'principalId' | 'tenantId';
