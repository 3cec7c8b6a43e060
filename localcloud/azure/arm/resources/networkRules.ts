import { isAligned, isWithin, overlap, parseRange } from '../../network';
import type { ResourceDocument } from '../../store/documents';
import type { ArmContext } from '../context';
import { ArmError } from '../errors';
import { sameId } from '../resourceId';
import { ENDPOINT_TYPE } from './privateEndpointConnections';

export const SUBNET_TYPE = 'Microsoft.Network/virtualNetworks/subnets';

/**
 * Refuses invalid address prefixes. Source of the codes: public clients of Azure that match them; the texts are not known. IPv6
 * is not supported.
 */
export function checkPrefixes(prefixes: readonly string[], path: string): void {
  for (const prefix of prefixes) {
    if (!prefix.includes('/') || parseRange(prefix) === undefined) {
      throw new ArmError(
        400,
        'InvalidAddressPrefixFormat',
        `The address prefix '${prefix}' at ${path} is not an IPv4 range in CIDR notation, such as 10.0.0.0/16.`,
        { target: path },
      );
    }
    if (isAligned(prefix)) continue;
    throw new ArmError(
      400,
      'InvalidCIDRNotation',
      `The address prefix '${prefix}' at ${path} has an invalid CIDR notation: it does not begin with the first address of the range.`,
      { target: path },
    );
  }
}

/** Name and address prefixes of a subnet. */
export interface Addressed {
  name: string;
  prefixes: readonly string[];
}

/**
 * Refuses a subnet outside the address space, and subnets that overlap. Codes and the first text: as the Azure CLI prints them;
 * the second text is assumed.
 */
export function checkAddresses(
  network: string,
  space: readonly string[],
  subnets: readonly Addressed[],
): void {
  for (const [index, { name, prefixes }] of subnets.entries()) {
    if (!prefixes.every((prefix) => space.some((range) => isWithin(prefix, range)))) {
      throw new ArmError(
        400,
        'NetcfgSubnetRangeOutsideVnet',
        `Subnet '${name}' is not valid because its IP address range is outside the IP address range of virtual network '${network}'.`,
      );
    }
    const other = subnets
      .slice(0, index)
      .find((each) => each.prefixes.some((existing) => prefixes.some((prefix) => overlap(existing, prefix))));
    if (other === undefined) continue;
    throw new ArmError(
      400,
      'NetcfgSubnetRangesOverlap',
      `Subnet '${name}' is not valid because its IP address range overlaps with that of an existing subnet '${other.name}' in virtual network '${network}'.`,
    );
  }
}

/** Refuses to delete a subnet with a private endpoint. Source of code and text: hashicorp/terraform-provider-azurerm. */
export function checkSubnetUnused(context: ArmContext, subnet: ResourceDocument): void {
  const user = context.store.ofType(ENDPOINT_TYPE).find(({ properties }) => {
    const used = properties['subnet'];
    return typeof used === 'object' && used !== null && 'id' in used && sameId(String(used.id), subnet.id);
  });
  if (user === undefined) return;
  throw new ArmError(
    400,
    'InUseSubnetCannotBeDeleted',
    `Subnet ${subnet.name} is in use by ${user.id} and cannot be deleted. In order to delete the subnet, delete all the resources within the subnet. See aka.ms/deletesubnet.`,
  );
}
