import * as pulumi from '@pulumi/pulumi';
import { checkedArguments } from '../azure/arguments';
import { assignRole } from '../azure/assignRole';
import { CertificateIdentity } from '../entra/certificateIdentity';
import { FederatedCredentials } from '../identity/federatedCredentials';
import { ManagedIdentity } from '../identity/managedIdentity';
import type { ServiceAccountReference } from '../identity/subjects';
import { Held } from '../resource/held';
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
import type { ComponentCredentials } from './credentials';
import { credentialsOf } from './credentials';
import type { SignInFields } from './identityFields';
import { identityFields } from './identityFields';

/** An identity that can be given roles. */
interface Principal {
  readonly clientId: pulumi.Output<string>;
  readonly principalId: pulumi.Output<string>;
}

const heldCredentials = new Held<ReadonlyMap<string, pulumi.Output<string>>>();

/** The identities of a hosted cluster of HyperShift, each with its role, and what the HostedCluster says of them. */
export class HostedClusterIdentities extends pulumi.ComponentResource {
  /** Client ids of the control plane's identities, by component. */
  readonly clientIds: pulumi.Output<Record<string, string>>;
  /**
   * Client ids of the identities of the hosted cluster's nodes, by component; none where all components sign in by
   * federation.
   */
  readonly dataPlaneClientIds: pulumi.Output<Record<string, string>>;
  /**
   * The credentials of the components, by name of the vault secret that is to hold them. A secret; none where all components
   * sign in by federation.
   */
  readonly credentials: pulumi.Output<Record<string, string>>;
  /** When the certificates expire (RFC 3339), by component; none where all components sign in by federation. */
  readonly expiresOn: pulumi.Output<Record<string, string>>;
  /** The part of the HostedCluster's `spec` that names the identities and the key: a merge patch of it. */
  readonly spec: pulumi.Output<pulumi.Inputs>;

  constructor(name: string, args: HostedClusterIdentitiesArgs, opts?: pulumi.ComponentResourceOptions) {
    super('aks-workload-identity:hypershift:HostedClusterIdentities', name, {}, opts);
    args = checkedArguments('HostedClusterIdentities', name, args, hostedClusterProblems);
    const context = { name, args, parent: this };
    const controlPlane = args.components.map((one) => componentIdentity(context, one));
    const onNodes = args.certificates === undefined ? [] : nodeIdentities(context);
    const written = controlPlane.flatMap(({ secretName, credentials }) =>
      credentials === undefined ? [] : [[secretName, credentials.text] as const],
    );
    heldCredentials.keep(this, new Map(written));
    this.clientIds = pulumi.output(
      Object.fromEntries(controlPlane.map(({ component, clientId }) => [component, clientId])),
    );
    this.dataPlaneClientIds = pulumi.output(Object.fromEntries(onNodes));
    this.credentials = pulumi.output(Object.fromEntries(written));
    this.expiresOn = pulumi.output(
      Object.fromEntries(
        controlPlane.flatMap(({ component, credentials }) =>
          credentials === undefined ? [] : [[component, credentials.notAfter]],
        ),
      ),
    );
    this.spec = pulumi.output<pulumi.Inputs>(identityFields(args, controlPlane, this.dataPlaneClientIds));
    const { clientIds, dataPlaneClientIds, credentials, expiresOn, spec } = this;
    this.registerOutputs({ clientIds, dataPlaneClientIds, credentials, expiresOn, spec });
  }

  /** The credentials by the names of their secrets, which are known in every preview. */
  get secrets(): ReadonlyMap<string, pulumi.Output<string>> {
    return heldCredentials.of(this);
  }
}

interface Context {
  readonly name: string;
  readonly args: HostedClusterIdentitiesArgs;
  readonly parent: HostedClusterIdentities;
}

/**
 * The identities of the hosted cluster's nodes. The HostedCluster names all of them, also that of an image registry that is
 * off, which gets no role.
 */
function nodeIdentities(context: Context) {
  return dataPlaneComponents.map((component) => {
    const name = nodeName(component);
    const identity = federated(context, name, hostedClusterComponents[component].serviceAccounts.slice(0, 1));
    if (context.args.components.some((one) => one.component === component))
      assignRoles(context, name, { component }, identity);
    return [component, identity.clientId] as const;
  });
}

/** The identity of a component of the control plane, with its role. */
function componentIdentity(
  context: Context,
  given: HostedClusterComponentArgs,
): SignInFields & { readonly credentials?: ComponentCredentials } {
  const { name, args, parent } = context;
  const { component, secretName = credentialsSecretName(args.hostedCluster, component) } = given;
  const { shortName, serviceAccounts } = hostedClusterComponents[component];
  const { certificates } = args;
  if (certificates === undefined) {
    const identity = federated(context, shortName, serviceAccounts);
    assignRoles(context, component, given, identity);
    return { component, secretName, clientId: identity.clientId };
  }
  const identity = new CertificateIdentity(
    `${name}/${component}`,
    {
      displayName: identityName(args, shortName),
      certificates: certificates.names,
      validityDays: certificates.validityDays,
      tags: args.entraTags,
      retainOnDelete: args.retainOnDelete,
    },
    { parent },
  );
  assignRoles(context, component, given, identity);
  return {
    component,
    secretName,
    clientId: identity.clientId,
    credentials: credentialsOf(identity, certificates),
  };
}

/** Name of an identity, in Azure or in Entra. */
function identityName(
  { identityPrefix, hostedCluster }: HostedClusterIdentitiesArgs,
  shortName: string,
): string {
  return `${identityPrefix ?? hostedCluster}-${shortName}`;
}

/** A managed identity that trusts service accounts of the hosted cluster. */
function federated(
  { name, args, parent }: Context,
  shortName: string,
  serviceAccounts: readonly ServiceAccountReference[],
): ManagedIdentity {
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
    { identity, issuer, subjects: [...serviceAccounts], audience: hostedClusterAudience },
    { parent },
  );
  return identity;
}

/** Gives the component its role on each of its scopes. */
function assignRoles(
  { name, args, parent }: Context,
  key: string,
  { component, role: guid }: HostedClusterComponentArgs,
  { principalId }: Principal,
): void {
  const ids = scopeIds(args);
  const rule = hostedClusterComponents[component];
  const role = guid === undefined ? rule.role : { guid };
  for (const on of rule.scopes) {
    const scope = ids[on];
    if (scope !== undefined) assignRole(`${name}/${key}/${on}`, { scope, role, principalId }, { parent });
  }
}

function scopeIds({
  scopes,
  key,
}: HostedClusterIdentitiesArgs): Readonly<Record<HostedClusterScope, pulumi.Input<string> | undefined>> {
  return {
    resourceGroup: scopes.resourceGroupId,
    subnet: scopes.subnet,
    virtualNetwork: pulumi.output(scopes.subnet).apply(networkOf),
    networkSecurityGroup: scopes.networkSecurityGroupId,
    dnsZone: scopes.dnsZoneId,
    key: key && pulumi.interpolate`${key.vaultId}/keys/${key.keyName}`,
  };
}
