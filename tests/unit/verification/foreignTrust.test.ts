import type { FederatedCredential, SignIns } from '../../../verification/access';
import type { TrustingIdentity } from '../../../verification/checks';
import { checkTrusts } from '../../../verification/foreignTrust';
import { identity } from './outputs.fixture';

const trust = {
  issuer: 'https://westeurope.oic.prod-aks.azure.com/tenant/aks-1/',
  subject: 'system:serviceaccount:orders:orders',
};
const audience = 'api://AzureADTokenExchange';
const own: FederatedCredential = { name: 'orders_orders', ...trust, audiences: [audience] };
const identities: TrustingIdentity[] = [
  {
    cluster: 'aks-1',
    name: 'id-aks-1',
    id: identity('id-aks-1').id,
    trusts: [{ ...trust, audience }],
  },
];
const check = (listCredentials: () => Promise<FederatedCredential[]>) =>
  checkTrusts(
    { identities },
    { listCredentials, listSignIns: () => Promise.reject(new Error('not an application')) },
    new Date(),
    (run) => run(),
  );

const named = {
  cluster: 'aks-1',
  application: 'id-aks-1',
  check: 'trusts only what the stack names',
};

describe('an identity that the stack made', () => {
  it('passes if it trusts what the stack names', async () => {
    expect(await check(() => Promise.resolve([own]))).toEqual({
      checks: [{ ...named, ok: true, detail: '1 federated credential' }],
      foreign: [],
      unlisted: [],
    });
  });

  it.each([
    [
      'a foreign issuer',
      { issuer: 'https://elsewhere.example/', subject: trust.subject },
      'system:serviceaccount:orders:orders of https://elsewhere.example/',
    ],
    [
      'another subject',
      { issuer: trust.issuer, subject: 'system:serviceaccount:orders:thief' },
      `system:serviceaccount:orders:thief of ${trust.issuer}`,
    ],
    [
      'whoever matches an expression',
      { issuer: trust.issuer, subject: undefined },
      `claims of ${trust.issuer} by an expression`,
    ],
  ])('fails if somebody made it trust %s, with the command that removes it', async (_, added, whom) => {
    const { checks, foreign } = await check(() =>
      Promise.resolve([own, { name: 'added', audiences: [], ...added }]),
    );
    const what = `trusts ${whom}, which this stack does not name`;
    const removal =
      'az identity federated-credential delete --subscription s --resource-group rg --identity-name id-aks-1 --name added';

    expect(checks).toEqual([{ ...named, ok: false, detail: `${what}; remove it: ${removal}` }]);
    const id = `${identity('id-aks-1').id}/federatedIdentityCredentials/added`;
    expect(foreign).toEqual([{ on: 'id-aks-1', id, what, removal }]);
  });

  it.each([
    ['is gone', []],
    ['has another audience', [{ ...own, audiences: ['api://other'] }]],
  ])('fails if a credential that the stack names %s', async (_, left) => {
    const { checks } = await check(() => Promise.resolve(left));
    const detail = `does not trust ${trust.subject} of ${trust.issuer} with the audience ${audience}; \`pulumi up --refresh\` restores it`;
    expect(checks).toEqual([{ ...named, ok: false, detail }]);
  });

  it('is not checked, and said so, if its credentials cannot be listed', async () => {
    expect(await check(() => Promise.reject(new Error('no answer')))).toEqual({
      checks: [],
      foreign: [],
      unlisted: [{ name: 'id-aks-1', reason: 'no answer' }],
    });
  });
});

