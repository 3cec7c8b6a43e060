import type { TokenCredential } from '@azure/identity';
import type { HttpClient } from '@azure/core-rest-pipeline';
import { assignmentsPath, assignmentUrl, windowAssignment } from '../../components/accessWindows/assignment';
import { allPages, apiVersions, listUrl } from '../../components/azure/resourceManager';
import { roleDefinitionId } from '../../components/azure/roles';
import { fieldsOf } from '../../components/resource/fields';
import type { Assignment, Assignments } from './reconcile';
import { resourceManager } from '../resourceManager';

/** Reads and writes role assignments through Azure's resource manager. */
export function azureAssignments(
  endpoint: string,
  credential: TokenCredential,
  client?: HttpClient,
): Assignments {
  const send = resourceManager(endpoint, credential, client);
  return {
    async list(scope, guid): Promise<Assignment[]> {
      const list = {
        path: `${scope}/${assignmentsPath}`,
        apiVersion: apiVersions.assignments,
        filter: 'atScope()',
      };
      const assignments = await allPages(listUrl(endpoint, list), (url) => send('GET', url));
      const expected = {
        scope: scope.toLowerCase(),
        roleDefinitionId: roleDefinitionId(scope, { guid }).toLowerCase(),
      };
      return assignments.flatMap(({ id, properties }) => {
        const { principalId, description, ...rest } = fieldsOf(properties);
        const matches = Object.entries(expected).every(
          ([key, value]) => String(rest[key]).toLowerCase() === value,
        );
        if (!matches) return [];
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
