import { builtInRoles } from '../../components/azure/roles';
import { identityBindingType } from '../../components/identity/bindingNames';
import { fieldsOf, textOf, textsOf } from '../../components/resource/fields';
import { bindingLabel } from '../../components/podIdentity/names';
import { Bindings } from './identityBindings';
import type { Facts, Grant, Membership, Subject, Trust, Unread } from './facts';
import type { Principal } from './names';
import { issuerInWords, Names } from './names';
import type { Registered, RegisteredStack } from './registered';
import { clusterOfProvider, jsonAt, nameIn, providerName, textAt, typeIn } from './registered';
import { roleIn, Roles } from './roles';
import { timesIn } from './times';
import { unreadOf } from './unread';
import { secretScope, secretsNamedOn, secretTarget, Vaults } from './vaults';

/** Reads the facts from a stack's registered resources. */
export function factsOf(stack: RegisteredStack, own?: string): Facts {
  const reading = new Reading(stack, own);
  for (const resource of stack.resources) reading.read(resource);
  return reading.facts();
}

/** Text of pods that get tokens from aad-pod-identity. */
export const labelledPods = (namespace: string, selector: string): string =>
  `pods of ${namespace} labelled ${bindingLabel}: ${selector}`;

/** An access policy cannot name secrets (azure-docs articles/key-vault/general/rbac-guide.md). */
const wholeByPolicy = 'an access policy, which opens the whole vault';

class Reading {
  private readonly names: Names;
  private readonly roles: Roles;
  private readonly trusts: Trust[] = [];
  private readonly memberships: Membership[] = [];
  private readonly grants: Grant[] = [];
  private readonly unread: Unread[] = [];
  /** Names of clusters in the stack, by the names of their providers. */
  private readonly providers = new Map<string, string>();
  private readonly vaults: Vaults;
  /** Access policies: vault ids and holders. */
  private readonly policies: { readonly vault: string; readonly principal: Principal }[] = [];
  /** Identities of aad-pod-identity by cluster, namespace and name, and the bindings to them. */
  private readonly podIdentities = new Map<string, Principal>();
  private readonly identityBindings: Bindings;
  private readonly bindings: { readonly key: string; readonly subject: Subject }[] = [];

  constructor(stack: RegisteredStack, own?: string) {
    this.names = new Names(stack, own);
    this.roles = new Roles(this.names, stack.resources);
    this.vaults = new Vaults(this.names, stack);
    this.identityBindings = new Bindings(this.names, (resource) => this.clusterOf(resource));
    for (const { urn, inputs } of stack.resources)
      if (typeIn(urn) === 'pulumi:providers:kubernetes') {
        const issuer = this.names.issuer(textOf(inputs.clusterIdentifier));
        this.providers.set(nameIn(urn), this.names.clusters.get(issuer) ?? clusterOfProvider(nameIn(urn)));
      }
  }

  facts(): Facts {
    const bound = this.bindings.flatMap(({ key, subject }): Trust[] => {
      const identity = this.podIdentities.get(key);
      if (identity !== undefined) return [{ identity, subject }];
      this.unread.push({
        resource: subject.text,
        path: 'azureIdentity',
        value: key.split('\n').at(-1) ?? '',
      });
      return [];
    });
    return {
      trusts: [...this.trusts, ...bound, ...this.identityBindings.trusts()],
      memberships: this.memberships,
      grants: [...this.grants, ...this.policies.flatMap((policy) => this.openedBy(policy))],
      unread: this.unread,
    };
  }

  read(resource: Registered): void {
    // A fact that is not understood is compared by its inputs instead.
    const isUnderstood = this.readFact(resource);
    this.unread.push(...unreadOf(resource, (value) => this.names.in(value), isUnderstood));
  }

