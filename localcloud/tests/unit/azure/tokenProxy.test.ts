import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { presentedFor } from '../../../azure/arm/resources/identityBindings';
import { AuditLog } from '../../../azure/audit';
import { ControllableClock } from '../../../azure/clock';
import type { IdentityUse } from '../../../azure/clusterRuntime';
import type { TokenContext } from '../../../azure/entra/token';
import { tokenForPod } from '../../../azure/entra/tokenProxy';
import { SigningKey } from '../../../azure/identity/signingKey';
import { Tokens } from '../../../azure/identity/tokens';
import { Store } from '../../../azure/store/store';

const clientId = '22222222-2222-4222-8222-222222222222';
const account = 'system:serviceaccount:shop:orders';
const group = '/subscriptions/s/resourceGroups/rg/providers';
const identityId = `${group}/Microsoft.ManagedIdentity/userAssignedIdentities/id-a`;
const cluster = {
  id: `${group}/Microsoft.ContainerService/managedClusters/aks-1`,
  name: 'aks-1',
  type: 'Microsoft.ContainerService/managedClusters',
  properties: {},
};
const form = {
  grant_type: 'client_credentials',
  client_id: clientId,
  scope: 'https://vault.azure.net/.default',
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: 'the token',
};

// The vendor's client and a real API server are in services/kubernetes/identityBindings.test.ts.
describe('the token proxy of a cluster', () => {
  let folder: string;
  let context: TokenContext;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'token-proxy-'));
    const [store, clock] = [new Store(folder), new ControllableClock()];
    const tokens = new Tokens(new SigningKey(path.join(folder, 'key')), clock);
    const audit = new AuditLog(path.join(folder, 'audit.jsonl'));
    context = { store, clock, tokens, audit, propagation: () => 0 } as unknown as TokenContext;
    store.principals.set('o', {
      ...{ objectId: 'o', clientId, displayName: 'id-a', kind: 'managedIdentity', resourceId: identityId },
    });
    const { issuer, subject, audience } = presentedFor(clientId);
    const credential = `${identityId}/federatedIdentityCredentials/aks-identity-binding`;
    store.resources.set(credential, {
      ...{ id: credential, name: 'aks-identity-binding', type: 'credential' },
      properties: { issuer, subject, audiences: [audience] },
    });
    bind('aks-1', 'Succeeded');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const bind = (name: string, provisioningState: string) => {
    const id = `${group}/Microsoft.ContainerService/managedClusters/${name}/identityBindings/orders`;
    const type = 'Microsoft.ContainerService/managedClusters/identityBindings';
    const properties = { managedIdentity: { clientId }, provisioningState };
    context.store.resources.set(id, { id, name: 'orders', type, properties });
  };
  const ask = (use: IdentityUse, change: { form?: object; target?: string; method?: string } = {}) => {
    const target = change.target ?? '/';
    const request = {
      ...{ id: 'one', host: '127.0.0.1', origin: 'https://127.0.0.1', query: new URLSearchParams() },
      ...{ method: change.method ?? 'POST', target, segments: target.split('/').filter(Boolean) },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...form, ...change.form }).toString(),
    };
    return tokenForPod(context, cluster, request, () => Promise.resolve(use));
  };
  const allowed = { account, allowed: true };

  it('answers an account that may use the identity, and records the cluster and the account', async () => {
    expect(await ask(allowed)).toMatchObject({
      status: 200,
      body: { expires_in: 3599, access_token: expect.any(String) as string },
    });
    expect(context.audit.read()).toMatchObject([
      { outcome: 'issued', cluster: 'aks-1', subject: account, credential: 'aks-identity-binding' },
    ]);
  });

  it.each([
    ['a token that the API server refuses', { problem: 'expired' }, {}, 401, 'expired'],
    ['an account without the permission', { account, allowed: false }, {}, 403, 'may not'],
    ['a form without a token', allowed, { form: { client_assertion: '' } }, 400, 'client_assertion'],
    ['a secret', allowed, { form: { client_assertion_type: 'x' } }, 400, 'client_assertion_type'],
    ['another path', allowed, { target: '/common/discovery/instance' }, 404, 'POST /'],
    ['another method', allowed, { method: 'GET' }, 405, 'POST /'],
    ['an identity without a binding', allowed, { form: { client_id: 'x' } }, 403, 'no identity binding'],
    ['another tenant', allowed, { target: '/x/oauth2/v2.0/token' }, 400, 'AADSTS90002'],
  ])('refuses %s', async (_what, use, change, status, text) => {
    const reply = await ask(use, change);
    expect(reply.status).toBe(status);
    expect(JSON.stringify(reply.body)).toContain(text);
  });

  it.each(['Creating', 'Deleting', 'Failed'])('refuses a binding in the state %s', async (state) => {
    bind('aks-1', state);
    expect(await ask(allowed)).toMatchObject({ status: 403 });
  });

  it('needs a binding of this cluster, and the shared credential', async () => {
    context.store.resources.delete(`${cluster.id}/identityBindings/orders`);
    bind('aks-10', 'Succeeded');
    expect(await ask(allowed)).toMatchObject({ status: 403 });

    bind('aks-1', 'Updating');
    expect(await ask(allowed)).toMatchObject({ status: 200 });
    context.store.resources.delete(`${identityId}/federatedIdentityCredentials/aks-identity-binding`);
    expect(await ask(allowed)).toMatchObject({ status: 401 });
  });
});
