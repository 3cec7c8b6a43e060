import type { Value } from '../protocol';
import type { Declared } from '../resources/shapes/extract';
import { functionTypes } from './functionTable';
import {
  cluster,
  clusterTop,
  diagnosticSetting,
  endpointTop,
  group,
  identity,
  privateEndpoint,
  vault,
  workspace,
  workspaceTop,
} from './paths';
import {
  clusterDefaults,
  endpointChosen,
  endpointDefaults,
  endpointNested,
  noTags,
  roleDefaults,
  vaultDefaults,
  workspaceDefaults,
} from './serviceDefaults';

/** How one resource type is addressed, named and replaced. shapes/ has its API version, and the names and kinds of its properties. */
export interface ResourceType {
  /** The type token in the npm package (`__pulumiType`). */
  token: string;
  /** Template of the resource id, with inputs in braces. The last input is the resource's own name. */
  path: string;
  /**
   * How a missing name is generated. `random`: the Pulumi name and 8 hexadecimal digits. `copy`: the Pulumi name, for
   * child resources. `guid`: a random GUID.
   */
  autoName?: 'random' | 'copy' | 'guid';
  /**
   * Inputs at the top level of the request body. All others go below `properties`, whose members are outputs of the
   * resource. Undefined: the declarations themselves contain `properties`.
   */
  top?: readonly string[];
  /** True if the default location is the resource group's (or the provider's). */
  defaultLocation?: boolean;
  /** Paths of inputs whose change needs a replacement. Those of inputs in the resource id always do. */
  replace?: readonly string[];
  /**
   * Paths of lists that other resources may maintain. If the program does not set such a list, it is created empty,
   * updates do not change it, and it does not appear as drift.
   */
  maintained?: readonly string[];
  /**
   * The service's values for omitted inputs, by path (`[]` for each element of a list). A program that states such a
   * value changes nothing (the official plugin writes it once more after an import). Strings are compared without regard
   * to case, like Azure's enumerations.
   */
  defaults?: Readonly<Record<string, Value>>;
  /**
   * Paths of values that the service chooses if the program omits them. They are not inputs of an imported resource.
   */
  chosen?: readonly string[];
  /** Members that are not below `properties` in the API, by path of their object, or of a list of objects (`[]`). */
  nested?: Readonly<Record<string, readonly string[]>>;
  /** The API's names of members below `properties` that have another name in the declarations. */
  renamed?: Readonly<Record<string, string>>;
  /** Paths of lists of resource ids that the API represents as a map with empty values. */
  idSets?: readonly string[];
  /** Set for a type whose operations are not the usual ones of the resource manager on an id. */
  special?: 'accessPolicy' | 'vaultSecret';
}

/**
 * The supported resource types. Sources for the changes that need a replacement: provider/pkg/gen/replacement.go of
 * pulumi/pulumi-azure-native, and the create-only properties of the API's specifications (`x-ms-mutability`), such as the
 * location of tracked resources.
 */
