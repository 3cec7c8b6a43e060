import { fieldsOf } from '../../stacks/offline';
import { inAzure } from './operator';
import type { Declared, Rule } from './rule';

/** Packages that the program itself uses: of these, the rules know what gives access. Any other can do anything. */
const packages = ['aks-workload-identity', 'azure-native', 'azuread', 'kubernetes', 'pulumi', 'tls'];

/** What can give access in a way that no rule looks at. */
interface Unseen {
  /** Types without the version of their API; of Azure Service Operator, also what it makes in Azure. */
  readonly type: RegExp;
  readonly how: string;
  /** Of these only. Default: of all. */
  readonly of?: (resource: Declared) => boolean;
}

const isOthers = ({ within }: Declared): boolean =>
  !within.some((type) => type.startsWith('aks-workload-identity:'));

/** Whether a value has anything in it. */
const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : Object.keys(fieldsOf(value)).length > 0;

const unseen: readonly Unseen[] = [
  {
    type: /^azure-native:authorization:(?!(RoleAssignment|RoleDefinition|ManagementLock\w*)$)/,
    how: 'it can give roles, now or when somebody asks for them, or deploy what gives them',
  },
  { type: /^kubernetes:authorization\.azure\.com:/, how: 'Azure Service Operator gives the role' },
  {
    type: /^kubernetes:(managedidentity|keyvault)\.azure\.com:\w+Patch$/,
    how: 'it changes a part of what others declare',
  },
  {
    type: /^kubernetes:managedidentity\.azure\.com:FederatedIdentityCredential$/,
    how: 'the identity that is to trust is one of elsewhere',
    of: ({ properties }) => fieldsOf(properties.owner).armId !== undefined,
  },
  { type: /^azure-native:managedservices:/, how: 'it gives roles to another directory' },
  {
    type: /^azure-native:managedidentity:(?!(UserAssignedIdentity|FederatedIdentityCredential)(Patch)?$)/,
    how: 'it can let others sign in as an identity',
  },
  { type: /^azure-native:keyvault:(ManagedHsm|MHSM)/, how: 'its keys have roles of their own' },
  {
    type: /^azure-native:(resources:(Deployment|Resource$|AzureCliScript|AzurePowerShellScript|TemplateSpec)|blueprint:|solutions:Application)/,
    how: 'what its template or script makes is not seen',
  },
  {
    type: /^azure-native:containerservice:(TrustedAccessRoleBinding|ManagedNamespace)/,
    how: 'it gives roles in a cluster',
  },
  {
    type: /^azure-native:kubernetesconfiguration:(Extension|FluxConfiguration|SourceControlConfiguration)$/,
    how: 'what it installs administrates the cluster',
  },
  {
    type: /^azure-native:(compute:VirtualMachine\w*|hybridcompute:Machine)(RunCommand|Extension)/,
    how: 'what it runs is root on the machine, and has the access of all that runs there',
  },
  {
    type: /^azure-native:compute:VirtualMachineScaleSet$/,
    how: 'what its extensions run is root on its machines',
    of: ({ properties }) => isGiven(fieldsOf(properties.virtualMachineProfile).extensionProfile),
  },
  {
    type: /^azure-native:(?!containerservice:ManagedCluster$)/,
    how: 'it has an identity, and whoever deploys to it has the access of that',
    of: ({ properties }) => isGiven(fieldsOf(properties.identity).userAssignedIdentities),
  },
  {
    type: /^kubernetes:rbac\.authorization\.k8s\.io\/(?!v1:(Cluster)?Role(Binding)?$)/,
    how: 'it can give roles in a cluster',
  },
  {
    type: /^azuread:index\/(administrativeUnitRoleMember|appRoleAssignment|applicationOwner|customDirectoryRole|directoryRole|privilegedAccess|servicePrincipalDelegatedPermissionGrant|accessPackage)/,
    how: 'it gives rights in Entra',
  },
  {
    type: /^azuread:index\/(application|servicePrincipal):/,
    how: 'its owners can register credentials for it, and sign in as it',
    // Those of the project's components are owned by whoever makes them.
    of: (resource) => isOthers(resource) && isGiven(resource.properties.owners),
  },
  {
    type: /^azuread:index\/\w+Certificate:/,
    how: 'whoever has the key of the certificate can sign in by it',
    of: isOthers,
  },
  {
    type: /^azuread:index\/group(WithoutMembers)?:/,
    how: 'its members, or who decides on them, are in it and not each in a GroupMember',
    of: ({ properties: { members, owners, dynamicMembership } }) =>
      [members, owners, dynamicMembership].some(isGiven),
  },
];

function whyNot(resource: Declared): string | undefined {
  const { type, isCustom } = resource;
  const [name = ''] = type.split(':');
  const made = inAzure(resource);
  const [row] = unseen.filter(
    (one) => [resource, made].some((each) => one.type.test(each.type)) && (one.of?.(made) ?? true),
  );
  if (row !== undefined)
    return `${row.how}. Make what it is for of what the policies judge; or look at it, and write an exception`;
  return isCustom && !packages.includes(name)
    ? `no rule knows the package ${name}. Make what it is for of azure-native, azuread or kubernetes`
    : undefined;
}

/** Where no rule can look, it is said, and refused in production. */
export const notJudged: Rule = {
  name: 'not-judged',
  description: 'What can give access is of a type that the policies look at.',
  level: ({ production }) => (production ? 'mandatory' : 'advisory'),
  types: 'all',
  check(resource) {
    const why = whyNot(resource);
    return why === undefined ? [] : [`${resource.type} is not judged: ${why}.`];
  },
};
