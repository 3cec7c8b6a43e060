import * as z from 'zod';
import { ADMINISTRATOR_OBJECT_ID } from '../../../identity';
import type { ResourceDocument } from '../../store/documents';
import { body, readBody } from '../body';
import type { ArmContext } from '../context';
import { present } from '../context';
import type { ArmCall, ArmEndpoint } from '../endpoint';
import { ArmError } from '../errors';
import { WORKSPACE_TYPE } from './workspaces';

export const DIRECTORY_SETTINGS_TYPE = 'microsoft.aadiam/diagnosticSettings';
const LIST = `/providers/${DIRECTORY_SETTINGS_TYPE}`;

/**
 * The directory's log categories that the local cloud sends. Source: MicrosoftDocs/entra-docs
 * `concept-diagnostic-settings-logs-options.md`.
 */
const categories = ['ManagedIdentitySignInLogs', 'ServicePrincipalSignInLogs'] as const;

/** Source: azure-rest-api-specs `azureactivedirectory/…/Microsoft.Aadiam/stable/2017-04-01/azureactivedirectory.json`. */
const createBody = body({
  properties: z.strictObject({
    workspaceId: z.string(),
    logs: z.array(z.strictObject({ category: z.enum(categories), enabled: z.boolean() })),
  }),
});

/**
 * Refuses all callers but the administrator, the only one with a role in the directory. Azure requires Security Administrator.
 */
function checkCaller({ caller }: ArmCall): void {
  if (caller.objectId === ADMINISTRATOR_OBJECT_ID) return;
  throw new ArmError(
    403,
    'AuthorizationFailed',
    `The client '${caller.clientId}' with object id '${caller.objectId}' has no role in the directory that manages '${DIRECTORY_SETTINGS_TYPE}'.`,
  );
}

/** The directory's diagnostic settings, which send its sign-ins to workspaces. */
export function directorySettingEndpoints({ store }: ArmContext): ArmEndpoint[] {
  const idOf = ({ params }: ArmCall): string => `${LIST}/${params['name'] ?? ''}`;
  const endpoint = (
    method: ArmEndpoint['method'],
    operation: string,
    handle: ArmEndpoint['handle'],
    path = `${LIST}/{name}`,
  ): ArmEndpoint => ({
    ...{ method, operation, path, type: DIRECTORY_SETTINGS_TYPE },
    handle: (call) => {
      checkCaller(call);
      return handle(call);
    },
  });
  return [
    endpoint('PUT', 'DiagnosticSettings_CreateOrUpdate', (call) => {
      const { properties } = readBody(createBody, call.body, DIRECTORY_SETTINGS_TYPE);
      if (store.resources.get(properties.workspaceId)?.type !== WORKSPACE_TYPE) {
        throw new ArmError(
          404,
          'ResourceNotFound',
          `The Resource '${properties.workspaceId}' was not found: 'properties.workspaceId' names a Log Analytics workspace that exists.`,
        );
      }
      const id = idOf(call);
      const setting: ResourceDocument = {
        ...{ id, name: call.params['name'] ?? '', type: DIRECTORY_SETTINGS_TYPE, properties },
      };
      store.resources.set(id, setting);
      return { status: 200, body: present(setting) };
    }),
    endpoint('GET', 'DiagnosticSettings_Get', (call) => {
      const setting = store.resources.get(idOf(call));
      if (setting !== undefined) return { status: 200, body: present(setting) };
      throw new ArmError(404, 'ResourceNotFound', `The Resource '${idOf(call)}' was not found.`);
    }),
    endpoint('DELETE', 'DiagnosticSettings_Delete', (call) => ({
      status: store.resources.delete(idOf(call)) ? 200 : 204,
    })),
    endpoint(
      'GET',
      'DiagnosticSettings_List',
      () => ({ status: 200, body: { value: store.ofType(DIRECTORY_SETTINGS_TYPE).map(present) } }),
      LIST,
    ),
  ];
}