export const resourceTypes: readonly ResourceType[] = [
  {
    token: 'azure-native:resources:ResourceGroup',
    path: group,
    autoName: 'random',
    defaultLocation: true,
    replace: ['location'],
    defaults: noTags,
  },
  {
    token: 'azure-native:managedidentity:UserAssignedIdentity',
    path: identity,
    autoName: 'random',
    top: ['location', 'tags'],
    defaultLocation: true,
    replace: ['location'],
    defaults: noTags,
  },
  {
    token: 'azure-native:managedidentity:FederatedIdentityCredential',
    path: `${identity}/federatedIdentityCredentials/{federatedIdentityCredentialResourceName}`,
    autoName: 'copy',
    top: [],
  },
  {
    token: 'azure-native:keyvault:Vault',
    path: vault,
    autoName: 'random',
    defaultLocation: true,
    maintained: ['properties.accessPolicies'],
    defaults: vaultDefaults,
  },
  {
    token: 'azure-native:keyvault:AccessPolicy',
    path: `${vault}/accessPolicy/{policy.objectId}`,
    special: 'accessPolicy',
  },
  {
    token: 'azure-native:keyvault:Secret',
    path: `${vault}/secrets/{secretName}`,
    autoName: 'copy',
    special: 'vaultSecret',
    defaults: {
      ...noTags,
      'properties.attributes': { enabled: true },
      'properties.attributes.enabled': true,
    },
  },
  {
    token: 'azure-native:authorization:RoleAssignment',
    path: '/{scope}/providers/Microsoft.Authorization/roleAssignments/{roleAssignmentName}',
    autoName: 'guid',
    top: [],
    replace: ['principalId'],
    chosen: ['principalType'],
  },
  {
    token: 'azure-native:authorization:RoleDefinition',
    path: '/{scope}/providers/Microsoft.Authorization/roleDefinitions/{roleDefinitionId}',
    autoName: 'guid',
    top: [],
    renamed: { roleType: 'type' },
    defaults: roleDefaults,
  },
  {
    token: 'azure-native:authorization:ManagementLockByScope',
    path: '/{scope}/providers/Microsoft.Authorization/locks/{lockName}',
    autoName: 'random',
    top: [],
  },
  {
    token: 'azure-native:containerservice:ManagedCluster',
    path: cluster,
    autoName: 'random',
    top: clusterTop,
    defaultLocation: true,
    replace: [
      'diskEncryptionSetID',
      'dnsPrefix',
      'fqdnSubdomain',
      'linuxProfile',
      'location',
      'nodeResourceGroup',
      'windowsProfile',
      'networkProfile.serviceCidr',
      'networkProfile.serviceCidrs',
      'networkProfile.dnsServiceIP',
      'networkProfile.networkMode',
      'networkProfile.networkPlugin',
      'networkProfile.networkPluginMode',
      'networkProfile.podCidr',
      'networkProfile.networkDataplane',
      'networkProfile.networkPolicy',
      'networkProfile.outboundType',
    ],
    idSets: ['identity.userAssignedIdentities'],
    defaults: clusterDefaults,
    chosen: [
      'nodeResourceGroup',
      'kubernetesVersion',
      'identityProfile',
      'agentPoolProfiles[].orchestratorVersion',
      'agentPoolProfiles[].powerState',
    ],
  },
  {
    token: 'azure-native:containerservice:IdentityBinding',
    path: `${cluster}/identityBindings/{identityBindingName}`,
    autoName: 'copy',
    replace: ['properties.managedIdentity.resourceId'],
  },
  {
    token: 'azure-native:operationalinsights:Workspace',
    path: workspace,
    autoName: 'random',
    top: workspaceTop,
    defaultLocation: true,
    replace: ['location'],
    defaults: workspaceDefaults,
  },
  {
    token: 'azure-native:monitor:DiagnosticSetting',
    path: diagnosticSetting,
    autoName: 'copy',
    top: [],
    defaults: { logs: [], metrics: [] },
  },
  {
    token: 'azure-native:network:PrivateEndpoint',
    path: privateEndpoint,
    autoName: 'random',
    top: endpointTop,
    defaultLocation: true,
    replace: ['location', 'subnet'],
    defaults: endpointDefaults,
    chosen: endpointChosen,
    nested: endpointNested,
  },
  {
    token: 'azure-native:network:PrivateDnsZoneGroup',
    path: `${privateEndpoint}/privateDnsZoneGroups/{privateDnsZoneGroupName}`,
    autoName: 'copy',
    top: ['id', 'name'],
    chosen: ['id', 'name'],
    nested: { 'privateDnsZoneConfigs[]': ['name'] },
  },
];

/** Functions about the provider itself. */
export const clientFunctions = {
  config: 'azure-native:authorization:getClientConfig',
  token: 'azure-native:authorization:getClientToken',
} as const;

const byToken = new Map(resourceTypes.map((type) => [type.token.toLowerCase(), type]));

/**
 * Returns the entry of a type. Versioned tokens (`azure-native:keyvault/v20230701:Vault`) in older states mean the same
 * type, because the npm package aliases them.
 */
export function resourceType(token: string): ResourceType | undefined {
  return byToken.get(token.replace(/\/v\d{8}[a-z]*:/, ':').toLowerCase());
}

/** Returns the types and functions whose declarations shapes/shapes.json contains. */
export function declaredTypes(): Declared[] {
  return [
    ...resourceTypes.map((type): Declared => ({ token: type.token, kind: 'resource' })),
    ...[...functionTypes.map((type) => type.token), ...Object.values(clientFunctions)].map(
      (token): Declared => ({ token, kind: 'function' }),
    ),
  ];
}
