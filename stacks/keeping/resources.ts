import { ManagedCluster } from '@pulumi/azure-native/containerservice';
import { Secret, Vault } from '@pulumi/azure-native/keyvault';
import { UserAssignedIdentity } from '@pulumi/azure-native/managedidentity';
import { Workspace } from '@pulumi/azure-native/operationalinsights';
import { ResourceGroup } from '@pulumi/azure-native/resources';
import * as pulumi from '@pulumi/pulumi';
import { retention } from '../../components/resource/retention';
import type { Subscriptions } from '../environment/subscriptions';
import type { KeptOutput } from '../outputs/outputs';
import { apartName, componentOf } from './ids';
import { clusterToken, keptKinds } from './kinds';
import type { OwnState } from './ownState';
import type { KeptThing } from './plan';

/** Where things are kept. */
export interface KeptPlace {
  readonly state: OwnState;
  readonly subscriptions: Subscriptions;
  readonly protect: boolean;
  /** Name of the group that the configuration makes, as the resource's own output. */
  readonly madeGroup?: { readonly name: string; readonly output: pulumi.Output<string> };
  /** What the configuration makes, by name. */
  readonly clusters: ReadonlyMap<string, pulumi.Resource>;
  readonly vaults: ReadonlyMap<string, pulumi.Resource>;
}

/** Outputs of a component that are told again, for the update after this; none of them is a secret. */
const passedOn = [
  'id',
  'uri',
  'vaultName',
  'identityName',
  'clientId',
  'principalId',
  'tenantId',
  'parent',
] as const;

interface KeptComponentOptions extends pulumi.ComponentResourceOptions {
  readonly state: OwnState;
  /** Name of the component that had it before. */
  readonly before: string;
  /** Id of what is in it, if that is known and not a part of it. */
  readonly resourceId?: string;
}

/** The place of a component that the configuration no longer has. */
class KeptComponent extends pulumi.ComponentResource {
  constructor(token: string, name: string, { before, state, resourceId, ...opts }: KeptComponentOptions) {
    super(token, name, {}, opts);
    const outputs = state.find(token, before)?.outputs ?? {};
    this.registerOutputs({
      ...(opts.parent !== undefined && { parent: opts.parent.urn }),
      ...Object.fromEntries(passedOn.flatMap((key) => (key in outputs ? [[key, outputs[key]]] : []))),
      ...(resourceId !== undefined && { id: resourceId }),
      deletion: 'kept',
    });
  }
}

/**
 * Registers things again under their old URNs, so that the engine neither deletes nor changes them. Their arguments are
 * those that the constructors ask for: all are ignored in favour of what the state has.
 */
export class KeptResources {
  /** What the stack exports of them. */
  readonly outputs: pulumi.Output<KeptOutput>[] = [];
  private readonly components = new Map<string, pulumi.ComponentResource>();
  private readonly groups = new Map<string, pulumi.Output<string>>();
  private readonly vaults = new Map<string, pulumi.Resource>();

  constructor(
    private readonly place: KeptPlace,
    things: readonly KeptThing[],
  ) {
    const { madeGroup } = place;
    if (madeGroup !== undefined) this.groups.set(madeGroup.name.toLowerCase(), madeGroup.output);
    for (const thing of things) {
      const resource = this.register(thing);
      if (thing.used) continue;
      this.outputs.push(
        pulumi.output({
          type: keptKinds[thing.kind].type,
          name: thing.name,
          id: thing.id ?? resource.id,
          deletion: thing.deletion,
        }),
      );
    }
  }

