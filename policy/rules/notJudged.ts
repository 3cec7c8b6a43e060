import { fieldsOf } from '../../components/resource/fields';
import { inAzure } from './operator';
import type { Declared, Rule } from './rule';

/** Packages that the program uses. For these, the rules know what grants access; any other package can do anything. */
const packages = ['aks-workload-identity', 'azure-native', 'azuread', 'kubernetes', 'pulumi', 'tls'];

/** Resources that can grant access in a way that no rule checks. */
interface Unseen {
  /** Types without API version; for Azure Service Operator, also those of the Azure resources. */
  readonly type: RegExp;
  readonly how: string;
  /** Limits the row to some resources of the type. Default: all of them. */
  readonly of?: (resource: Declared) => boolean;
}

/** Tells whether a resource is outside the project's own components. */
const isForeign = ({ within }: Declared): boolean =>
  !within.some((type) => type.startsWith('aks-workload-identity:'));

/** Tells whether an array or object is not empty. */
const isNonEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : Object.keys(fieldsOf(value)).length > 0;

const unseen: readonly Unseen[] = [
  {
    type: /^azure-native:authorization:(?!(RoleAssignment|RoleDefinition|ManagementLock\w*)$)/,
    how: 'it can assign roles, now or on request, or deploy resources that do',
  },
  { type: /^kubernetes:authorization\.azure\.com:/, how: 'Azure Service Operator assigns the role' },
  {
    type: /^kubernetes:(managedidentity|keyvault)\.azure\.com:\w+Patch$/,
    how: 'it changes parts of a resource that is declared elsewhere',
  },
  {
    type: /^kubernetes:managedidentity\.azure\.com:FederatedIdentityCredential$/,
    how: 'the trusting identity is not in this stack',
    of: ({ properties }) => fieldsOf(properties.owner).armId !== undefined,
  },
  { type: /^azure-native:managedservices:/, how: 'it assigns roles to another directory' },
  {
    type: /^azure-native:managedidentity:(?!(UserAssignedIdentity|FederatedIdentityCredential)(Patch)?$)/,
    how: 'it can let others sign in as an identity',
  },
  { type: /^azure-native:keyvault:(ManagedHsm|MHSM)/, how: 'its keys have their own roles' },
  {
    type: /^azure-native:(resources:(Deployment|Resource$|AzureCliScript|AzurePowerShellScript|TemplateSpec)|blueprint:|solutions:Application)/,
    how: 'the policies do not see what its template or script creates',
  },
  {
    type: /^azure-native:containerservice:(TrustedAccessRoleBinding|ManagedNamespace)/,
    how: 'it assigns roles in a cluster',
  },
  {
    type: /^azure-native:containerservice:IdentityBinding$/,
    how: 'service accounts that others give a role in the cluster can use the identity',
    of: isForeign,
  },
  {
    type: /^azure-native:kubernetesconfiguration:(Extension|FluxConfiguration|SourceControlConfiguration)$/,
    how: 'the software that it installs administers the cluster',
  },
  {
    type: /^azure-native:(compute:VirtualMachine\w*|hybridcompute:Machine)(RunCommand|Extension)/,
    how: 'the code that it runs is root on the machine, with the access of everything that runs there',
  },
  {
    type: /^azure-native:compute:VirtualMachineScaleSet$/,
    how: 'its extensions run as root on the machines',
    of: ({ properties }) => isNonEmpty(fieldsOf(properties.virtualMachineProfile).extensionProfile),
  },
  {
    type: /^azure-native:(?!containerservice:ManagedCluster$)/,
    how: "it has an identity, and anyone who deploys to it gets that identity's access",
    of: ({ properties }) => isNonEmpty(fieldsOf(properties.identity).userAssignedIdentities),
  },
  {
    type: /^kubernetes:rbac\.authorization\.k8s\.io\/(?!v1:(Cluster)?Role(Binding)?$)/,
    how: 'it can assign roles in a cluster',
  },
  {
    type: /^azuread:index\/(administrativeUnitRoleMember|appRoleAssignment|applicationOwner|customDirectoryRole|directoryRole|privilegedAccess|servicePrincipalDelegatedPermissionGrant|accessPackage)/,
    how: 'it grants rights in Entra',
  },
  {
    type: /^azuread:index\/(application|servicePrincipal):/,
    how: 'its owners can register credentials for it and sign in as it',
    // Those of the project's components are owned by the account that creates them.
    of: (resource) => isForeign(resource) && isNonEmpty(resource.properties.owners),
  },
  {
    type: /^azuread:index\/\w+Certificate:/,
    how: "anyone who has the certificate's private key can sign in with it",
    of: isForeign,
  },
  {
    type: /^azuread:index\/group(WithoutMembers)?:/,
    how: 'its members, its owners or its membership rule are in the group itself, not each in a GroupMember',
    of: ({ properties: { members, owners, dynamicMembership } }) =>
      [members, owners, dynamicMembership].some(isNonEmpty),
  },
];

function reasonNotJudged(resource: Declared): string | undefined {
  const { type, isCustom } = resource;
  const [name = ''] = type.split(':');
  const azureResource = inAzure(resource);
  const row = unseen.find(
    ({ type: pattern, of: isAffected }) =>
      (pattern.test(type) || pattern.test(azureResource.type)) && (isAffected?.(azureResource) ?? true),
  );
  if (row !== undefined)
    return `${row.how}. Use a type that the policies evaluate; or review the resource, and add an exception`;
  return isCustom && !packages.includes(name)
    ? `no rule covers the package ${name}. Use a resource of azure-native, azuread or kubernetes`
    : undefined;
}

/** Reports resources that no rule can judge, and refuses them in production. */
export const notJudged: Rule = {
  name: 'not-judged',
  description: 'Resources that can give access are of types that the policies judge.',
  level: ({ production }) => (production ? 'mandatory' : 'advisory'),
  types: 'all',
  check(resource) {
    const reason = reasonNotJudged(resource);
    return reason === undefined ? [] : [`${resource.type} is not judged: ${reason}.`];
  },
};
