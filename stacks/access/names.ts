import { guidPattern } from '../../components/azure/guid';
import { tryParseResourceId } from '../../components/azure/resourceId';
import { isRecord, textOf } from '../../components/resource/fields';
import type { Registered, RegisteredStack } from './registered';
import { nameIn, typeIn } from './registered';

// Azure generates ids of principals and addresses of issuers. They differ between deployments of the same settings, and are unknown
// before the first one. So each is replaced by a name of its owner, by which two sides can be compared.

const guid = new RegExp(guidPattern, 'g');
const isGuid = new RegExp(`^${guidPattern}$`);

/** Marks a name with braces, which ids in Azure never have. */
const named = (name: string): string => `{${name}}`;
export const ownSubscription = named('subscription');

/** A holder of access: an identity, a group, or a principal of unknown kind. */
export interface Principal {
  readonly kind: 'identity' | 'group' | 'principal';
  /** Unique key, the same on both sides of a comparison. */
  readonly key: string;
  /** Name in Azure or in Entra. */
  readonly name: string;
  /** The stack did not create it: others may also give it access. */
  readonly existing: boolean;
}

/** Names for generated ids, and the principals behind ids. */
export class Names {
  private readonly byGuid = new Map<string, string>();
  private readonly principals = new Map<string, Principal>();
  private readonly clients = new Map<string, Principal>();
  private readonly byUrn = new Map<string, Principal>();
  private readonly byId = new Map<string, Principal>();
  /** Managed identities, by resource group and name. */
  private readonly byPlace = new Map<string, Principal>();
  /** Names of clusters in the stack by the names of their issuers. */
  readonly clusters = new Map<string, string>();
  /** Names of clusters in the stack by their resource groups and names in Azure. */
  private readonly clustersByPlace = new Map<string, string>();
  private readonly issuers = new Map<string, string>();

  /** @param own subscription that is deployed to, if the outputs have a placeholder */
  constructor({ resources, outputs }: RegisteredStack, own = '') {
    this.name(own, 'subscription');
    this.name(outputs.subscriptionId, 'subscription');
    this.name(outputs.tenantId, 'tenant');
    // Components come after their children, so that resources which the stack creates are known by then.
    const isComponent = ({ urn }: Registered) => typeIn(urn).startsWith('aks-workload-identity:');
    for (const resource of resources) if (!isComponent(resource)) this.learn(resource);
    for (const resource of resources) if (isComponent(resource)) this.learn(resource);
    for (const resource of resources) this.learnServicePrincipal(resource);
    this.learnFromOutputs(outputs, '');
  }

  private name(value: unknown, name: string): void {
    const text = textOf(value).toLowerCase();
    if (isGuid.test(text) && !this.byGuid.has(text)) this.byGuid.set(text, named(name));
  }

  private learn({ urn, id, inputs, outputs }: Registered): void {
    switch (typeIn(urn)) {
      case 'azure-native:managedidentity:UserAssignedIdentity': {
        // A policy sees neither the id nor, after an update, the inputs.
        const name = textOf(inputs.resourceName) || textOf(outputs.name) || nameIn(urn);
        const key = this.shown(id ?? nameIn(urn)).toLowerCase();
        this.identity({ kind: 'identity', key, name, existing: false }, outputs, urn, id);
        break;
      }
      case 'aks-workload-identity:identity:ManagedIdentity': {
        const own = textOf(outputs.id);
        const same = this.byId.get(own.toLowerCase());
        // The same identity on another cluster, or the one that the component created.
        if (same !== undefined) this.byUrn.set(urn, same);
        if (own === '' || same !== undefined) break;
        const principal = { kind: 'identity', key: this.shown(own).toLowerCase(), existing: true } as const;
        this.identity({ ...principal, name: textOf(outputs.identityName) }, outputs, urn, own);
        break;
      }
      case 'azuread:index/group:Group': {
        const name = textOf(inputs.displayName);
        const group = { kind: 'group', key: `group ${name.toLowerCase()}`, name, existing: false } as const;
        this.byUrn.set(urn, group);
        this.principal(outputs.objectId, group);
        break;
      }
      case 'azuread:index/application:Application': {
        const name = textOf(inputs.displayName);
        const key = `application ${name.toLowerCase()}`;
        this.identity({ kind: 'identity', key, name, existing: false }, outputs, urn, id);
        break;
      }
      case 'azuread:index/applicationCertificate:ApplicationCertificate':
      case 'azuread:index/applicationPassword:ApplicationPassword':
        this.name(outputs.keyId, `key of ${nameIn(urn)}`);
        break;
      case 'azure-native:authorization:RoleDefinition':
        this.name(roleIdOf({ id, inputs }), `role ${textOf(inputs.roleName)}`);
        break;
      case 'aks-workload-identity:cluster:WorkloadIdentityCluster': {
        const issuer = textOf(outputs.issuerUrl);
        const place = tryParseResourceId(textOf(outputs.id));
        if (place !== undefined)
          this.clustersByPlace.set(placeOf(place.resourceGroupName, place.name), nameIn(urn));
        const own = this.shown(textOf(outputs.id)).toLowerCase();
        if (issuer === '') break;
        // The issuer of a cluster that AKS does not manage is in the settings, so it stays as it is.
        const issuerName = own === '' ? issuer : named(`issuer of ${own}`);
        this.issuers.set(issuer, issuerName);
        this.clusters.set(issuerName, nameIn(urn));
        break;
      }
      case 'aks-workload-identity:podIdentity:PodIdentity': {
        const name = `the nodes of ${nameIn(urn).replace(/-pod-identity$/, '')}`;
        this.principal(outputs.kubeletPrincipalId, { kind: 'principal', key: name, name, existing: true });
        break;
      }
    }
  }

