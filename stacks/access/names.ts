import { guidPattern } from '../../components/azure/guid';
import { tryParseResourceId } from '../../components/azure/resourceId';
import { isRecord, textOf } from '../../components/resource/fields';
import type { Registered, RegisteredStack } from './registered';
import { nameIn, typeIn } from './registered';

// Azure makes up ids of principals, and the addresses of issuers. Two deployments of the same settings differ in them, and before
// the first one nobody knows them. So each is replaced by a name that says whose it is, by which two sides can be compared.

const guid = new RegExp(guidPattern, 'g');
const isGuid = new RegExp(`^${guidPattern}$`);

/** Begins and ends a name, which no id of Azure has. */
const named = (name: string): string => `{${name}}`;
export const ownSubscription = named('subscription');

/** What has access: an identity, a group, or a principal of which nothing more is known. */
export interface Principal {
  readonly kind: 'identity' | 'group' | 'principal';
  /** Tells it from others, on both sides of a comparison. */
  readonly key: string;
  /** Name in Azure or in Entra. */
  readonly name: string;
  /** The stack does not make it: others may give access by it too. */
  readonly existing: boolean;
}

/** Names for what Azure makes up, and the principals behind ids. */
export class Names {
  private readonly byGuid = new Map<string, string>();
  private readonly principals = new Map<string, Principal>();
  private readonly clients = new Map<string, Principal>();
  private readonly byUrn = new Map<string, Principal>();
  private readonly byId = new Map<string, Principal>();
  /** Managed identities, by resource group and name. */
  private readonly byPlace = new Map<string, Principal>();
  /** Names of clusters in the stack by what stands for their issuers. */
  readonly clusters = new Map<string, string>();
  private readonly issuers = new Map<string, string>();

  /** @param own subscription that is deployed to, where the outputs have one that is made up */
  constructor({ resources, outputs }: RegisteredStack, own = '') {
    this.name(own, 'subscription');
    this.name(outputs.subscriptionId, 'subscription');
    this.name(outputs.tenantId, 'tenant');
    // A component may tell of what the stack makes: then that is known already.
    const isComponent = ({ urn }: Registered) => typeIn(urn).startsWith('aks-workload-identity:');
    for (const one of resources) if (!isComponent(one)) this.learn(one);
    for (const one of resources) if (isComponent(one)) this.learn(one);
    for (const one of resources) this.learnOfApplications(one);
    this.learnFromOutputs(outputs, '');
  }

  private name(value: unknown, name: string): void {
    const text = textOf(value).toLowerCase();
    if (isGuid.test(text) && !this.byGuid.has(text)) this.byGuid.set(text, named(name));
  }

  private learn({ urn, id, inputs, outputs }: Registered): void {
    switch (typeIn(urn)) {
      case 'azure-native:managedidentity:UserAssignedIdentity': {
        // Policies see neither its id, nor after an update its inputs.
        const name = textOf(inputs.resourceName) || textOf(outputs.name) || nameIn(urn);
        const key = this.shown(id ?? nameIn(urn)).toLowerCase();
        this.identity({ kind: 'identity', key, name, existing: false }, outputs, urn, id);
        break;
      }
      case 'aks-workload-identity:identity:ManagedIdentity': {
        const own = textOf(outputs.id);
        if (own === '' || this.byId.has(own.toLowerCase())) break;
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
        const own = this.shown(textOf(outputs.id)).toLowerCase();
        if (issuer === '') break;
        // The issuer of one that is no managed cluster is in the settings.
        const stands = own === '' ? issuer : named(`issuer of ${own}`);
        this.issuers.set(issuer, stands);
        this.clusters.set(stands, nameIn(urn));
        break;
      }
      case 'aks-workload-identity:podIdentity:PodIdentity': {
        const name = `the nodes of ${nameIn(urn).replace(/-pod-identity$/, '')}`;
        this.principal(outputs.kubeletPrincipalId, { kind: 'principal', key: name, name, existing: true });
        break;
      }
    }
  }

  private learnOfApplications({ urn, inputs, outputs, sources }: Registered): void {
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

  /** Of what only the outputs tell: a principal is named by its place in them. */
  private learnFromOutputs(value: unknown, path: string): void {
    if (Array.isArray(value))
      for (const one of value) this.learnFromOutputs(one, `${path} ${entryName(one)}`);
    if (!isRecord(value)) return;
    for (const [key, one] of Object.entries(value)) {
      if (/principalId$/i.test(key) && isGuid.test(textOf(one))) {
        const name = `${path} ${key.replace(/PrincipalId$|^principalId$/, '')}`.trim();
        this.principal(one, { kind: 'principal', key: name, name, existing: true });
      } else if (/clientId$/i.test(key)) this.name(one, `client of ${path.trim()}`);
      else this.learnFromOutputs(one, `${path} ${key}`);
    }
  }

  /** A text with names in place of what Azure made up. */
  shown(text: string): string {
    return text.replace(guid, (found) => this.byGuid.get(found.toLowerCase()) ?? found.toLowerCase());
  }

  /** The same of all texts in a value. */
  in(value: unknown): unknown {
    if (typeof value === 'string') return this.issuers.get(value) ?? this.shown(value);
    if (Array.isArray(value)) return value.map((one) => this.in(one));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [this.shown(key), this.in(one)]));
  }

  issuer(url: string): string {
    return this.issuers.get(url) ?? url;
  }

  /** Whose object id it is. */
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

  /** Whose it is, where only the resource is known that it comes from. */
  ofSources(sources: Registered['sources'], input: string): Principal | undefined {
    return (sources?.[input] ?? []).map((urn) => this.byUrn.get(urn)).find((one) => one !== undefined);
  }
}

/** GUID of a role that is made. */
export const roleIdOf = ({ id, inputs }: Pick<Registered, 'id' | 'inputs'>): string =>
  textOf(inputs.roleDefinitionId ?? id)
    .split('/')
    .at(-1) ?? '';

const placeOf = (resourceGroup: string, name: string): string => `${resourceGroup}/${name}`.toLowerCase();

function entryName(value: unknown): string {
  if (!isRecord(value)) return '';
  const { managementCluster, cluster, application, name, component } = value;
  return [managementCluster, cluster, application, name, component]
    .filter((one) => typeof one === 'string')
    .join('/');
}
