import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { TokenCredential } from '@azure/identity';
import { LogsQueryResultStatus, type LogsTable } from '@azure/monitor-query-logs';
import { groupId, refusal, withCloud } from '../../support/azure';

const SECRETS_USER = '4633458b-17de-408a-b874-0445c86b69e6';
const SECRETS_OFFICER = 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7';
const LOG_ANALYTICS_READER = '73c42c96-874c-492b-b04d-ab87d138a893';
const value = 'the value of the secret';

describe('the audit log of vaults, through @azure/monitor-query-logs', () => {
  const cloud = withCloud();
  const group = groupId('rg');
  const vaultId = (name: string) => `${group}/providers/Microsoft.KeyVault/vaults/${name}`;
  /** Customer ids, by name. */
  const workspaces = new Map<string, string>();
  let assignment: string;
  let orders: { objectId: string; clientId: string; credential: TokenCredential };
  let stranger: typeof orders;

  const grant = async (scope: string, principalId: string, role: string) => {
    const created = await cloud.authorization().roleAssignments.create(scope, randomUUID(), {
      principalId,
      roleDefinitionId: `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
      principalType: 'ServicePrincipal',
    });
    return created.name ?? '';
  };
  const workspace = async (name: string) => {
    const created = await cloud
      .workspaces()
      .workspaces.createOrUpdate('rg', name, { location: 'westeurope' });
    workspaces.set(name, created.customerId ?? '');
    return created.id ?? '';
  };
  const sendTo = (vaultName: string, setting: string, properties: object) =>
    cloud.arm(
      'PUT',
      `${vaultId(vaultName)}/providers/Microsoft.Insights/diagnosticSettings/${setting}?api-version=2021-05-01-preview`,
      { properties },
    );
  const objects = (table: LogsTable | undefined) =>
    (table?.rows ?? []).map((row): Record<string, unknown> =>
      Object.fromEntries((table?.columnDescriptors ?? []).map(({ name }, index) => [name, row[index]])),
    );
  const query = async (text: string, name = 'log-one', credential?: TokenCredential) => {
    const result = await cloud
      .logs(credential)
      .queryWorkspace(workspaces.get(name) ?? '', text, { duration: 'P1D' });
    if (result.status !== LogsQueryResultStatus.Success) throw new Error('the answer is not complete');
    return objects(result.tables[0]);
  };
  const read = (vaultName: string, name: string, credential: TokenCredential) =>
    cloud.secrets(vaultName, credential).getSecret(name);

  beforeAll(async () => {
    orders = cloud.principal('orders');
    stranger = cloud.principal('stranger');
    await cloud.makeVault('kv-logged');
    await cloud.makeVault('kv-policy', {
      enableRbacAuthorization: false,
      accessPolicies: [
        { tenantId: cloud.tenantId, objectId: orders.objectId, permissions: { secrets: ['get', 'set'] } },
      ],
    });
    const logs = [{ categoryGroup: 'audit', enabled: true }];
    const own = await workspace('log-one');
    const shared = await workspace('log-shared');
    await workspace('log-empty');
    const dedicated = { logs, logAnalyticsDestinationType: 'Dedicated' };
    await sendTo('kv-logged', 'one', { ...dedicated, workspaceId: own });
    await sendTo('kv-logged', 'shared', { logs, workspaceId: shared });
    await sendTo('kv-policy', 'one', { ...dedicated, workspaceId: own });
    await grant(vaultId('kv-logged'), orders.objectId, SECRETS_OFFICER);
    await cloud.secrets('kv-logged', orders.credential).setSecret('orders-db', value);
    await cloud
      .authorization()
      .roleAssignments.delete(
        vaultId('kv-logged'),
        (await query('AZKVAuditLogs | where OperationName == "SecretSet" | project AppliedAssignmentId'))
          .map(({ AppliedAssignmentId }) => String(AppliedAssignmentId))
          .join(),
      );
    assignment = await grant(`${vaultId('kv-logged')}/secrets/orders-db`, orders.objectId, SECRETS_USER);
    await read('kv-logged', 'orders-db', orders.credential);
    await refusal(read('kv-logged', 'orders-db', stranger.credential));
    await cloud.secrets('kv-policy', orders.credential).setSecret('by-policy', value);
  });

  it('has each request with the columns of its table, and the assignment that allowed it', async () => {
    const [row] = await query(
      'AZKVAuditLogs | where OperationName == "SecretGet" and HttpStatusCode == 200 and Id contains "orders-db"',
    );
    expect(row).toMatchObject({
      TimeGenerated: expect.any(Date) as Date,
      ResultType: 'Success',
      ResultSignature: 'OK',
      CallerIpAddress: '127.0.0.1',
      Identity: { claim: { oid: orders.objectId, appid: orders.clientId } },
      Id: expect.stringMatching(
        /^https:\/\/kv-logged\.vault\.azure\.net\/secrets\/orders-db\/[\da-f]{32}$/,
      ) as string,
      RequestUri: expect.stringMatching(
        /^https:\/\/kv-logged\.vault\.azure\.net:8443\/secrets\/orders-db\?api-version=/,
      ) as string,
      ClientInfo: expect.stringContaining('azsdk-js-keyvault-secrets/') as string,
      IsAddressAuthorized: true,
      IsRbacAuthorized: true,
      IsAccessPolicyMatch: null,
      AppliedAssignmentId: assignment,
      _ResourceId: vaultId('kv-logged').toLowerCase(),
      Type: 'AZKVAuditLogs',
      TenantId: workspaces.get('log-one'),
    });
  });

  it('has refused reads, challenges, and reads by access policy', async () => {
    expect(
      await query(
        `AZKVAuditLogs | where tostring(Identity.claim.oid) == "${stranger.objectId}" | project OperationName, HttpStatusCode, ResultSignature, IsRbacAuthorized, AppliedAssignmentId`,
      ),
    ).toEqual([
      {
        ...{ OperationName: 'SecretGet', HttpStatusCode: 403, ResultSignature: 'Forbidden' },
        ...{ IsRbacAuthorized: false, AppliedAssignmentId: '' },
      },
    ]);
    const challenges = await query('AZKVAuditLogs | where OperationName == "Authentication"');
    expect(new Set(challenges.map(({ HttpStatusCode }) => HttpStatusCode))).toEqual(new Set([401]));
    expect(
      await query(
        'AZKVAuditLogs | where OperationName == "SecretSet" and _ResourceId contains "kv-policy" | project IsAccessPolicyMatch, IsRbacAuthorized, AppliedAssignmentId',
      ),
    ).toEqual([{ IsAccessPolicyMatch: true, IsRbacAuthorized: null, AppliedAssignmentId: '' }]);
  });

  it('goes to AzureDiagnostics, with its own names, where the setting is not Dedicated', async () => {
    const [row] = await query('AzureDiagnostics | where OperationName == "SecretGet"', 'log-shared');
    expect(row).toMatchObject({
      Category: 'AuditEvent',
      ResourceProvider: 'MICROSOFT.KEYVAULT',
      Resource: 'KV-LOGGED',
      httpStatusCode_d: 200,
      identity_claim_oid_g: orders.objectId,
      identity_claim_appid_g: orders.clientId,
      requestUri_s: expect.stringContaining(':8443/secrets/orders-db') as string,
      appliedAssignmentId_g: assignment,
    });
    expect(await refusal(query('AZKVAuditLogs | take 1', 'log-shared'))).toMatchObject({ status: 400 });
  });

  it('counts requests that are alike', async () => {
    const [row] = await query(
      'AZKVAuditLogs | where OperationName == "SecretGet" and HttpStatusCode == 403 | summarize Times = count(), arg_max(TimeGenerated, CallerIpAddress) by Oid = tostring(Identity.claim.oid)',
    );
    expect(row).toEqual({
      ...{ Oid: stranger.objectId, Times: 1, CallerIpAddress: '127.0.0.1' },
      TimeGenerated: expect.any(Date) as Date,
    });
  });

  it('has no row outside the timespan, and none that the workspace no longer keeps', async () => {
    const { clock } = cloud.azure.control;
    const all = { duration: 'P400D' };
    const client = cloud.logs();
    const count = async (timespan: { duration: string }) => {
      const result = await client.queryWorkspace(
        workspaces.get('log-one') ?? '',
        'AZKVAuditLogs | project Id',
        timespan,
      );
      return result.status === LogsQueryResultStatus.Success ? (result.tables[0]?.rows.length ?? 0) : -1;
    };
    expect(await count(all)).toBeGreaterThan(2);
    const before = clock.now();
    clock.advance(2 * 60 * 60 * 1000);
    expect(
      await cloud.logs().queryWorkspace(workspaces.get('log-one') ?? '', 'AZKVAuditLogs | project Id', {
        duration: 'PT1H',
      }),
    ).toMatchObject({ tables: [{ rows: [] }] });
    expect(clock.now() - before).toBeGreaterThan(0);
    clock.advance(31 * 24 * 60 * 60 * 1000);
    const later = await cloud
      .logs()
      .queryWorkspace(workspaces.get('log-one') ?? '', 'AZKVAuditLogs | project Id', all);
    expect(later).toMatchObject({ tables: [{ rows: [] }] });
  });

  it('has sign-ins only where the directory sends them, each in the table of its kind', async () => {
    const setting = '/providers/microsoft.aadiam/diagnosticSettings/sign-ins?api-version=2017-04-01-preview';
    const properties = {
      workspaceId: `${group}/providers/Microsoft.OperationalInsights/workspaces/log-one`,
      logs: [{ category: 'ServicePrincipalSignInLogs', enabled: true }],
    };
    const applications = 'AADServicePrincipalSignInLogs';
    expect(await refusal(query(`${applications} | take 1`))).toMatchObject({ status: 400 });
    const denied = await cloud.arm('PUT', setting, { properties }, orders.credential);
    expect(denied).toMatchObject({ status: 403, body: { error: { code: 'AuthorizationFailed' } } });
    expect(await cloud.arm('PUT', setting, { properties })).toMatchObject({ status: 200 });
    expect((await cloud.arm('GET', setting)).body).toMatchObject({ name: 'sign-ins', properties });

    const { clientId, objectId, credential } = cloud.principal('signs-in');
    await credential.getToken('https://vault.azure.net/.default');
    expect(await query(`${applications} | where AppId == "${clientId}"`)).toMatchObject([
      {
        ...{ ServicePrincipalId: objectId, ResultType: '0', FederatedCredentialId: '' },
        ...{ ResourceIdentity: 'cfa8b339-82a2-471a-a3c9-0fc0be7a4093', IPAddress: '127.0.0.1' },
        UniqueTokenIdentifier: cloud.azure.control.audit().find((entry) => entry.clientId === clientId)
          ?.tokenId,
      },
    ]);
    expect(await refusal(query('AADManagedIdentitySignInLogs | take 1'))).toMatchObject({ status: 400 });
    expect((await cloud.arm('DELETE', setting)).status).toBe(200);
  });

  it('is queried by who has the role on the workspace, and nobody else', async () => {
    const auditor = cloud.principal('auditor');
    expect(await refusal(query('AZKVAuditLogs | take 1', 'log-one', auditor.credential))).toMatchObject({
      status: 403,
      code: 'InsufficientAccessError',
    });
    await grant(
      `${group}/providers/Microsoft.OperationalInsights/workspaces/log-one`,
      auditor.objectId,
      LOG_ANALYTICS_READER,
    );
    expect(await query('AZKVAuditLogs | take 1', 'log-one', auditor.credential)).toBeDefined();
    expect(await refusal(query('AzureDiagnostics | take 1', 'log-shared', auditor.credential))).toMatchObject(
      { status: 403 },
    );
  });

  it.each([
    [
      'a table that nothing was sent to',
      'AZKVAuditLogs | where Id == ""',
      400,
      "expression named 'AZKVAuditLogs'",
    ],
    ['a table that it does not know', 'Heartbeat | take 1', 400, "expression named 'Heartbeat'"],
    ['a part of KQL that it does not know', 'AZKVAuditLogs | extend a = 1', 501, "the operator 'extend'"],
  ])('refuses %s', async (_what, text, status, message) => {
    const { error, ...refused } = await refusal(query(text, 'log-empty'));
    expect(refused.status).toBe(status);
    expect(JSON.stringify((error as { details?: unknown }).details)).toContain(message);
  });

  it('refuses another workspace, no token, a token for something else, and a preference', async () => {
    expect(await refusal(query('AZKVAuditLogs', 'log-missing'))).toMatchObject({
      code: 'PathNotFoundError',
    });
    const url = `https://api.loganalytics.azure.com/v1/workspaces/${workspaces.get('log-one') ?? ''}/query`;
    const body = JSON.stringify({ query: 'AZKVAuditLogs' });
    expect(await cloud.raw(url, { method: 'POST', body })).toMatchObject({
      status: 401,
      body: { error: { code: 'AuthenticationFailed' } },
    });
    const other = await cloud.raw(url, { method: 'POST', body, credential: cloud.administrator() });
    expect(other).toMatchObject({
      status: 403,
      body: { error: { code: 'InvalidAuthenticationTokenAudience' } },
    });
    const preferring = cloud
      .logs()
      .queryWorkspace(
        workspaces.get('log-one') ?? '',
        'AZKVAuditLogs',
        { duration: 'P1D' },
        { includeQueryStatistics: true },
      );
    expect(await refusal(preferring)).toMatchObject({ status: 501 });
  });

  it('holds neither a secret’s value nor a token, over a restart too', async () => {
    await cloud.restart();
    const folder = path.join(cloud.stateDir, 'azure', 'logs');
    const files = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
    expect(files.join('')).toContain('orders-db');
    expect(files.join('')).not.toMatch(/the value of|eyJ[\w-]+\./);
  });
});