  /** @returns false if the resource is a kind of fact, but is not understood */
  private readFact(resource: Registered): boolean {
    const { urn, inputs } = resource;
    const type = typeIn(urn);
    const kind = type.slice(type.lastIndexOf(':') + 1);
    if (type === 'azure-native:managedidentity:FederatedIdentityCredential')
      return this.readCredential(resource, this.ownerOf(resource));
    if (/^Application(Flexible)?FederatedIdentityCredential$/.test(kind))
      return this.readCredential(resource, this.applicationOf(resource));
    if (/^(Application|ServicePrincipal)(Password|Certificate)$/.test(kind)) return this.readStored(resource);
    if (type === 'azuread:index/groupMember:GroupMember') return this.readMember(resource);
    if (type === 'azure-native:authorization:RoleAssignment') return this.readAssignment(resource);
    if (type === 'azure-native:keyvault:AccessPolicy') return this.readPolicy(resource);
    if (kind === 'AzureIdentity') return this.readPodIdentity(resource);
    if (type === identityBindingType) return this.identityBindings.readBinding(resource);
    if (/^Cluster(Role|RoleBinding)$/.test(kind)) return this.identityBindings.readRole(resource, kind);
    if (kind === 'AzureIdentityBinding') return this.readBinding(resource);
    if (kind === 'SecretProviderClass') return this.readClass(resource);
    if (kind === 'FlexibleServersAdministrator')
      return this.readRight(resource, fieldsOf(inputs.spec).azureName, 'administrator');
    if (kind === 'RedisAccessPolicyAssignment') {
      const { objectId, accessPolicyName } = fieldsOf(inputs.spec);
      return this.readRight(resource, objectId, textOf(accessPolicyName));
    }
    if (kind === 'ConfigMap' && textAt(inputs, 'data', 'schedule.json') !== '')
      return this.readSchedule(resource);
    return true;
  }

  /** Returns the managed identity of a credential. */
  private ownerOf({ id, inputs, sources }: Registered): Principal | undefined {
    const [, owner] = /^(.*)\/federatedIdentityCredentials\/[^/]+$/i.exec(textOf(id)) ?? [];
    return (
      this.names.ofId(owner) ??
      this.names.ofPlace(inputs.resourceGroupName, inputs.resourceName) ??
      this.names.ofSources(sources, 'resourceName') ??
      this.byName(inputs.resourceName)
    );
  }

  private byName(name: unknown): Principal | undefined {
    const text = textOf(name);
    return text === ''
      ? undefined
      : { kind: 'identity', key: text.toLowerCase(), name: text, existing: true };
  }

  private applicationOf({ inputs, sources }: Registered): Principal | undefined {
    const id = textOf(inputs.applicationId) || textOf(inputs.servicePrincipalId);
    return this.names.ofId(id) ?? this.names.ofSources(sources, 'applicationId') ?? this.byName(id);
  }

  private readCredential({ urn, inputs, sources }: Registered, identity: Principal | undefined): boolean {
    if (identity === undefined) return false;
    const own = textOf(inputs.issuer);
    const issuer =
      own === '' ? `{issuer of ${(sources?.issuer ?? []).map(nameIn).join()}}` : this.names.issuer(own);
    const subject = textOf(inputs.subject);
    const expression = textOf(inputs.claimsMatchingExpression);
    const audiences = [...textsOf(inputs.audiences), ...textsOf([inputs.audience])];
    const [, namespace, account] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(subject) ?? [];
    const ofCluster = this.names.clusters.get(issuer);
    for (const audience of audiences.length === 0 ? [''] : audiences) {
      const text =
        expression !== ''
          ? `tokens with ${expression}`
          : account === undefined
            ? subject
            : `${namespace ?? ''}/${account}`;
      this.trusts.push({
        identity,
        subject: {
          key: [issuer, subject, expression, audience].join('\n'),
          text,
          cluster: ofCluster ?? issuer,
          trusted: `tokens of ${issuerInWords(issuer)} for ${audience}`,
          ...(expression !== '' && { notJudged: `which tokens match, at ${nameIn(urn)}` }),
        },
      });
    }
    return true;
  }

