import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { assignRole } from '../azure/assignRole';
import { roleGuid, roleName } from '../azure/roles';
import { wantedScope } from '../azure/wantedScope';
import { CertificateIdentity } from '../entra/certificateIdentity';
import { FederatedCredentials } from '../identity/federatedCredentials';
import { ManagedIdentity } from '../identity/managedIdentity';
import type { ServiceAccountReference } from '../identity/subjects';
import { subjectOf } from '../identity/subjects';
import { PrivateState } from '../resource/privateState';
import type { HostedClusterComponentArgs, HostedClusterIdentitiesArgs } from './arguments';
import { hostedClusterProblems } from './arguments';
import type { HostedClusterScope } from './components';
import {
  credentialsSecretName,
  dataPlaneComponents,
  hostedClusterAudience,
  hostedClusterComponents,
  networkOf,
  nodeName,
} from './components';
import { credentialsOf } from './credentials';
import type { ComponentIdentity, HostedIdentity, NodeIdentity, PendingIdentity } from './identity';
import { identityFields } from './identityFields';

const heldCredentials = new PrivateState<ReadonlyMap<string, pulumi.Output<string>>>();

/** The identities of a HyperShift hosted cluster, each with its role, and the part of the HostedCluster that names them. */
export class HostedClusterIdentities extends pulumi.ComponentResource {
  /** The identities of the control plane, one for each component. */
  readonly controlPlane: pulumi.Output<HostedIdentity[]>;
  /** The identities of the hosted cluster's nodes; empty if all components sign in with federation. */
  readonly nodes: pulumi.Output<HostedIdentity[]>;
  /**
   * The credentials of the components, by the name of the vault secret that must hold them. A secret; empty if all
   * components sign in with federation.
   */
  readonly credentials: pulumi.Output<Record<string, string>>;
  /** The part of the HostedCluster's `spec` that names the identities and the key, as a merge patch. */
  readonly spec: pulumi.Output<pulumi.Inputs>;

  constructor(name: string, args: HostedClusterIdentitiesArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:hypershift:HostedClusterIdentities', name, {}, opts);
    args = checkedArguments('HostedClusterIdentities', name, args, hostedClusterProblems);
    const scopes = scopeIds(`HostedClusterIdentities ${name}`, args);
    const context: Context = { name, args, parent: this, scopes };
    const controlPlane = args.components.map((component) => componentIdentity(context, component));
    const onNodes = args.certificates === undefined ? [] : nodeIdentities(context);
    const written = controlPlane.flatMap(({ secretName, credentials }) =>
      credentials === undefined ? [] : [[secretName, credentials] as const],
    );
    heldCredentials.keep(this, new Map(written));
    this.controlPlane = identitiesOf(controlPlane);
    this.nodes = identitiesOf(onNodes);
    this.credentials = pulumi.output(Object.fromEntries(written));
    this.spec = pulumi.output<pulumi.Inputs>(identityFields(args, controlPlane, onNodes));
    const { credentials, spec, nodes } = this;
    this.registerOutputs({ controlPlane: this.controlPlane, nodes, credentials, spec });
  }

  /** The credentials by the names of their secrets, which are known in every preview. */
  get secrets(): ReadonlyMap<string, pulumi.Output<string>> {
    return heldCredentials.of(this);
  }
}

function identitiesOf(all: readonly (ComponentIdentity | NodeIdentity)[]): pulumi.Output<HostedIdentity[]> {
  return pulumi.output(all.map(({ component, identity }) => ({ component, ...identity })));
}

interface Context {
  readonly name: string;
  readonly args: HostedClusterIdentitiesArgs;
  readonly parent: HostedClusterIdentities;
  /** Ids of the scopes of the roles. */
  readonly scopes: Readonly<Record<HostedClusterScope, pulumi.Input<string> | undefined>>;
}

/**
 * Deploys the identities of the hosted cluster's nodes. The HostedCluster names all of them, even that of a disabled image
 * registry, which gets no role.
 */
function nodeIdentities(context: Context): NodeIdentity[] {
  return dataPlaneComponents.map((component) => {
    const name = nodeName(component);
    const accounts = hostedClusterComponents[component].serviceAccounts.slice(0, 1);
    const role = context.args.components.find((candidate) => candidate.component === component);
    return { component, identity: federated(context, { shortName: name, key: name, accounts, role }) };
  });
}