describe('an application in Entra that the stack made', () => {
  const clientId = 'client-1';
  const application: TrustingIdentity = {
    ...{ cluster: 'aks-1', name: 'id-orders', id: '/applications/object-1', clientId, principalId: 'p' },
    trusts: [{ ...trust, audience }],
  };
  const none: SignIns = { certificates: [], passwords: [], federated: ['orders_orders'] };
  const found = async (
    signIns: SignIns | undefined,
    credentials = [own],
    identity: TrustingIdentity = application,
  ) => {
    const listSignIns = () => Promise.resolve(signIns);
    const listCredentials = () => Promise.resolve(credentials);
    const { checks } = await checkTrusts(
      { identities: [identity] },
      { listCredentials, listSignIns },
      new Date('2027-01-01T00:00:00Z'),
      (run) => run(),
    );
    return checks.map(({ check: what, ok, detail }) => [what, ok, detail]);
  };

  it('passes if it trusts what the stack names, and has no certificate and no password', async () => {
    expect(await found(none)).toEqual([
      ['trusts only what the stack names', true, '1 federated credential'],
      ['signs in only by federation', true, 'no certificate, no password'],
    ]);
  });

  it('fails with the commands that remove what somebody added', async () => {
    const foreign = { ...own, name: 'added', issuer: 'https://elsewhere.example/' };
    const [trusts, signsIn] = await found({ ...none, passwords: ['key-1'] }, [own, foreign]);
    expect(trusts?.[1]).toBe(false);
    expect(trusts?.[2]).toContain(
      'remove it: az ad app federated-credential delete --id client-1 --federated-credential-id added',
    );
    expect(signsIn?.[1]).toBe(false);
    expect(signsIn?.[2]).toContain('az ad app credential delete --id client-1 --key-id key-1');
  });

  it('fails if Entra does not have it', async () => {
    expect((await found(undefined)).at(-1)).toEqual([
      'signs in only by federation',
      false,
      'Entra has no such application; `pulumi up --refresh` makes another',
    ]);
  });

  describe.each(['certificate', 'password'] as const)('that signs in by a stored %s', (kind) => {
    const stored: TrustingIdentity = {
      ...application,
      trusts: [],
      credential: {
        ...{ kind, vault: 'kv', secret: `orders-${kind}`, keyIds: ['key-1', 'key-2'] },
        ...{ expiresOn: '2027-01-30T00:00:00Z', renewAfter: '2026-12-31T00:00:00Z' },
      },
    };
    const here: SignIns = {
      certificates: [],
      passwords: [],
      federated: [],
      [`${kind}s`]: ['key-1', 'key-2'],
    };

    it('passes with those of the stack, and says until when', async () => {
      expect(await found(here, [], stored)).toEqual([
        ['trusts only what the stack names', true, '0 federated credentials'],
        [`has a valid ${kind}`, true, 'until 2027-01-30T00:00:00Z, renewed by the next update'],
        [`signs in only by its ${kind}s`, true, `2 ${kind}s`],
      ]);
    });

    it('fails with a federated credential, and with a key that the stack does not know', async () => {
      const other = kind === 'password' ? 'certificates' : 'passwords';
      const checks = await found(
        { ...here, [`${kind}s`]: ['key-1', 'key-2', 'key-3'], [other]: ['key-4'] },
        [own],
        stored,
      );
      expect(checks.map(([, ok]) => ok)).toEqual([false, true, false]);
      expect(checks[2]?.[2]).toMatch(/--key-id key-3.*--key-id key-4|--key-id key-4.*--key-id key-3/);
    });

    it('fails without one that the stack registered', async () => {
      expect((await found({ ...here, [`${kind}s`]: ['key-1'] }, [], stored)).at(-1)).toEqual([
        `signs in only by its ${kind}s`,
        false,
        `Entra does not have its ${kind} key-2; \`pulumi up --refresh\` registers another`,
      ]);
    });

    it('fails once it has expired', async () => {
      const expiresOn = '2026-12-31T23:59:59Z';
      const [, validity] = await found(here, [], {
        ...stored,
        ...(stored.credential && { credential: { ...stored.credential, expiresOn } }),
      });
      expect(validity).toEqual([
        `has a valid ${kind}`,
        false,
        `expired on ${expiresOn}; \`pulumi up\` makes the next one`,
      ]);
    });
  });
});