  /** Whoever has a stored credential can sign in. The subject does not have its name, since a renewal does not change access. */
  private readStored(resource: Registered): boolean {
    const identity = this.applicationOf(resource);
    if (identity === undefined) return false;
    const text = `stored credential of ${identity.name}`;
    const [, days] = /-(\d+)d$/.exec(nameIn(resource.urn)) ?? [];
    if (days !== undefined)
      this.unread.push({ resource: text, path: 'valid for', value: `${days} days`, silent: 'both' });
    if (!this.trusts.some((trust) => trust.subject.key === text))
      this.trusts.push({ identity, subject: { key: text, text } });
    return true;
  }

  private readMember({ inputs, sources }: Registered): boolean {
    const group = this.groupOf(inputs.groupObjectId) ?? this.names.ofSources(sources, 'groupObjectId');
    const member =
      this.names.ofPrincipal(inputs.memberObjectId) ?? this.names.ofSources(sources, 'memberObjectId');
    if (group === undefined || member === undefined) return false;
    this.memberships.push({ group, member });
    // The grants that others gave an existing group are unknown here.
    const text = `whatever group ${group.name} may use`;
    if (group.existing)
      this.grants.push({ principal: member, target: { key: text, text, notJudged: 'what that is' } });
    return true;
  }

  private groupOf(objectId: unknown): Principal | undefined {
    const principal = this.names.ofPrincipal(objectId);
    return principal?.kind === 'principal' ? { ...principal, kind: 'group' } : principal;
  }

  private readAssignment({ inputs, sources }: Registered): boolean {
    const isGroup = textOf(inputs.principalType) === 'Group';
    const principal =
      (isGroup ? this.groupOf(inputs.principalId) : this.names.ofPrincipal(inputs.principalId)) ??
      this.names.ofSources(sources, 'principalId');
    if (principal === undefined) return false;
    const role = roleIn(inputs.roleDefinitionId);
    const condition = this.names.shown(textOf(inputs.condition));
    this.grant(
      { principal, ...(condition !== '' && { condition }) },
      role,
      this.scopeOf(inputs.scope, sources),
    );
    return true;
  }

  private scopeOf(scope: unknown, sources: Registered['sources']): string {
    const text = textOf(scope);
    return text === '' ? `{scope of ${(sources?.scope ?? []).map(nameIn).join()}}` : this.names.shown(text);
  }

  /** Adds a role on a scope, and the secrets that it opens. */
  private grant(granted: Omit<Grant, 'target'>, roleGuid: string, scope: string): void {
    const role = roleGuid.toLowerCase();
    const [, vault, secret] = secretScope.exec(scope) ?? [];
    if (vault !== undefined && secret !== undefined && role === builtInRoles.keyVaultSecretsUser) {
      this.grants.push({ ...granted, target: secretTarget(vault.toLowerCase(), secret) });
      return;
    }
    // The same as a role on each of them.
    const named = secretsNamedOn({ ...granted, role, scope })?.map((name) => `${scope}/secrets/${name}`);
    for (const secretId of named ?? []) this.grant({ ...granted, condition: undefined }, role, secretId);
    if (named !== undefined) return;
    this.grants.push({ ...granted, target: this.roles.target(role, scope) });
    if (!this.roles.readsSecrets(role)) return;
    const by = `the role ${this.roles.text(role)} on ${scope}`;
    for (const [id, secrets] of this.vaults.secrets)
      for (const name of secrets) {
        const target = secretTarget(id, name);
        if (`${target.key}/`.startsWith(`${scope}/`.toLowerCase()))
          this.grants.push({ ...granted, target, by });
      }
  }

  private readPolicy({ inputs, sources }: Registered): boolean {
    const policy = fieldsOf(inputs.policy);
    const principal = this.names.ofPrincipal(policy.objectId) ?? this.names.ofSources(sources, 'policy');
    if (principal === undefined) return false;
    const name = textOf(inputs.vaultName) || (sources?.vaultName ?? []).map(nameIn).join();
    const vault = this.vaults.idOf(name);
    const permissions = Object.entries(fieldsOf(policy.permissions)).map(([area, list]) =>
      `${area} ${textsOf(list).sort().join(' ')}`.toLowerCase(),
    );
    const readsSecrets = permissions.some((text) => /^secrets .*\b(get|all|backup)\b/.test(text));
    if (readsSecrets) {
      this.grants.push({
        ...{ principal, by: wholeByPolicy },
        target: { ...secretTarget(vault, '*'), text: `every secret of ${name}` },
      });
      this.policies.push({ vault, principal });
    }
    for (const permission of permissions.filter((text) => text !== 'secrets get'))
      this.grants.push({
        principal,
        target: { key: `${vault} ${permission}`, text: `${permission} of ${name}` },
      });
    return true;
  }

