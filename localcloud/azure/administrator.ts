import {
  ADMINISTRATOR_CLIENT_ID,
  ADMINISTRATOR_OBJECT_ID,
  OTHER_SUBSCRIPTION_ID,
  SUBSCRIPTION_ID,
} from '../identity';
import { roleDefinitionId } from './arm/resources/roleDefinitions';
import { subscriptionScope } from './arm/resourceId';
import type { Credentials } from './credentials';
import { secretMatches } from './credentials';
import { clientSecret, newApplication, newServicePrincipal } from './identity/application';
import type { Store } from './store/store';

const OWNER = '8e3af657-a8ff-443c-a75c-2fe8c4bcb635';
const KEY_VAULT_ADMINISTRATOR = '00482a5a-887f-4fb3-b363-3b7fe8e74483';

/** Names of the administrator's role assignments. They are fixed, so that a restart finds them again. */
const ASSIGNMENTS = [
  { name: '55555555-5555-4555-8555-000000000001', role: OWNER, subscription: SUBSCRIPTION_ID },
  {
    name: '55555555-5555-4555-8555-000000000002',
    role: KEY_VAULT_ADMINISTRATOR,
    subscription: SUBSCRIPTION_ID,
  },
  { name: '55555555-5555-4555-8555-000000000003', role: OWNER, subscription: OTHER_SUBSCRIPTION_ID },
  {
    name: '55555555-5555-4555-8555-000000000004',
    role: KEY_VAULT_ADMINISTRATOR,
    subscription: OTHER_SUBSCRIPTION_ID,
  },
];

/**
 * Ensures that the administrator exists. It is the only initial principal: Owner of the subscriptions and, because an Owner may
 * not read secrets, also Key Vault Administrator.
 */
export function ensureAdministrator(store: Store, credentials: Credentials, now: number): void {
  const current =
    store.applicationByClientId(ADMINISTRATOR_CLIENT_ID) ??
    newApplication('Local cloud administrator', now, ADMINISTRATOR_CLIENT_ID);
  if (!current.secrets.some((secret) => secretMatches(credentials.clientSecret, secret))) {
    const secret = clientSecret(credentials.clientSecret, { startsAt: now });
    store.applications.set(current.objectId, { ...current, secrets: [secret] });
  }
  if (!store.principals.has(ADMINISTRATOR_OBJECT_ID)) {
    store.principals.set(ADMINISTRATOR_OBJECT_ID, newServicePrincipal(current, now, ADMINISTRATOR_OBJECT_ID));
  }
  const time = new Date(now).toISOString();
  for (const { name, role, subscription } of ASSIGNMENTS) {
    const scope = subscriptionScope(subscription);
    const id = `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}`;
    if (store.roleAssignments.has(id)) continue;
    store.roleAssignments.set(id, {
      id,
      name,
      scope,
      roleDefinitionId: roleDefinitionId(scope, role),
      principalId: ADMINISTRATOR_OBJECT_ID,
      principalType: 'ServicePrincipal',
      description: 'Administrator of the local cloud',
      createdOn: time,
      updatedOn: time,
      createdBy: ADMINISTRATOR_OBJECT_ID,
      updatedBy: ADMINISTRATOR_OBJECT_ID,
    });
  }
}
