import type { ParityRow } from './row';
import { ARM, row } from './row';

const FILE = 'networkScopes';

/** Networks and DNS zones, which are scopes of roles. */
export const NETWORKS: readonly ParityRow[] = [
  row(
    ARM,
    [
      'VirtualNetworks_CreateOrUpdate',
      'VirtualNetworks_UpdateTags',
      'VirtualNetworks_Get',
      'VirtualNetworks_Delete',
      'VirtualNetworks_List',
      'VirtualNetworks_ListAll',
      'Subnets_CreateOrUpdate',
      'Subnets_Get',
      'Subnets_Delete',
      'Subnets_List',
    ],
    'Names, address ranges in the network and apart from each other, subnets in the body of the network or by themselves; without them a network loses its subnets before version 2023-09-01, and keeps them since',
    'No packet is sent; IPv4 only; changed at once; no peerings, route tables, gateways and pools: these are refused',
    FILE,
    'creates, reads, tags, lists and deletes a virtual network with its subnets',
  ),
  row(
    ARM,
    ['Subnets_Delete', 'VirtualNetworks_Delete'],
    'Refused while a private endpoint is in the subnet',
    'Private endpoints, vaults and clusters may also name subnets that do not exist here',
    FILE,
    'keeps a subnet while a private endpoint is in it',
  ),
  row(
    ARM,
    [
      'NetworkSecurityGroups_CreateOrUpdate',
      'NetworkSecurityGroups_UpdateTags',
      'NetworkSecurityGroups_Get',
      'NetworkSecurityGroups_Delete',
      'NetworkSecurityGroups_List',
      'NetworkSecurityGroups_ListAll',
    ],
    'One rule for each priority and direction; not deleted while a subnet names the group',
    'Rules are stored and filter no packet; no default rules, no rules by themselves, no application security groups',
    FILE,
    'keeps a network security group while a subnet names it, and its rules as they are written',
  ),
  row(
    ARM,
    [
      'Zones_CreateOrUpdate',
      'Zones_Update',
      'Zones_Get',
      'Zones_Delete',
      'Zones_ListByResourceGroup',
      'Zones_List',
    ],
    'Names, location, If-Match and If-None-Match',
    'No record sets: they are refused, and no name server answers; public zones only; deleted at once',
    FILE,
    'creates, reads, tags, lists and deletes a DNS zone',
  ),
  row(
    ARM,
    ['RoleAssignments_Create', 'Subnets_CreateOrUpdate'],
    'Roles on a network, a subnet, a security group or a zone; a subnet joins a security group only by callers who may do that there',
    '',
    FILE,
    'gives a role on a network, a subnet, a security group or a zone its meaning',
  ),
];
