import type { Declared } from '../resources/shapes/extract';

/** The resource types of `@pulumi/azuread` that the plugin has. */
export const types = {
  application: 'azuread:index/application:Application',
  certificate: 'azuread:index/applicationCertificate:ApplicationCertificate',
  federatedCredential:
    'azuread:index/applicationFederatedIdentityCredential:ApplicationFederatedIdentityCredential',
  group: 'azuread:index/group:Group',
  groupMember: 'azuread:index/groupMember:GroupMember',
  password: 'azuread:index/applicationPassword:ApplicationPassword',
  servicePrincipal: 'azuread:index/servicePrincipal:ServicePrincipal',
} as const;

/** The functions of `@pulumi/azuread` that the plugin has. */
export const functions = {
  application: 'azuread:index/getApplication:getApplication',
  clientConfig: 'azuread:index/getClientConfig:getClientConfig',
  group: 'azuread:index/getGroup:getGroup',
  servicePrincipal: 'azuread:index/getServicePrincipal:getServicePrincipal',
} as const;

/** Returns the types and functions whose declarations shapes/shapes.json contains. */
export function declaredTypes(): Declared[] {
  return [
    ...Object.values(types).map((token): Declared => ({ token, kind: 'resource' })),
    ...Object.values(functions).map((token): Declared => ({ token, kind: 'function' })),
  ];
}
