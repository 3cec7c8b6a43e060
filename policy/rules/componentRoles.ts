import { builtInRoles as named } from '../../components/azure/roles';
import { hostedClusterAudience } from '../../components/hypershift/components';
import { identityType, vaultType } from '../../components/azure/resourceId';
import { scopeKind } from '../../components/azure/scope';
import { textOf } from '../../components/resource/fields';
import { typeOfScope } from './reach';
import type { Declared, Environment } from './rule';

// Roles and audiences that components of the program need for their own function. The rules refuse them to all others.

const tokenOf = (component: string): string => `aks-workload-identity:${component}`;
const hostedIdentities = 'hypershift:HostedClusterIdentities';

/** Type token of the component for pipelines' identities. */
export const pipelineIdentity = tokenOf('identity:PipelineIdentity');

/** A role that a component needs to assign for its own function. */
interface ComponentRole {
  /** Type token of the parent component. */
  readonly within: string;
  readonly roles: readonly string[];
  /** Kind of the scope, or type of the resource. */
  readonly on: string;
}

const group = 'resource group';
const { contributor, keyVaultContributor, managedIdentityContributor } = named;
const componentRoles: readonly ComponentRole[] = [
  // Azure Service Operator, on the resource group of the services that it provisions.
  {
    within: 'stacks:Cluster',
    roles: [contributor, keyVaultContributor, managedIdentityContributor],
    on: group,
  },
  {
    within: 'identity:PipelineIdentity',
    roles: [contributor, named.aksClusterAdmin, named.aksClusterUser],
    on: group,
  },
  { within: 'podIdentity:PodIdentity', roles: [named.managedIdentityOperator], on: identityType },
  // Its controller assigns identities to the nodes, which are in their own resource group.
  { within: 'podIdentity:PodIdentity', roles: [named.virtualMachineContributor], on: group },
  // For the nodes of a hosted cluster, on its resource group.
  {
    within: hostedIdentities,
    roles: [named.openShiftClusterApiProvider, named.openShiftDiskStorageOperator],
    on: group,
  },
  // A vault that is created for one application belongs to it: the application writes its own secrets.
  { within: 'dependency:AzureDependency', roles: [named.keyVaultSecretsOfficer], on: vaultType },
];

/** Tells whether a component assigns the role on the scope for its own function. */
export const isComponentRole = (within: readonly string[], guid: string, scope: string): boolean =>
  componentRoles.some(
    ({ within: component, roles, on }) =>
      within.at(-1) === tokenOf(component) &&
      roles.includes(guid) &&
      (scopeKind(scope) === on || typeOfScope(scope) === on.toLowerCase()),
  );

/** Tells whether a resource is an object of the vendor's manifests. HyperShift's operator administrates the management cluster. */
export const isInVendorManifest = ({ within }: Declared): boolean =>
  within.at(-1) === tokenOf('hypershift:HyperShiftOperator');

/** Audiences that only some federated credentials may have: those that trust tokens of hosted clusters. */
export const furtherAudiences = ({ within, properties }: Declared, { issuers }: Environment): string[] =>
  within.includes(tokenOf(hostedIdentities)) || issuers.includes(textOf(properties.issuer))
    ? [hostedClusterAudience]
    : [];
