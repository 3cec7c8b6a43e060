import { inRanges, parseRange } from '../../network';
import { badRequest } from '../errors';
import { checkReference } from './scopes';
import type { NetworkAcls } from './vaultSchema';

/** Source: MicrosoftDocs/azure-docs `articles/key-vault/general/service-limits.md` and `network-security.md`. */
const MOST_IP_RULES = 1000;
const MOST_SUBNETS = 200;
const SUBNET = 'Microsoft.Network/virtualNetworks/subnets';

/** Private ranges, which IP rules must not contain. Source of the rule and of the message: Azure/azure-powershell #11471. */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'];

/** The network rules in the service's stored form; throws if they are invalid. */
export function networkRules(requested: NetworkAcls): NetworkAcls {
  const { ipRules = [], virtualNetworkRules = [] } = requested;
  if (ipRules.length > MOST_IP_RULES || virtualNetworkRules.length > MOST_SUBNETS) {
    throw badRequest(
      `${ipRules.length} IP rules and ${virtualNetworkRules.length} virtual network rules; at most ${MOST_IP_RULES} and ${MOST_SUBNETS} are allowed.`,
      'properties.networkAcls',
    );
  }
  const ranges = ipRules.map(({ value }, index) => {
    const path = `properties.networkAcls.ipRules[${index}].value`;
    const range = parseRange(value);
    if (range === undefined) {
      throw badRequest(
        `Invalid value found at ${path}: '${value}' is neither an IPv4 address nor a range in CIDR notation.`,
        path,
      );
    }
    const forbidden = PRIVATE.find((each) => inRanges(range.address, [each]));
    if (forbidden !== undefined) {
      throw badRequest(
        `Invalid value found at ${path}: ${value} belongs to forbidden range ${forbidden} (private IP addresses)`,
        path,
      );
    }
    return { value: `${range.address}/${range.prefix}` };
  });
  virtualNetworkRules.forEach(({ id }, index) =>
    checkReference(id, SUBNET, `properties.networkAcls.virtualNetworkRules[${index}].id`),
  );
  return {
    ...requested,
    ...(requested.ipRules === undefined ? {} : { ipRules: ranges }),
  };
}
