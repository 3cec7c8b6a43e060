import type { AzureClients } from '../support/azureClients';

/** A change, or an attempt at one, in the activity log. */
export interface Write {
  /** The action that a role must allow: `…/write`, `…/delete`. */
  readonly action: string;
  readonly resourceId: string;
  /** Object id of the caller. */
  readonly caller: string;
  readonly status: string;
  /** Id of the caller's token, which the record of token requests has. */
  readonly tokenId: string;
}

interface Event {
  authorization: { action: string };
  resourceId: string;
  caller: string;
  status: { value: string };
  claims: { uti: string };
}

/**
 * Every PUT, PATCH and DELETE in the subscription since a time, also failed ones. Keys and kubeconfigs are read
 * by POST.
 */
export async function writesSince(azure: AzureClients, time: string): Promise<Write[]> {
  const filter = encodeURIComponent(`eventTimestamp ge '${time}'`);
  const path = `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Insights/eventtypes/management/values`;
  const { body } = await azure.request('GET', `${path}?api-version=2015-04-01&$filter=${filter}`);
  return (body as { value: Event[] }).value
    .map(({ authorization: { action }, resourceId, caller, status, claims }) => ({
      action,
      resourceId,
      caller,
      status: status.value,
      tokenId: claims.uti,
    }))
    .filter(({ action }) => !action.endsWith('/action'));
}

const apiVersions: Readonly<Record<string, string>> = {
  'Microsoft.DBforPostgreSQL': '2025-08-01',
  'Microsoft.ManagedIdentity': '2023-01-31',
  'Microsoft.Storage': '2025-06-01',
};

/** The complete resource with that id, including the times of its creation. */
export async function readResource(azure: AzureClients, id: string): Promise<unknown> {
  const namespace = /\/providers\/([^/]+)\//.exec(id)?.[1] ?? '';
  const version = apiVersions[namespace];
  if (version === undefined) throw new Error(`${id}: this test knows no API version of '${namespace}'`);
  const { status, body } = await azure.request('GET', `${id}?api-version=${version}`);
  if (status !== 200) throw new Error(`${id} is answered with ${status}`);
  return body;
}

/** Ids of the roles assigned on an account itself, and the administrators of a server. */
export async function accessTo(azure: AzureClients, account: string, server: string) {
  const named = async (path: string) => {
    const { body } = await azure.request('GET', path);
    return (body as { value: { id: string; name: string }[] }).value;
  };
  const roles = await named(
    `${account}/providers/Microsoft.Authorization/roleAssignments?api-version=2022-04-01&$filter=atScope()`,
  );
  const administrators = await named(`${server}/administrators?api-version=2025-08-01`);
  return {
    roles: roles
      .map(({ id }) => id)
      .filter((id) => id.startsWith(account))
      .sort(),
    administrators: administrators.map(({ name }) => name).sort(),
  };
}
