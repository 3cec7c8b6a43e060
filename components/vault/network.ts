import { PrivateDnsZoneGroup, PrivateEndpoint } from '@pulumi/azure-native/network';
import * as pulumi from '@pulumi/pulumi';
import { asRange } from '../azure/addressRange';
import { nameRule } from '../azure/naming';
import { tryParseSubnetId } from '../azure/resourceId';
import { digestOf } from '../resource/digest';
import type { NewKeyVault, VaultFirewall, VaultPrivateEndpoint } from './arguments';

/** Returns the firewall as the vault's property. */
export function networkAcls(firewall: VaultFirewall) {
  return {
    defaultAction: 'Deny',
    bypass: firewall.trustedServices ? 'AzureServices' : 'None',
    ipRules: firewall.allowedIpRanges.map((range) => ({ value: pulumi.output(range).apply(asRange) })),
    virtualNetworkRules: firewall.allowedSubnets.map((id) => ({ id })),
  };
}

/** Deploys an endpoint of the vault in a subnet, and the record of its address in the private DNS zone. */
export function endpointInSubnet(
  name: string,
  vaultId: pulumi.Output<string>,
  { vaultName, resourceGroupName, location, tags }: NewKeyVault,
  { subnet, privateDnsZone }: VaultPrivateEndpoint,
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
  const { network = '', name: nameInNetwork = '' } = tryParseSubnetId(subnet) ?? {};
  // Named after its subnet, not its number: the order of endpoints must have no effect. The digest distinguishes networks
  // with the same name in different groups and subscriptions, and names with hyphens. Ids are case-insensitive.
  const digest = digestOf(subnet.toLowerCase());
  const inStack = `${name}/${network}/${nameInNetwork}/${digest}`;
  const endpoint = new PrivateEndpoint(
    inStack,
    {
      resourceGroupName,
      privateEndpointName: pulumi
        .output(vaultName)
        .apply((vault) => endpointName(`pe-${vault}-${network}-${nameInNetwork}`, digest)),
      location,
      subnet: { id: subnet },
      privateLinkServiceConnections: [
        { name: vaultName, privateLinkServiceId: vaultId, groupIds: ['vault'] },
      ],
      tags,
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

/** Returns the name of an endpoint. The digest is never cut off, because two names could be equal without it. */
function endpointName(readable: string, digest: string): string {
  const [, maxLength] = nameRule('privateEndpoint').length;
  return `${readable.slice(0, maxLength - digest.length - 1)}-${digest}`;
}
