import { declared } from '../../../policy/declared';
import { found } from './found';

// Reports resources that no rule judges and that may grant access.

describe('not-judged', () => {
  it.each([
    ['azure-native:keyvault:Vault'],
    ['azure-native:authorization:RoleAssignment'],
    ['azure-native:authorization:ManagementLockByScope'],
    ['azure-native:resources:ResourceGroup'],
    ['azuread:index/application:Application'],
    ['azuread:index/groupMember:GroupMember'],
    ['kubernetes:core/v1:Namespace'],
    ['tls:index/privateKey:PrivateKey'],
    ['pulumi:providers:azure'],
    ['aks-workload-identity:vault:KeyVault'],
  ])('does not report %s', (type) => expect(found('not-judged', type, {})).toEqual([]));

  it('reports an identity binding outside the components', () => {
    const type = 'azure-native:containerservice:IdentityBinding';
    expect(found('not-judged', type, {})).toEqual([
      expect.stringContaining('service accounts that others give a role in the cluster can use the identity'),
    ]);
    const within = ['aks-workload-identity:identity:IdentityBinding'];
    expect(found('not-judged', type, {}, {}, { within })).toEqual([]);
  });

  const identity = { userAssignedIdentities: ['/subscriptions/s/id'] };
  const ours = { within: ['aks-workload-identity:entra:ServicePrincipalIdentity'] };
  it.each([
    ['an identity of the cluster', 'azure-native:containerservice:ManagedCluster', { identity }, {}],
    ['an identity of its own', 'azure-native:web:WebApp', { identity: { type: 'SystemAssigned' } }, {}],
    ['a scale set', 'azure-native:compute:VirtualMachineScaleSet', { virtualMachineProfile: {} }, {}],
    ['an application', 'azuread:index/application:Application', { owners: [] }, {}],
    ['what a component owns', 'azuread:index/application:Application', { owners: ['me'] }, ours],
    ['its certificate', 'azuread:index/applicationCertificate:ApplicationCertificate', {}, ours],
    ['a group', 'azuread:index/group:Group', { displayName: 'g', members: [] }, {}],
    ['a service of the operator', 'kubernetes:storage.azure.com:StorageAccount', { spec: {} }, {}],
    [
      'its credential',
      'kubernetes:managedidentity.azure.com:FederatedIdentityCredential',
      { spec: { owner: { name: 'shop-own' } } },
      {},
    ],
    ['a binding', 'kubernetes:rbac.authorization.k8s.io/v1:RoleBinding', {}, {}],
  ])('does not report %s', (_, type, properties, more) => {
    expect(found('not-judged', type, properties, {}, more)).toEqual([]);
  });

  it.each([
    ['azure-native:containerinstance:ContainerGroup', { identity }, 'it has an identity, and anyone who'],
    ['azure-native:web:WebApp', { identity }, 'it has an identity, '],
    ['azure-native:compute:VirtualMachine', { identity }, 'it has an identity, '],
    ['azure-native:app:ContainerApp', { identity: { userAssignedIdentities: { id: {} } } }, 'it has an '],
    ['azure-native:logic:Workflow', { identity }, 'it has an identity, '],
    ['azure-native:automation:AutomationAccount', { identity }, 'it has an identity, '],
    [
      'kubernetes:containerinstance.azure.com:ContainerGroup',
      { spec: { identity: { userAssignedIdentities: [{ reference: { armId: 'id' } }] } } },
      'it has an identity, ',
    ],
    [
      'kubernetes:managedidentity.azure.com:FederatedIdentityCredential',
      { spec: { owner: { armId: '/of/somebody' } } },
      'the trusting identity is not in this stack.',
    ],
    [
      'azure-native:compute:VirtualMachineScaleSet',
      { virtualMachineProfile: { extensionProfile: { extensions: [] } } },
      'its extensions run as root on the machines.',
    ],
    ['azuread:index/application:Application', { owners: ['somebody'] }, 'its owners can register'],
    ['azuread:index/servicePrincipal:ServicePrincipal', { owners: ['somebody'] }, 'its owners can '],
    [
      'azuread:index/group:Group',
      { members: ['somebody'] },
      'its members, its owners or its membership rule ',
    ],
    [
      'azuread:index/group:Group',
      { owners: ['somebody'] },
      'its members, its owners or its membership rule ',
    ],
    ['azuread:index/groupWithoutMembers:GroupWithoutMembers', { owners: ['somebody'] }, 'its members, '],
    ['azuread:index/group:Group', { dynamicMembership: { enabled: true, rule: 'all' } }, 'its members, '],
  ])('reports %s with %j', (type, properties, why) => {
    expect(found('not-judged', type, properties)).toEqual([
      expect.stringContaining(`${type} is not judged: ${why}`),
    ]);
  });

  it.each([
    ['command:local:Command', 'no rule covers the package command.'],
    ['kubernetes:authorization.azure.com:RoleAssignment', 'Azure Service Operator assigns the role.'],
    [
      'kubernetes:keyvault.azure.com:VaultPatch',
      'it changes parts of a resource that is declared elsewhere.',
    ],
    ['kubernetes:containerservice.azure.com:TrustedAccessRoleBinding', 'it assigns roles in a cluster.'],
    [
      'kubernetes:kubernetesconfiguration.azure.com:Extension',
      'the software that it installs administers the cluster.',
    ],
    ['kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBindingPatch', 'it can assign roles in a cluster.'],
    ['kubernetes:rbac.authorization.k8s.io/v1beta1:RoleBinding', 'it can assign roles in a cluster.'],
    [
      'azure-native:compute:VirtualMachineRunCommandByVirtualMachine',
      'the code that it runs is root on the machine',
    ],
    [
      'azure-native:compute:VirtualMachineScaleSetVMRunCommand',
      'the code that it runs is root on the machine',
    ],
    ['azure-native:compute:VirtualMachineScaleSetExtension', 'the code that it runs is root on the machine'],
    ['azure-native:hybridcompute:MachineExtension', 'the code that it runs is root on the machine'],
    [
      'azuread:index/applicationCertificate:ApplicationCertificate',
      "anyone who has the certificate's private key",
    ],
    ['azuread:index/administrativeUnitRoleMember:AdministrativeUnitRoleMember', 'it grants rights in Entra.'],
    ['azure:keyvault/keyVault:KeyVault', 'no rule covers the package azure.'],
    ['azure-native_authorization_v20220401:authorization:RoleAssignment', 'no rule covers the package '],
    ['azapi:resources/resource:Resource', 'no rule covers the package azapi.'],
    ['pulumi-nodejs:dynamic:Resource', 'no rule covers the package pulumi-nodejs.'],
    [
      'azure-native:resources:DeploymentAtSubscriptionScope',
      'the policies do not see what its template or script creates.',
    ],
    [
      'azure-native:resources:DeploymentStackAtResourceGroup',
      'the policies do not see what its template or script creates.',
    ],
    ['azure-native:resources:Resource', 'the policies do not see what its template or script creates.'],
    ['azure-native:blueprint:Assignment', 'the policies do not see what its template or script creates.'],
    ['azure-native:authorization:PimRoleEligibilitySchedule', 'it can assign roles, '],
    ['azure-native:authorization:RoleManagementPolicyAssignment', 'it can assign roles, '],
    ['azure-native:managedidentity:Other', 'it can let others sign in as an identity.'],
    ['azure-native:managedservices:RegistrationAssignment', 'it assigns roles to another directory.'],
    ['azure-native:keyvault:ManagedHsm', 'its keys have their own roles.'],
    ['azure-native:containerservice:TrustedAccessRoleBinding', 'it assigns roles in a cluster.'],
    [
      'azure-native:kubernetesconfiguration:Extension',
      'the software that it installs administers the cluster.',
    ],
    ['azuread:index/appRoleAssignment:AppRoleAssignment', 'it grants rights in Entra.'],
  ])('reports %s', (type, why) => {
    const [what, ...others] = found('not-judged', type, {});
    expect(others).toEqual([]);
    expect(what).toContain(`${type} is not judged: ${why}`);
  });

  it("does not report somebody's component", () => {
    expect(found('not-judged', 'my:own:Component', {}, {}, { isCustom: false })).toEqual([]);
  });

  it.each([['v1api20230131'], ['v1api20230131preview'], ['v1beta20220901'], ['v20250601']])(
    "is decided without the operator's version %s",
    (version) => {
      const urn = `urn:pulumi:prod::p::kubernetes:authorization.azure.com/${version}:RoleAssignment::all`;
      const resource = declared({ urn, name: 'all', props: {}, provider: {} });
      expect(resource.type).toBe('kubernetes:authorization.azure.com:RoleAssignment');
    },
  );

  it.each([['v20230701'], ['v20230701preview'], ['v20190101privatepreview']])(
    'is decided without the version of the API %s',
    (version) => {
      const urn = `urn:pulumi:prod::p::a:b:C$azure-native:keyvault/${version}:Vault::kv`;
      expect(declared({ urn, name: 'kv', props: {}, provider: {} })).toEqual({
        ...{ type: 'azure-native:keyvault:Vault', name: 'kv', isCustom: true, within: ['a:b:C'] },
        properties: {},
      });
    },
  );
});
