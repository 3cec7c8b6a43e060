// Deletes a principal's role assignments at exactly one scope, as somebody with the portal open would.
// A process of its own: NODE_EXTRA_CA_CERTS counts only at start.
import { ClientSecretCredential } from '@azure/identity';
import { AuthorizationManagementClient } from '@azure/arm-authorization';

const [scope, principalId] = process.argv.slice(2);
const { ARM_TENANT_ID, ARM_CLIENT_ID, ARM_CLIENT_SECRET, ARM_SUBSCRIPTION_ID } = process.env;
const credential = new ClientSecretCredential(ARM_TENANT_ID, ARM_CLIENT_ID, ARM_CLIENT_SECRET);
const client = new AuthorizationManagementClient(credential, ARM_SUBSCRIPTION_ID);

let removed = 0;
for await (const assignment of client.roleAssignments.listForScope(scope)) {
  if (assignment.principalId !== principalId || assignment.scope?.toLowerCase() !== scope.toLowerCase())
    continue;
  await client.roleAssignments.delete(scope, assignment.name);
  removed += 1;
}
console.log(removed);
