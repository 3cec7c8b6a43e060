import { applicationEndpoints } from './applications';
import type { GraphEndpoint } from './context';
import { deletedItemEndpoints } from './deletedItems';
import { directoryObjectEndpoints } from './directoryObjects';
import { federatedCredentialEndpoints } from './federatedCredentials';
import { groupEndpoints } from './groups';
import { memberEndpoints } from './members';
import { ownerEndpoints } from './owners';
import { passwordEndpoints } from './passwords';
import { servicePrincipalEndpoints } from './servicePrincipals';

/** Every operation of Microsoft Graph. Fixed segments come before parameters, which would match them. */
export const GRAPH_ENDPOINTS: readonly GraphEndpoint[] = [
  ...applicationEndpoints,
  ...passwordEndpoints,
  ...federatedCredentialEndpoints,
  ...servicePrincipalEndpoints,
  ...groupEndpoints,
  ...ownerEndpoints,
  ...memberEndpoints,
  ...directoryObjectEndpoints,
  ...deletedItemEndpoints,
];

/** Operations of Graph that the local cloud lacks, by the last segment of their path, with what to do instead. */
export const REFUSED: Readonly<Record<string, string>> = {
  addKey:
    'it needs a proof, signed with a certificate that the application has; add the certificate to keyCredentials by PATCH',
  removeKey:
    'it needs a proof, signed with a certificate that the application has; leave the certificate out of keyCredentials by PATCH',
};
