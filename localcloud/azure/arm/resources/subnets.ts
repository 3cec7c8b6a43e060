import { randomUUID } from 'node:crypto';
import type { ResourceDocument } from '../../store/documents';
import type { Store } from '../../store/store';
import { defined } from '../body';
import type { ArmContext } from '../context';
import type { ArmCall } from '../endpoint';
import { ArmError, badRequest } from '../errors';
import { checkLinkedAccess } from './linkedAccess';
import type { Addressed } from './networkRules';
import { checkName } from './nameRules';
import { checkPrefixes, SUBNET_TYPE } from './networkRules';
import type { SubnetSettings } from './networkSchema';

const SECURITY_GROUP = 'Microsoft.Network/networkSecurityGroups';

/** The subnets of a virtual network, sorted by name. */
export function subnetsOf(store: Store, networkId: string): ResourceDocument[] {
  const prefix = `${networkId}/subnets/`.toLowerCase();
  return store.ofType(SUBNET_TYPE).filter(({ id }) => id.toLowerCase().startsWith(prefix));
}

function prefixesIn({ addressPrefix, addressPrefixes }: SubnetSettings): string[] {
  return addressPrefixes ?? (addressPrefix === undefined ? [] : [addressPrefix]);
}

/** The addresses of a stored subnet. */
export function addressesOf({ name, properties }: ResourceDocument): Addressed {
  const { addressPrefix, addressPrefixes } = properties;
  return { name, prefixes: [addressPrefixes ?? addressPrefix].flat().map(String) };
}

/**
 * Refuses a security group that does not exist or that the caller may not join. The code is that for other missing references
 * of networks; the text is assumed.
 */
function checkSecurityGroup(
  context: ArmContext,
  call: ArmCall,
  id: string,
  location: string | undefined,
  groupId: string,
): void {
  const group = context.store.resources.get(groupId);
  if (group?.type !== SECURITY_GROUP || group.location !== location) {
    throw new ArmError(
      400,
      'InvalidResourceReference',
      `Resource ${groupId} referenced by resource ${id} was not found. Please make sure that the referenced resource exists, and that both resources are in the same region.`,
    );
  }
  checkLinkedAccess(
    context,
    call,
    { action: `${SUBNET_TYPE}/write`, scope: id },
    { action: `${SECURITY_GROUP}/join/action`, scopes: [group.id] },
  );
}

/** The subnet that a request asks for. Overlaps with other subnets are not checked here. */
export function writtenSubnet(
  context: ArmContext,
  call: ArmCall,
  network: { id: string; location?: string },
  name: string,
  requested: SubnetSettings,
): ResourceDocument {
  checkName(SUBNET_TYPE, name);
  const existing = context.store.resources.get(`${network.id}/subnets/${name}`);
  const id = existing?.id ?? `${network.id}/subnets/${name}`;
  const prefixes = prefixesIn(requested);
  if (prefixes.length === 0) {
    throw badRequest(`The subnet '${name}' has no address prefix.`, 'properties.addressPrefix');
  }
  checkPrefixes(prefixes, 'properties.addressPrefix');
  const { networkSecurityGroup: group, ...rest } = requested;
  if (group !== undefined && group !== null) {
    checkSecurityGroup(context, call, id, network.location, group.id);
  }
  return {
    id,
    name: existing?.name ?? name,
    type: SUBNET_TYPE,
    extra: { etag: `W/"${randomUUID()}"` },
    properties: {
      delegations: [],
      ...defined(rest),
      ...(group === undefined || group === null ? {} : { networkSecurityGroup: { id: group.id } }),
      provisioningState: 'Succeeded',
    },
  };
}
