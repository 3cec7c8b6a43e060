import type { TokenCredential } from '@azure/identity';
import type { HttpClient } from '@azure/core-rest-pipeline';
import {
  bearerTokenAuthenticationPolicy,
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineFromOptions,
  createPipelineRequest,
} from '@azure/core-rest-pipeline';
import { assignmentsPath, assignmentUrl, windowAssignment } from '../components/access/windowAssignment';
import { allPages, apiVersions, listUrl } from '../components/azure/resourceManager';
import { roleDefinitionId } from '../components/azure/roles';
import { fieldsOf } from '../components/resource/fields';
import type { Assignment, Assignments } from './reconcile';

/** How long an answer may take, in milliseconds. */
const timeout = 30_000;

/** The assignments in Azure, through its resource manager. */
export function azureAssignments(
  endpoint: string,
  credential: TokenCredential,
  client: HttpClient = createDefaultHttpClient(),
): Assignments {
  const pipeline = createPipelineFromOptions({
    userAgentOptions: { userAgentPrefix: 'aks-wi-windows' },
    // The next run tries again. Azure may ask to wait for longer than a run takes, and others have their turn.
    retryOptions: { maxRetries: 0 },
  });
  pipeline.addPolicy(bearerTokenAuthenticationPolicy({ credential, scopes: `${endpoint}/.default` }));

  /** @param accepted codes of errors that are none here */
  async function send(method: 'GET' | 'PUT' | 'DELETE', url: string, body?: object, accepted: string[] = []) {
    const headers = createHttpHeaders({ 'Content-Type': 'application/json' });
    const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    const request = createPipelineRequest({ url, method, timeout, ...sent });
    const { status, bodyAsText } = await pipeline.sendRequest(client, request);
    if (status < 300) return JSON.parse(bodyAsText || '{}') as unknown;
    const code = errorCode(bodyAsText ?? '');
    if (accepted.includes(code)) return {};
    throw new Error(`Azure answered ${status} ${code} to ${method} ${new URL(url).pathname}`);
  }

  return {
    async list(scope, guid): Promise<Assignment[]> {
      const list = {
        path: `${scope}/${assignmentsPath}`,
        apiVersion: apiVersions.assignments,
        filter: 'atScope()',
      };
      const found = await allPages(listUrl(endpoint, list), (url) => send('GET', url));
      const wanted = {
        scope: scope.toLowerCase(),
        roleDefinitionId: roleDefinitionId(scope, { guid }).toLowerCase(),
      };
      return found.flatMap(({ id, properties }) => {
        const { principalId, description, ...rest } = fieldsOf(properties);
        const isWanted = Object.entries(wanted).every(
          ([key, value]) => String(rest[key]).toLowerCase() === value,
        );
        if (!isWanted) return [];
        return [
          {
            ...{ id: String(id), principalId: String(principalId) },
            description: typeof description === 'string' ? description : undefined,
          },
        ];
      });
    },
    async create(scope, guid, principalId) {
      const description = 'access window of aks-workload-identity';
      const { id, properties } = windowAssignment(scope, guid, principalId, description);
      await send('PUT', assignmentUrl(endpoint, id), { properties }, ['RoleAssignmentExists']);
    },
    async delete(id) {
      await send('DELETE', assignmentUrl(endpoint, id), undefined, ['RoleAssignmentNotFound']);
    },
  };
}

/** The code in Azure's answer; none if something in between answered. */
function errorCode(text: string): string {
  try {
    return String(fieldsOf(fieldsOf(JSON.parse(text)).error).code);
  } catch {
    return 'without a code';
  }
}
