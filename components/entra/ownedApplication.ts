import * as azuread from '@pulumi/azuread';
import type * as pulumi from '@pulumi/pulumi';
import { retention } from '../resource/newResource';

/** An application in Entra that a component makes. */
export interface NewApplication {
  /** Display name in Entra, where it must be the only one. Default: the component's name. */
  readonly displayName?: string;
  /** Tags in Entra, which are texts without a value. Default: no tags. */
  readonly tags?: string[];
  /** The application stays in Entra when it leaves the program; its credentials do not. Default: true. */
  readonly retainOnDelete?: boolean;
}

/** An application with its service principal, owned by whoever makes it. */
export function ownedApplication(
  name: string,
  { displayName = name, tags, retainOnDelete }: NewApplication,
  parent: pulumi.Resource,
) {
  const owners = [azuread.getClientConfigOutput({ parent }).objectId];
  // An owner may register credentials with Application.ReadWrite.OwnedBy alone; the provider takes an owner away who is not
  // named. Others who run an update are not made owners.
  const owned = { parent, ignoreChanges: ['owners'], ...retention({ retainOnDelete }) };
  const application = new azuread.Application(
    name,
    // Entra allows two applications of one name, which nobody could tell apart.
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
