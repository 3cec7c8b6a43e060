import type { HttpClient, PipelineResponse } from '@azure/core-rest-pipeline';
import { createHttpHeaders } from '@azure/core-rest-pipeline';
import { azureAssignments } from '../../../reconciler/accessWindows/azureAssignments';

// What these do not prove: what Azure answers; tests/e2e/accessWindows.test.ts has the local one.

const scope = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv/secrets/warehouse';

/** Assignments of an Azure that gives one answer to everything, and what it was asked. */
function answering(status: number, bodyAsText: string, retryAfter = '0') {
  const asked: string[] = [];
  const client: HttpClient = {
    sendRequest: (request): Promise<PipelineResponse> => {
      asked.push(`${request.method} ${request.headers.get('authorization') ?? ''}`);
      return Promise.resolve({
        request,
        status,
        bodyAsText,
        headers: createHttpHeaders({ 'Retry-After': retryAfter }),
      });
    },
  };
  const credential = {
    getToken: () => Promise.resolve({ token: 'token', expiresOnTimestamp: Date.now() + 3_600_000 }),
  };
  return { asked, assignments: azureAssignments('https://management.azure.com', credential, client) };
}
const role = '4633458b-17de-408a-b874-0445c86b69e6';
const error = (code: string) => JSON.stringify({ error: { code, message: 'x' } });

describe('the assignments in Azure', () => {
  it('are created and deleted also if they exist or are gone already', async () => {
    const exists = answering(409, error('RoleAssignmentExists'));
    await expect(exists.assignments.create(scope, role, 'p')).resolves.toBeUndefined();
    expect(exists.asked).toEqual(['PUT Bearer token']);
    const gone = answering(404, error('RoleAssignmentNotFound'));
    await expect(gone.assignments.delete(`${scope}/a`)).resolves.toBeUndefined();
  });

  it.each([
    [
      'another error',
      403,
      error('AuthorizationFailed'),
      'Azure answered 403 AuthorizationFailed to DELETE /subscriptions/s',
    ],
    [
      'another conflict',
      409,
      error('ScopeLocked'),
      'Azure answered 409 ScopeLocked to DELETE /subscriptions/s',
    ],
    [
      'an answer that is not of Azure',
      502,
      '<html>',
      'Azure answered 502 without a code to DELETE /subscriptions/s',
    ],
    ['an answer without a body', 404, '', 'Azure answered 404 without a code to DELETE /subscriptions/s'],
  ])('say %s', async (_, status, body, message) => {
    const { assignments } = answering(status, body);
    await expect(assignments.delete('/subscriptions/s')).rejects.toThrow(message);
  });

  it('are not waited for, even if Azure asks for it: others have their turn', async () => {
    const { asked, assignments } = answering(429, '', '3600');
    await expect(assignments.list(scope, role)).rejects.toThrow('429');
    expect(asked).toHaveLength(1);
  });

  it('are those of the role on exactly the scope', async () => {
    const assignment = (id: string, at: string, guid = role) => ({
      id,
      properties: {
        ...{ scope: at, principalId: 'p', description: 'd' },
        roleDefinitionId: `/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/${guid}`,
      },
    });
    const value = [
      assignment('a', scope.toUpperCase()),
      assignment('b', '/subscriptions/s'),
      assignment('c', scope, 'other'),
    ];
    const { assignments } = answering(200, JSON.stringify({ value }));
    expect(await assignments.list(scope, role)).toEqual([{ id: 'a', principalId: 'p', description: 'd' }]);
  });
});
