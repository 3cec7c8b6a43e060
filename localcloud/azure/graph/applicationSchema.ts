import * as z from 'zod';
import { empty, none, odataType, off, tags, text } from './body';
import { keyCredential } from './keyCredentials';

const redirects = z.strictObject({ '@odata.type': odataType, redirectUris: empty }).optional();

/**
 * The members that clients can write. Members without effect on sign-in by client credentials are stored. Members that concern
 * what the local cloud does not emulate (users, consent, other applications' access) accept only the values with which
 * hashicorp/terraform-provider-azuread creates a plain application (`internal/services/applications/application_resource.go`).
 * Source of the limits: microsoftgraph/microsoft-graph-docs-contrib `api-reference/v1.0/resources/application.md`; the limit of
 * `notes` is assumed to be that of a service principal's.
 */
const members = {
  '@odata.type': odataType,
  description: text(1024),
  notes: text(1024),
  serviceManagementReference: z.string().nullable().optional(),
  signInAudience: z
    .enum(
      ['AzureADMyOrg', 'AzureADMultipleOrgs'],
      'the local cloud has AzureADMyOrg and AzureADMultipleOrgs, and no personal accounts',
    )
    .optional(),
  tags,
  identifierUris: z
    .array(z.string().regex(/^[a-z][a-z0-9+.-]*:./i, 'a URI such as api://orders is needed'))
    .optional(),
  keyCredentials: z.array(keyCredential).optional(),
  addIns: empty,
  api: z
    .strictObject({
      '@odata.type': odataType,
      acceptMappedClaims: off,
      knownClientApplications: empty,
      oauth2PermissionScopes: empty,
      preAuthorizedApplications: empty,
      requestedAccessTokenVersion: z.union([z.literal(1), z.literal(2)], '1 or 2 is needed').nullish(),
    })
    .optional(),
  appRoles: empty,
  groupMembershipClaims: none,
  info: z
    .strictObject({
      '@odata.type': odataType,
      marketingUrl: none,
      privacyStatementUrl: none,
      supportUrl: none,
      termsOfServiceUrl: none,
    })
    .optional(),
  isDeviceOnlyAuthSupported: off,
  isFallbackPublicClient: off,
  optionalClaims: z
    .strictObject({ '@odata.type': odataType, accessToken: empty, idToken: empty, saml2Token: empty })
    .nullable()
    .optional(),
  publicClient: redirects,
  requiredResourceAccess: empty,
  spa: redirects,
  web: z
    .strictObject({
      '@odata.type': odataType,
      homePageUrl: none,
      logoutUrl: none,
      redirectUris: empty,
      redirectUriSettings: empty,
      implicitGrantSettings: z
        .strictObject({
          '@odata.type': odataType,
          enableAccessTokenIssuance: off,
          enableIdTokenIssuance: off,
        })
        .optional(),
    })
    .optional(),
};

const displayName = z
  .string()
  .min(1, 'a name has 1 to 256 characters')
  .max(256, 'a name has 1 to 256 characters');

export const createBody = z.strictObject({
  ...members,
  displayName,
  'owners@odata.bind': z.array(z.string()).optional(),
});
export const patchBody = z.strictObject({ ...members, displayName: displayName.optional() });

/** Graph's default values for the members of an application. */
export const DEFAULTS = {
  applicationTemplateId: null,
  description: null,
  disabledByMicrosoftStatus: null,
  groupMembershipClaims: null,
  identifierUris: [],
  isDeviceOnlyAuthSupported: null,
  isFallbackPublicClient: null,
  notes: null,
  publisherDomain: null,
  serviceManagementReference: null,
  signInAudience: 'AzureADMyOrg',
  tags: [],
  addIns: [],
  api: {
    acceptMappedClaims: null,
    knownClientApplications: [],
    oauth2PermissionScopes: [],
    preAuthorizedApplications: [],
    requestedAccessTokenVersion: null,
  },
  appRoles: [],
  info: {
    logoUrl: null,
    marketingUrl: null,
    privacyStatementUrl: null,
    supportUrl: null,
    termsOfServiceUrl: null,
  },
  optionalClaims: null,
  publicClient: { redirectUris: [] },
  requiredResourceAccess: [],
  spa: { redirectUris: [] },
  web: {
    homePageUrl: null,
    logoutUrl: null,
    redirectUris: [],
    redirectUriSettings: [],
    implicitGrantSettings: { enableAccessTokenIssuance: false, enableIdTokenIssuance: false },
  },
};
