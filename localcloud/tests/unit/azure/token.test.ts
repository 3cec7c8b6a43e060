import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AuditLog } from '../../../azure/audit';
import { ControllableClock } from '../../../azure/clock';
import type { TokenContext } from '../../../azure/entra/token';
import { token } from '../../../azure/entra/token';
import { TENANT_ID } from '../../../identity';

describe('the token endpoint', () => {
  it('records a request that fails unexpectedly', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'token-'));
    const audit = new AuditLog(path.join(folder, 'audit.jsonl'));
    const store = {
      principalByClientId: () => {
        throw new Error('the disk is broken');
      },
    };
    const context = { audit, store, clock: new ControllableClock() } as unknown as TokenContext;

    const request = {
      id: 'one',
      method: 'POST',
      host: 'login.microsoftonline.com',
      origin: 'https://login.microsoftonline.com',
      target: `/${TENANT_ID}/oauth2/v2.0/token`,
      segments: [TENANT_ID, 'oauth2', 'v2.0', 'token'],
      query: new URLSearchParams(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&client_id=them&scope=x',
    };
    const answer = token(context, request, 'v2');

    await expect(answer).rejects.toThrow('the disk is broken');
    expect(audit.read()).toMatchObject([{ clientId: 'them', scope: 'x', outcome: 'refused' }]);
    rmSync(folder, { recursive: true });
  });
});
