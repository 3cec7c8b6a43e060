import { TENANT_ID } from '../../identity';
import type { PrincipalDocument } from '../store/documents';
import type { Kind } from './answer';
import type { Entity } from './body';
import { merged } from './body';
import { DEFAULTS as APPLICATION_DEFAULTS } from './applicationSchema';
import type { GraphContext } from './context';

/** Graph's default values for the members of a service principal. */
const DEFAULTS = {
  addIns: [],
  alternativeNames: [],
  appRoleAssignmentRequired: false,
  appRoles: [],
  applicationTemplateId: null,
  description: null,
  disabledByMicrosoftStatus: null,
  homepage: null,
  info: APPLICATION_DEFAULTS.info,
  keyCredentials: [],
  loginUrl: null,
  logoutUrl: null,
  notes: null,
  notificationEmailAddresses: [],
  oauth2PermissionScopes: [],
  passwordCredentials: [],
  preferredSingleSignOnMode: null,
  replyUrls: [],
  samlSingleSignOnSettings: null,
  tags: [],
};

/**
 * Members of a managed identity's service principal, which name its resource. A system-assigned identity is not a resource of
 * its own, hence not explicit.
 */
function ofManagedIdentity({ clientId, resourceId = '' }: PrincipalDocument): Entity {
  const isExplicit = /\/userAssignedIdentities\/[^/]+$/i.test(resourceId);
  return {
    alternativeNames: [`isExplicit=${isExplicit ? 'True' : 'False'}`, resourceId],
    appDescription: null,
    appOwnerOrganizationId: null,
    servicePrincipalNames: [clientId],
    servicePrincipalType: 'ManagedIdentity',
    signInAudience: null,
  };
}

/** Members of an application's service principal that come from the application. */
function ofApplication({ store }: GraphContext, { clientId }: PrincipalDocument): Entity {
  const written = store.applicationByClientId(clientId)?.properties ?? {};
  const { description, identifierUris, signInAudience } = { ...APPLICATION_DEFAULTS, ...written };
  return {
    appDescription: description,
    appOwnerOrganizationId: TENANT_ID,
    servicePrincipalNames: [clientId, ...identifierUris],
    servicePrincipalType: 'Application',
    signInAudience,
  };
}

/** A service principal in an answer. */
export function presentPrincipal(
  context: GraphContext,
  principal: PrincipalDocument,
  deletedDateTime: string | null = null,
): Entity {
  const { objectId, clientId, displayName, accountEnabled = true, createdAt = null } = principal;
  const kind =
    principal.kind === 'managedIdentity' ? ofManagedIdentity(principal) : ofApplication(context, principal);
  return {
    id: objectId,
    deletedDateTime,
    createdDateTime: createdAt,
    accountEnabled,
    appDisplayName: displayName,
    appId: clientId,
    displayName,
    ...merged(DEFAULTS, principal.properties ?? {}),
    ...kind,
  };
}

/** Service principals in answers. */
export const SERVICE_PRINCIPAL: Kind = {
  set: 'servicePrincipals',
  type: 'servicePrincipal',
  members: [
    ...[
      'id',
      'deletedDateTime',
      'createdDateTime',
      'accountEnabled',
      'appDisplayName',
      'appId',
      'displayName',
    ],
    ...Object.keys(DEFAULTS),
    ...['appDescription', 'appOwnerOrganizationId', 'servicePrincipalNames', 'servicePrincipalType'],
    'signInAudience',
  ],
  filtered: {
    ...{ id: 'text', appId: 'text', displayName: 'text', servicePrincipalType: 'text', homepage: 'text' },
    ...{ appOwnerOrganizationId: 'guid', accountEnabled: 'flag' },
    ...{ alternativeNames: 'texts', servicePrincipalNames: 'texts', tags: 'texts' },
  },
};
