import type { RoleDefinition } from './roleDefinition';
import { role } from './roleDefinition';

const of = (prefix: string, ...kinds: readonly string[]): string[] =>
  kinds.map((kind) => `${prefix}/${kind}`);

const compute = (...actions: readonly string[]): string[] => of('Microsoft.Compute', ...actions);
const network = (...actions: readonly string[]): string[] => of('Microsoft.Network', ...actions);
const storage = (...actions: readonly string[]): string[] =>
  of('Microsoft.Storage/storageAccounts', ...actions);

/**
 * Roles of OpenShift's operators, which hosted clusters assign to their identities. Sources: MicrosoftDocs/azure-docs
 * `articles/role-based-access-control/built-in-roles/containers.md` of 2025-06-30; for the two of hosted control planes
 * azure-rbac-catalog.org (Cluster API Provider as of 2025-08-06, Control Plane Operator as of 2025-05-06), which also
 * has the Cluster Ingress, Disk Storage and Network Operator as here; for the Image Registry Operator as of 2025-07-28
 * azadvertizer.net, which counts its operations by kind, and Azure/ARO-HCP
 * `dev-infrastructure/configurations/dev-operator-roles.bicepparam`, whose copy of the role has as many of each.
 */
export const OPENSHIFT_ROLES: readonly RoleDefinition[] = [
  role(
    'a1f96423-95ce-4224-ab27-4e3dc72facd4',
    'Azure Red Hat OpenShift Cloud Controller Manager',
    'Manage and update the cloud controller manager of OpenShift.',
    {
      actions: [
        ...compute('virtualMachines/read'),
        ...network(
          'loadBalancers/backendAddressPools/join/action',
          'loadBalancers/read',
          'loadBalancers/write',
          'networkInterfaces/read',
          'networkInterfaces/write',
          'networkSecurityGroups/read',
          'networkSecurityGroups/write',
          'publicIPAddresses/join/action',
          'publicIPAddresses/read',
          'publicIPAddresses/write',
          'virtualNetworks/subnets/join/action',
          'virtualNetworks/subnets/read',
          'loadBalancers/inboundNatRules/join/action',
          'networkSecurityGroups/join/action',
          'publicIPPrefixes/join/action',
          'applicationSecurityGroups/joinNetworkSecurityRule/action',
        ),
      ],
    },
  ),
  role(
    '0336e1d3-7a87-462b-b6db-342b63f7802c',
    'Azure Red Hat OpenShift Cluster Ingress Operator',
    'Manage and configure the OpenShift router.',
    {
      actions: network(
        'dnsZones/A/delete',
        'dnsZones/A/write',
        'privateDnsZones/A/delete',
        'privateDnsZones/A/write',
        'virtualNetworks/subnets/read',
        'virtualNetworks/subnets/join/action',
      ),
    },
  ),
  role(
    '5b7237c5-45e1-49d6-bc18-a1f62f400748',
    'Azure Red Hat OpenShift Disk Storage Operator',
    'Install the CSI drivers for Azure Disks and set the default storage class.',
    {
      actions: [
        ...compute(
          'virtualMachines/write',
          'virtualMachines/read',
          'virtualMachineScaleSets/virtualMachines/write',
          'virtualMachineScaleSets/virtualMachines/read',
          'virtualMachineScaleSets/read',
          'snapshots/write',
          'snapshots/read',
          'snapshots/delete',
          'locations/operations/read',
          'locations/DiskOperations/read',
          'disks/write',
          'disks/read',
          'disks/delete',
          'disks/beginGetAccess/action',
          'diskEncryptionSets/read',
        ),
        'Microsoft.Resources/subscriptions/resourceGroups/read',
      ],
    },
  ),
  role(
    '0d7aedc0-15fd-4a67-a412-efad370c947e',
    'Azure Red Hat OpenShift File Storage Operator',
    'Install the CSI drivers for Azure Files and set the default storage class.',
    {
      actions: [
        ...storage(
          'delete',
          'fileServices/read',
          'fileServices/shares/delete',
          'fileServices/shares/read',
          'fileServices/shares/write',
          'listKeys/action',
          'read',
          'write',
        ),
        ...network(
          'networkSecurityGroups/join/action',
          'virtualNetworks/subnets/read',
          'virtualNetworks/subnets/write',
          'routeTables/join/action',
          'natGateways/join/action',
        ),
      ],
    },
  ),
  role(
    '8b32b316-c2f5-4ddf-b05b-83dacd2d08b5',
    'Azure Red Hat OpenShift Image Registry Operator',
    'Manage the OpenShift image registry, its storage included.',
    {
      actions: [
        ...storage(
          'blobServices/read',
          'blobServices/containers/read',
          'blobServices/containers/write',
          'blobServices/containers/delete',
          'blobServices/generateUserDelegationKey/action',
          'read',
          'write',
          'delete',
          'listKeys/action',
          'PrivateEndpointConnectionsApproval/action',
        ),
        'Microsoft.Resources/tags/write',
        ...network(
          'privateEndpoints/write',
          'privateEndpoints/read',
          'privateEndpoints/privateDnsZoneGroups/write',
          'privateEndpoints/privateDnsZoneGroups/read',
          'privateDnsZones/read',
          'privateDnsZones/write',
          'privateDnsZones/join/action',
          'privateDnsZones/A/write',
          'privateDnsZones/virtualNetworkLinks/write',
          'privateDnsZones/virtualNetworkLinks/read',
          'networkInterfaces/read',
          'virtualNetworks/subnets/read',
          'virtualNetworks/subnets/join/action',
          'virtualNetworks/join/action',
        ),
      ],
      dataActions: storage(
        ...of('blobServices/containers/blobs', ...['delete', 'write', 'read', 'add/action', 'move/action']),
      ),
    },
  ),
  role(
    'be7a6435-15ae-4171-8f30-4a343eff9e8f',
    'Azure Red Hat OpenShift Network Operator',
    'Install and upgrade the networking components of an OpenShift cluster.',
    {
      actions: [
        ...network(
          'networkInterfaces/read',
          'networkInterfaces/write',
          'virtualNetworks/read',
          'virtualNetworks/subnets/join/action',
          'loadBalancers/backendAddressPools/join/action',
          'loadBalancers/backendAddressPools/read',
        ),
        ...compute('virtualMachines/read'),
      ],
    },
  ),
  role(
    '88366f10-ed47-4cc0-9fab-c8a06148393e',
    'Azure Red Hat OpenShift Hosted Control Planes Cluster API Provider',
    'Let Cluster API manage the nodes, networks and disks of an OpenShift cluster.',
    {
      actions: [
        ...compute(
          'disks/delete',
          'disks/read',
          'disks/write',
          'diskEncryptionSets/read',
          'availabilitySets/delete',
          'availabilitySets/read',
          'availabilitySets/write',
          'virtualMachines/delete',
          'virtualMachines/read',
          'virtualMachines/write',
        ),
        ...network(
          'loadBalancers/backendAddressPools/join/action',
          'networkInterfaces/delete',
          'networkInterfaces/join/action',
          'networkInterfaces/read',
          'networkInterfaces/write',
          'virtualNetworks/subnets/join/action',
        ),
      ],
    },
  ),
  role(
    'fc0c873f-45e9-4d0d-a7d1-585aab30c6ed',
    'Azure Red Hat OpenShift Hosted Control Planes Control Plane Operator',
    'Let the control plane operator read what an OpenShift cluster needs.',
    {
      actions: [
        'Microsoft.Resources/subscriptions/resourceGroups/read',
        ...network('virtualNetworks/read', 'networkSecurityGroups/read'),
      ],
    },
  ),
];