  private openedBy({ vault, principal }: { readonly vault: string; readonly principal: Principal }): Grant[] {
    return [...this.vaults.secretsOf(vault)].map((secret) => ({
      principal,
      target: secretTarget(vault, secret),
      by: wholeByPolicy,
    }));
  }

  private clusterOf({ provider = '' }: Registered): string {
    const name = providerName(provider);
    return this.providers.get(name) ?? clusterOfProvider(name);
  }

  private readPodIdentity(resource: Registered): boolean {
    const { resourceID: id, clientID: client } = fieldsOf(resource.inputs.spec);
    const identity =
      this.names.ofId(id) ?? this.names.ofClient(client) ?? this.names.ofSources(resource.sources, 'spec');
    if (identity === undefined) return false;
    this.podIdentities.set(this.objectKey(resource, nameOf(resource)), identity);
    return true;
  }

  private objectKey(resource: Registered, name: string): string {
    return [this.clusterOf(resource), textAt(resource.inputs, 'metadata', 'namespace'), name].join('\n');
  }

  private readBinding(resource: Registered): boolean {
    const { azureIdentity, selector } = fieldsOf(resource.inputs.spec);
    const cluster = this.clusterOf(resource);
    const text = labelledPods(textAt(resource.inputs, 'metadata', 'namespace'), textOf(selector));
    this.bindings.push({
      key: this.objectKey(resource, textOf(azureIdentity)),
      subject: { key: `${cluster}\n${text}`, text, cluster },
    });
    return true;
  }

  /** The CSI driver reads as an identity of the nodes: any pod of the namespace that mounts the class gets the values. */
  private readClass(resource: Registered): boolean {
    const parameters = fieldsOf(fieldsOf(resource.inputs.spec).parameters);
    // Otherwise the driver reads as the pod's own identity.
    if (textOf(parameters.useVMManagedIdentity) !== 'true') return true;
    const identity =
      this.names.ofClient(parameters.userAssignedIdentityID) ??
      this.byName(parameters.userAssignedIdentityID);
    if (identity === undefined) return false;
    const cluster = this.clusterOf(resource);
    const text = `pods of ${textAt(resource.inputs, 'metadata', 'namespace')} that mount ${nameOf(resource)}`;
    this.trusts.push({ identity, subject: { key: `${cluster}\n${text}`, text, cluster } });
    return true;
  }

  /** Reads a right to a server or a cache that Azure Service Operator gives. */
  private readRight({ urn, inputs, sources }: Registered, objectId: unknown, right: string): boolean {
    const principal = this.names.ofPrincipal(objectId) ?? this.names.ofSources(sources, 'spec');
    // `<cluster>/<kind of service>/<name in Azure>/…`
    const [, , service = nameIn(urn)] = nameIn(urn).split('/');
    const text = `${right} of ${textAt(inputs, 'spec', 'owner', 'armId').split('/').at(-1) || service}`;
    if (principal === undefined) return false;
    this.grants.push({ principal, target: { key: text.toLowerCase(), text } });
    return true;
  }

  private readSchedule({ inputs }: Registered): boolean {
    const { grants } = fieldsOf(jsonAt(inputs, 'data', 'schedule.json'));
    if (!Array.isArray(grants)) return false;
    for (const grant of grants.map(fieldsOf)) {
      const principal = this.names.ofPrincipal(grant.principalId);
      if (principal === undefined) return false;
      const times = timesIn(grant);
      if (times === undefined) continue;
      this.grant({ principal, times }, textOf(grant.role), this.names.shown(textOf(grant.scope)));
    }
    return true;
  }
}

const nameOf = ({ inputs }: Registered): string => textAt(inputs, 'metadata', 'name');
