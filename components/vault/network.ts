import { PrivateDnsZoneGroup, PrivateEndpoint } from '@pulumi/azure-native/network';
import type * as pulumi from '@pulumi/pulumi';
import { nameRule } from '../azure/naming';
import { tryParseSubnetId } from '../azure/resourceId';
import { InvalidArgumentError } from '../resource/errors';
import { read } from '../resource/given';
import { digestOf } from '../resource/digest';

/** The firewall of a vault: whatever is not named is refused. */
export interface VaultFirewall {
  /** Public IPv4 addresses and ranges (CIDR) that reach the vault. */
  readonly allowedIpRanges: string[];
  /** Ids of the subnets that reach the vault, through the service endpoint Microsoft.KeyVault that they have. */
  readonly allowedSubnets: pulumi.Input<string>[];
  /** Microsoft's trusted services reach the vault. */
  readonly trustedServices: boolean;
}

/** An address of the vault in a network of one's own. */
export interface VaultPrivateEndpoint {
  /** Id of the subnet that the endpoint gets its address in; of the same region and subscription as the endpoint. */
  readonly subnet: string;
  /**
   * Id of the zone `privatelink.vaultcore.azure.net` in which the address is written. Default: none: it is written
   * elsewhere.
   */
  readonly privateDnsZone?: pulumi.Input<string>;
}

/** The firewall as the vault's property. */
export function networkAcls(firewall: VaultFirewall) {
  return {
    defaultAction: 'Deny',
    bypass: firewall.trustedServices ? 'AzureServices' : 'None',
    // Azure answers a single address as a range of one.
    ipRules: firewall.allowedIpRanges.map((range) => ({
      value: range.includes('/') ? range : `${range}/32`,
    })),
    virtualNetworkRules: firewall.allowedSubnets.map((id) => ({ id })),
  };
}

interface EndpointTarget {
  /** Name of the component. */
  readonly name: string;
  /** Name of the vault in Azure. */
  readonly vaultName: pulumi.Input<string>;
  readonly vaultId: pulumi.Output<string>;
  readonly resourceGroupName: pulumi.Input<string>;
  readonly location?: pulumi.Input<string>;
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** An endpoint of the vault in a subnet, and its name in the private zone. */
export function privateEndpoint(
  { name, vaultName, vaultId, resourceGroupName, location, tags }: EndpointTarget,
  { subnet, privateDnsZone }: VaultPrivateEndpoint,
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
  const parsed = tryParseSubnetId(subnet);
  if (parsed === undefined) {
    throw new InvalidArgumentError({
      component: `KeyVault ${name}`,
      argument: 'privateEndpoints',
      value: subnet,
      problem: 'is not the id of a subnet',
      allowed:
        '/subscriptions/<id>/resourceGroups/<group>/providers/Microsoft.Network/virtualNetworks/<network>/subnets/<name>',
    });
  }
  // By its subnet, not by its number: the order in which endpoints are listed means nothing. With the digest, since
  // networks of other groups and subscriptions may have the same name, and hyphens are in names as well.
  const digest = subnetDigest(subnet);
  const inStack = `${name}/${parsed.network}/${parsed.name}/${digest}`;
  const endpoint = new PrivateEndpoint(
    inStack,
    {
      resourceGroupName,
      privateEndpointName: read(vaultName, (vault) =>
        endpointName(`pe-${vault}-${parsed.network}-${parsed.name}`, digest),
      ),
      ...(location !== undefined && { location }),
      subnet: { id: subnet },
      privateLinkServiceConnections: [
        { name: vaultName, privateLinkServiceId: vaultId, groupIds: ['vault'] },
      ],
      ...(tags !== undefined && { tags }),
    },
    opts,
  );
  if (privateDnsZone === undefined) return [endpoint];
  const zoneGroup = new PrivateDnsZoneGroup(
    inStack,
    {
      resourceGroupName,
      privateEndpointName: endpoint.name,
      privateDnsZoneGroupName: 'default',
      privateDnsZoneConfigs: [{ name: 'vaultcore', privateDnsZoneId: privateDnsZone }],
    },
    opts,
  );
  return [endpoint, zoneGroup];
}

/** 32 bits, of the whole id, in which case means nothing: enough for the subnets that one vault is reached from. */
function subnetDigest(subnet: string): string {
  return digestOf(subnet.toLowerCase());
}

/** The digest is never cut off: two readable parts may be the same. */
function endpointName(readable: string, digest: string): string {
  const { maxLength } = nameRule('privateEndpoint');
  return `${readable.slice(0, maxLength - digest.length - 1)}-${digest}`;
}