  private register(thing: KeptThing): pulumi.CustomResource {
    const { kind, name, id } = thing;
    const resourceGroupName = this.groupOf(id);
    const resourceName = id?.split('/').at(-1) ?? name;
    const opts = this.options(thing);
    switch (kind) {
      case 'group': {
        const group = new ResourceGroup(name, { resourceGroupName: name }, opts);
        this.groups.set(name.toLowerCase(), group.name);
        return group;
      }
      case 'workspace':
        return new Workspace(name, { resourceGroupName, workspaceName: resourceName }, opts);
      case 'cluster':
        return new ManagedCluster(name, { resourceGroupName, resourceName }, opts);
      case 'identity':
        return new UserAssignedIdentity(name, { resourceGroupName, resourceName }, opts);
      case 'vault': {
        const properties = { tenantId: '', sku: { family: 'A', name: 'standard' } } as const;
        const vault = new Vault(name, { resourceGroupName, vaultName: resourceName, properties }, opts);
        this.vaults.set(name, vault);
        return vault;
      }
      case 'secret': {
        const secret = { vaultName: thing.component, secretName: resourceName, properties: {} };
        // What goes with its vault takes no right on the vault's data.
        const deletedWith = thing.deletion === 'allowed' ? this.vaults.get(thing.component) : undefined;
        return new Secret(
          name,
          { resourceGroupName, ...secret },
          { ...opts, ...(deletedWith !== undefined && { deletedWith }) },
        );
      }
    }
  }

  private options(thing: KeptThing): pulumi.CustomResourceOptions {
    const { kind, deletion } = thing;
    // As where they are made: a secret and a cluster are not protected.
    const protect = this.place.protect && kind !== 'secret' && kind !== 'cluster';
    const parent = this.parentOf(thing);
    return {
      ...(parent !== undefined && { parent }),
      ...retention(deletion, protect),
      ignoreChanges: ['*'],
      ...aliasesOf(thing),
    };
  }

  private parentOf(thing: KeptThing): pulumi.Resource | undefined {
    const { kind, component, parent, apart } = thing;
    const token = keptKinds[kind].component;
    if (token === undefined) return undefined;
    if (kind === 'secret') return this.place.vaults.get(component) ?? this.component(token, component, thing);
    const around =
      (kind === 'identity' || kind === 'cluster') && parent !== undefined
        ? (this.place.clusters.get(parent) ?? this.component(clusterToken, parent, thing))
        : undefined;
    return this.component(token, apart ? apartName(component) : component, thing, around);
  }

  /**
   * The place of a component that is gone. What was made where now something else is adopted has one beside the component
   * that adopts, in which it would get another provider, and be replaced for that; a URN has no names of components.
   */
  private component(
    token: string,
    name: string,
    thing: KeptThing,
    parent?: pulumi.Resource,
  ): pulumi.Resource {
    const key = `${token}::${name}`;
    const known = this.components.get(key);
    if (known !== undefined) return known;
    const { state } = this.place;
    const made = new KeptComponent(token, name, {
      state,
      before: componentOf(thing.kind, thing.name, state),
      ...(thing.kind !== 'secret' && thing.id !== undefined && { resourceId: thing.id }),
      ...(parent !== undefined && { parent }),
      ...this.providersOf(thing),
    });
    this.components.set(key, made);
    return made;
  }

  /** What is in a group that is adopted was made through the provider of the group's subscription. */
  private providersOf({ id }: KeptThing): pulumi.ComponentResourceOptions {
    const { state, subscriptions } = this.place;
    const [, , subscriptionId = '', , group = ''] = id?.split('/') ?? [];
    const made = state.resources.some(
      ({ type, name }) => type === keptKinds.group.token && name.toLowerCase() === group.toLowerCase(),
    );
    const provider = `subscription-${subscriptionId.toLowerCase()}`;
    if (made || state.find('pulumi:providers:azure-native', provider) === undefined) return {};
    return { providers: [subscriptions.provider(subscriptionId)] };
  }

  /** By the group's own output where it is in the stack: it is not deleted before what is in it. */
  private groupOf(id: string | undefined): pulumi.Input<string> {
    const name = id?.split('/')[4] ?? '';
    return this.groups.get(name.toLowerCase()) ?? name;
  }
}

/** Where an older program had it elsewhere. */
function aliasesOf({ kind, parent, urn }: KeptThing): pulumi.CustomResourceOptions {
  const { token, component } = keptKinds[kind];
  const around = parent === undefined ? [] : [clusterToken];
  const types = [...around, ...(component === undefined ? [] : [component]), token].join('$');
  return urn.split('::')[2] === types ? {} : { aliases: [urn] };
}
