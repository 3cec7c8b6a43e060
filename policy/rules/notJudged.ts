import type { Rule } from './rule';

/** Packages of which the rules know what gives access, or whose resources give none. */
const packages = [
  'aks-workload-identity',
  'azure-native',
  'azuread',
  'command',
  'kubernetes',
  'pulumi',
  'tls',
];

/** What can give access in a way that no rule looks at, with how; by types without the version of their API. */
const unseen: readonly (readonly [RegExp, string])[] = [
  [
    /^azure-native:authorization:(?!(RoleAssignment|RoleDefinition|ManagementLock\w*)$)/,
    'it can give roles, now or when somebody asks for them, or deploy what gives them',
  ],
  [/^azure-native:managedservices:/, 'it gives roles to another directory'],
  [
    /^azure-native:managedidentity:(?!(UserAssignedIdentity|FederatedIdentityCredential)$)/,
    'it can let others sign in as an identity',
  ],
  [/^azure-native:keyvault:(ManagedHsm|MHSM)/, 'its keys have roles of their own'],
  [
    /^azure-native:(resources:(Deployment|Resource$|AzureCliScript|AzurePowerShellScript|TemplateSpec)|blueprint:|solutions:Application)/,
    'what its template or script makes is not seen',
  ],
  [
    /^azure-native:containerservice:(TrustedAccessRoleBinding|ManagedNamespace)$/,
    'it gives roles in a cluster',
  ],
  [
    /^azure-native:kubernetesconfiguration:(Extension|FluxConfiguration|SourceControlConfiguration)$/,
    'what it installs administrates the cluster',
  ],
  [
    /^azuread:index\/(appRoleAssignment|applicationOwner|customDirectoryRole|directoryRole|privilegedAccess|servicePrincipalDelegatedPermissionGrant|accessPackage)/,
    'it gives rights in Entra',
  ],
];

/** Where no rule can look, it is said, and refused in production. */
export const notJudged: Rule = {
  name: 'not-judged',
  description: 'What can give access is of a type that the policies look at.',
  level: ({ production }) => (production ? 'mandatory' : 'advisory'),
  types: 'all',
  check({ type, isCustom }) {
    const [name = ''] = type.split(':');
    const [, how] = unseen.find(([pattern]) => pattern.test(type)) ?? [];
    const why =
      how ?? (isCustom && !packages.includes(name) ? `no rule knows the package ${name}` : undefined);
    return why === undefined
      ? []
      : [`${type} is not judged: ${why}. Make what it is for of azure-native, azuread or kubernetes.`];
  },
};