  private learnServicePrincipal({ urn, inputs, outputs, sources }: Registered): void {
    if (typeIn(urn) !== 'azuread:index/servicePrincipal:ServicePrincipal') return;
    const application = this.ofClient(inputs.clientId) ?? this.ofSources(sources, 'clientId');
    if (application === undefined) return;
    this.byUrn.set(urn, application);
    this.principal(outputs.objectId, application);
  }

  private identity(
    principal: Principal,
    outputs: Registered['outputs'],
    urn: string,
    id: string | undefined,
  ): void {
    this.byUrn.set(urn, principal);
    if (id !== undefined) {
      this.byId.set(id.toLowerCase(), principal);
      const { resourceGroupName = '', name = '' } = tryParseResourceId(id) ?? {};
      this.byPlace.set(placeOf(resourceGroupName, name), principal);
    }
    this.principal(outputs.principalId, principal);
    const clientId = textOf(outputs.clientId).toLowerCase();
    if (clientId !== '' && !this.clients.has(clientId)) this.clients.set(clientId, principal);
    this.name(clientId, `client of ${principal.key}`);
  }

  private principal(objectId: unknown, principal: Principal): void {
    const text = textOf(objectId).toLowerCase();
    if (text === '' || this.principals.has(text)) return;
    this.principals.set(text, principal);
    this.name(text, `principal of ${principal.key}`);
  }

  /** Learns principals that are only in the outputs. They are named by their path. */
  private learnFromOutputs(value: unknown, path: string): void {
    if (Array.isArray(value))
      for (const entry of value) this.learnFromOutputs(entry, `${path} ${entryName(entry)}`);
    if (!isRecord(value)) return;
    for (const [key, field] of Object.entries(value)) {
      if (/principalId$/i.test(key) && isGuid.test(textOf(field))) {
        const name = `${path} ${key.replace(/PrincipalId$|^principalId$/, '')}`.trim();
        this.principal(field, { kind: 'principal', key: name, name, existing: true });
      } else if (/clientId$/i.test(key)) this.name(field, `client of ${path.trim()}`);
      else this.learnFromOutputs(field, `${path} ${key}`);
    }
  }

  /** Replaces the generated ids in a string by names. */
  shown(text: string): string {
    return text.replace(guid, (match) => this.byGuid.get(match.toLowerCase()) ?? match.toLowerCase());
  }

  /** Replaces the generated ids and issuers in all strings of a value. */
  in(value: unknown): unknown {
    if (typeof value === 'string') return this.issuers.get(value) ?? this.shown(value);
    if (Array.isArray(value)) return value.map((item) => this.in(item));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [this.shown(key), this.in(field)]));
  }

  issuer(url: string): string {
    return this.issuers.get(url) ?? url;
  }

  /** Returns the principal with the object id. */
  ofPrincipal(objectId: unknown): Principal | undefined {
    const text = textOf(objectId).toLowerCase();
    if (text === '') return undefined;
    return this.principals.get(text) ?? { kind: 'principal', key: text, name: text, existing: true };
  }

  ofClient(clientId: unknown): Principal | undefined {
    return this.clients.get(textOf(clientId).toLowerCase());
  }

  ofId(id: unknown): Principal | undefined {
    return this.byId.get(textOf(id).toLowerCase());
  }

  ofPlace(resourceGroup: unknown, name: unknown): Principal | undefined {
    return this.byPlace.get(placeOf(textOf(resourceGroup), textOf(name)));
  }

  /** Returns the name in the stack of the AKS cluster with the name in Azure. */
  clusterAt(resourceGroup: unknown, name: unknown): string {
    return this.clustersByPlace.get(placeOf(textOf(resourceGroup), textOf(name))) ?? textOf(name);
  }

  /** Returns the principal of an unknown input by the resource that the input comes from. */
  ofSources(sources: Registered['sources'], input: string): Principal | undefined {
    return (sources?.[input] ?? [])
      .map((urn) => this.byUrn.get(urn))
      .find((principal) => principal !== undefined);
  }
}

/** GUID of a custom role. */
export const roleIdOf = ({ id, inputs }: Pick<Registered, 'id' | 'inputs'>): string =>
  textOf(inputs.roleDefinitionId ?? id)
    .split('/')
    .at(-1) ?? '';

const placeOf = (resourceGroup: string, name: string): string => `${resourceGroup}/${name}`.toLowerCase();

function entryName(value: unknown): string {
  if (!isRecord(value)) return '';
  const { managementCluster, cluster, application, name, component } = value;
  return [managementCluster, cluster, application, name, component]
    .filter((part) => typeof part === 'string')
    .join('/');
}

/** Describes an issuer as `cluster <name> in <resource group> of <subscription>`, or by its address. */
export function issuerInWords(issuer: string): string {
  const { resourceGroupName, subscriptionId, name } =
    tryParseResourceId(/^\{issuer of (.*)\}$/.exec(issuer)?.[1] ?? '') ?? {};
  return name === undefined
    ? issuer
    : `cluster ${name} in ${resourceGroupName ?? ''} of ${subscriptionId ?? ''}`;
}