/** Deploys the identity of a component of the control plane, with its role. */
function componentIdentity(context: Context, componentArgs: HostedClusterComponentArgs): ComponentIdentity {
  const { name, args, parent } = context;
  const { component, secretName = credentialsSecretName(args.hostedCluster, component) } = componentArgs;
  const { shortName, serviceAccounts: accounts } = hostedClusterComponents[component];
  const { certificates } = args;
  if (certificates === undefined) {
    const identity = federated(context, { shortName, key: component, accounts, role: componentArgs });
    return { component, secretName, identity };
  }
  const displayName = identityName(args, shortName);
  const application = new CertificateIdentity(
    `${name}/${component}`,
    {
      displayName,
      certificates: certificates.certificates,
      tags: args.entraTags,
      retainOnDelete: args.retainOnDelete,
    },
    { parent },
  );
  const { clientId, principalId, notAfter: expiresOn, keyIds } = application;
  const roles = assignRoles(context, component, componentArgs, principalId);
  return {
    component,
    secretName,
    identity: { name: displayName, clientId, principalId, roles, expiresOn, keyIds },
    credentials: credentialsOf(application, certificates),
  };
}

/** Returns the name of an identity, in Azure or in Entra. */
function identityName(
  { identityPrefix, hostedCluster }: HostedClusterIdentitiesArgs,
  shortName: string,
): string {
  return `${identityPrefix ?? hostedCluster}-${shortName}`;
}

/** Deploys a managed identity that trusts service accounts of the hosted cluster. */
function federated(
  context: Context,
  {
    shortName,
    key,
    accounts,
    role,
  }: {
    readonly shortName: string;
    /** Short name in the names of its role assignments in the stack. */
    readonly key: string;
    readonly accounts: readonly ServiceAccountReference[];
    /** Component with the role that it gets; undefined for no role. */
    readonly role: HostedClusterComponentArgs | undefined;
  },
): PendingIdentity {
  const { name, args, parent } = context;
  const { resourceGroupName, location, tags, retainOnDelete, issuer } = args;
  const inStack = `${name}/${shortName}`;
  const identity = new ManagedIdentity(
    inStack,
    {
      create: {
        resourceGroupName,
        identityName: identityName(args, shortName),
        location,
        tags,
        retainOnDelete,
      },
    },
    { parent },
  );
  new FederatedCredentials(
    inStack,
    {
      ...{ identity, issuer, subjects: [...accounts], audience: hostedClusterAudience },
      importedNames: args.importedNames,
    },
    { parent },
  );
  const { id, clientId, principalId } = identity;
  return {
    name: identityName(args, shortName),
    id,
    clientId,
    principalId,
    subjects: accounts.map(subjectOf),
    roles: role === undefined ? [] : assignRoles(context, key, role, principalId),
  };
}

/** Assigns the component its role on each of its scopes. */
function assignRoles(
  { name, args, parent, scopes }: Context,
  key: string,
  { component, role: guid }: HostedClusterComponentArgs,
  principalId: pulumi.Output<string>,
): PendingIdentity['roles'] {
  const rule = hostedClusterComponents[component];
  const role = guid === undefined ? rule.role : { guid };
  return rule.scopes.flatMap((on) => {
    const scope = scopes[on];
    if (scope === undefined) return [];
    const inStack = `${name}/${key}/${on}`;
    const assignmentName = args.importedAssignments?.[inStack];
    assignRole(inStack, { scope, role, principalId, assignmentName }, { parent });
    return [{ role: roleGuid(role), ...(guid === undefined && { name: roleName(roleGuid(role)) }), scope }];
  });
}

function scopeIds(component: string, { scopes, key }: HostedClusterIdentitiesArgs): Context['scopes'] {
  const { resourceGroupId: group, networkSecurityGroupId: networkGroup, dnsZoneId } = scopes;
  const subnet = wantedScope(component, 'scopes.subnet', 'subnet', scopes.subnet);
  const vault = key && wantedScope(component, 'key.vaultId', 'vault', key.vaultId);
  return {
    resourceGroup: wantedScope(component, 'scopes.resourceGroupId', 'resource group', group),
    subnet,
    virtualNetwork: subnet.apply(networkOf),
    networkSecurityGroup: wantedScope(
      component,
      'scopes.networkSecurityGroupId',
      'network security group',
      networkGroup,
    ),
    dnsZone: dnsZoneId && wantedScope(component, 'scopes.dnsZoneId', 'DNS zone', dnsZoneId),
    key: key && pulumi.interpolate`${vault}/keys/${key.keyName}`,
  };
}
