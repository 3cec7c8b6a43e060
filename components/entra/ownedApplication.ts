import * as azuread from '@pulumi/azuread';
import type * as pulumi from '@pulumi/pulumi';
import { retention } from '../resource/newResource';

/** An application in Entra that a component creates. */
export interface NewApplication {
  /** Display name in Entra, where it must be unique. Default: the component's name. */
  readonly displayName?: string;
  /** Tags in Entra: strings without a value. Default: no tags. */
  readonly tags?: string[];
  /** Keep the application in Entra when it is removed from the program; its credentials are deleted. Default: true. */
  readonly retainOnDelete?: boolean;
}

/** Deploys an application with its service principal, owned by the account that creates it. */
export function ownedApplication(
  name: string,
  { displayName = name, tags, retainOnDelete }: NewApplication,
  parent: pulumi.Resource,
) {
  const owners = [azuread.getClientConfigOutput({ parent }).objectId];
  // An owner may register credentials with only Application.ReadWrite.OwnedBy. The provider removes owners that are not named.
  // Others who run an update do not become owners.
  const owned = { parent, ignoreChanges: ['owners'], ...retention({ retainOnDelete }) };
  const application = new azuread.Application(
    name,
    // Entra allows two applications with the same name, which users could not tell apart.
    { displayName, signInAudience: 'AzureADMyOrg', preventDuplicateNames: true, tags, owners },
    owned,
  );
  const principal = new azuread.ServicePrincipal(
    name,
    { clientId: application.clientId, tags, owners },
    owned,
  );
  return { application, principal };
}
