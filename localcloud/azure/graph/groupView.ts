import type { GroupDocument } from '../store/documents';
import type { Kind } from './answer';
import type { Entity } from './body';
import { merged } from './body';

/**
 * Graph's default values for the members of a group. Source: microsoftgraph/microsoft-graph-docs-contrib
 * `api-reference/v1.0/api/group-post-groups.md`, example 2.
 */
const DEFAULTS = {
  classification: null,
  description: null,
  expirationDateTime: null,
  groupTypes: [],
  isAssignableToRole: null,
  mail: null,
  mailEnabled: false,
  membershipRule: null,
  membershipRuleProcessingState: null,
  onPremisesDomainName: null,
  onPremisesLastSyncDateTime: null,
  onPremisesNetBiosName: null,
  onPremisesProvisioningErrors: [],
  onPremisesSamAccountName: null,
  onPremisesSecurityIdentifier: null,
  onPremisesSyncEnabled: null,
  preferredDataLocation: null,
  preferredLanguage: null,
  proxyAddresses: [],
  resourceBehaviorOptions: [],
  resourceProvisioningOptions: [],
  securityEnabled: true,
  theme: null,
  visibility: null,
};

/** The security identifier, `S-1-12-1-…`: the object id as four 32-bit numbers, in the byte order of a Windows GUID. */
function securityIdentifier(objectId: string): string {
  const [a = '', b = '', c = '', ...rest] = objectId.split('-');
  const tail = Buffer.from(rest.join(''), 'hex');
  const numbers = [parseInt(a, 16), parseInt(`${c}${b}`, 16), tail.readUInt32LE(0), tail.readUInt32LE(4)];
  return `S-1-12-1-${numbers.join('-')}`;
}

/** A group in an answer. */
export function presentGroup(group: GroupDocument, deletedDateTime: string | null = null): Entity {
  const { objectId, createdAt, displayName, mailNickname, properties } = group;
  return {
    id: objectId,
    deletedDateTime,
    createdDateTime: createdAt,
    renewedDateTime: createdAt,
    displayName,
    mailNickname,
    securityIdentifier: securityIdentifier(objectId),
    ...merged(DEFAULTS, properties),
  };
}

/** Groups in answers. */
export const GROUP: Kind = {
  set: 'groups',
  type: 'group',
  members: [
    ...['id', 'deletedDateTime', 'createdDateTime', 'renewedDateTime', 'displayName', 'mailNickname'],
    ...['securityIdentifier', ...Object.keys(DEFAULTS)],
  ],
  filtered: {
    ...{ id: 'text', displayName: 'text', description: 'text', mail: 'text', mailNickname: 'text' },
    ...{ mailEnabled: 'flag', securityEnabled: 'flag', groupTypes: 'texts' },
  },
};
