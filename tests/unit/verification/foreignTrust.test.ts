import type { FederatedCredential, SignIns } from '../../../verification/access';
import type { TrustingIdentity } from '../../../verification/checks';
import { checkTrusts } from '../../../verification/foreignTrust';
import { reviewed } from '../support/reviewed';
import { identity } from './outputs.fixture';
import { shownChecks, shownUnlisted } from './shown.fixture';

const trust = {
  issuer: 'https://westeurope.oic.prod-aks.azure.com/tenant/aks-1/',
  subject: 'system:serviceaccount:orders:orders',
};
const audience = 'api://AzureADTokenExchange';
const own: FederatedCredential = { name: 'orders_orders', ...trust, audiences: [audience] };
const trusts = [{ ...trust, audience }];
const managed: TrustingIdentity = {
  ...{ cluster: 'aks-1', name: 'id-aks-1', id: identity('id-aks-1').id },
  trusts,
};

const shows = reviewed(__filename);

/** Shows the checks of an identity with what Entra and Azure have of it. @param credentials an error: why they cannot be listed */
const shown = (
  title: string,
  trusting: TrustingIdentity,
  credentials: FederatedCredential[] | Error,
  signIns?: Partial<SignIns>,
  bound: readonly TrustingIdentity[] = [],
) =>
  shows(title, async () => {
    const none = { certificates: [], passwords: [], federated: [] };
    const { checks, foreign, unlisted } = await checkTrusts(
      {
        ...{ identities: [trusting], tenantId: 'tenant' },
        identityBindings: bound.map(({ cluster, name }) => ({
          ...{ cluster, id: `/identityBindings/${name}`, identity: identity(name) },
          ...{ role: `use-${name}`, serviceAccounts: [] },
        })),
      },
      {
        listCredentials: () =>
          credentials instanceof Error ? Promise.reject(credentials) : Promise.resolve(credentials),
        listSignIns: () => Promise.resolve(signIns && { ...none, ...signIns }),
      },
      new Date('2027-01-01T00:00:00Z'),
      (run) => run(),
    );
    return [...shownChecks(checks), ...shownUnlisted(unlisted), ...foreign];
  });

describe('an identity that the stack created', () => {
  shown('passes if it trusts what the stack names', managed, [own]);
  for (const [title, added] of [
    ['a foreign issuer', { issuer: 'https://elsewhere.example/', subject: trust.subject }],
    ['another subject', { issuer: trust.issuer, subject: 'system:serviceaccount:orders:thief' }],
    ['whoever matches an expression', { issuer: trust.issuer, subject: undefined }],
  ] as const)
    shown(`fails if it also trusts ${title}`, managed, [own, { name: 'added', audiences: [], ...added }]);
  const ofBindings = { name: 'aks-identity-binding', subject: 's', audiences: ['a'] };
  const aks = 'https://ib.oic.prod-aks.azure.com';
  const other = { ...managed, name: 'id-other', id: identity('id-other').id };
  for (const [title, issuer, bound] of [
    ['passes if AKS created a credential for its identity binding', `${aks}/tenant/client-id-aks-1`, managed],
    ['fails if it has such a credential without a binding', `${aks}/tenant/client-id-aks-1`, undefined],
    ['fails if only another identity has a binding', `${aks}/tenant/client-id-aks-1`, other],
    ['fails if such a credential is of another identity', `${aks}/tenant/client-id-other`, managed],
    ['fails if it is of another tenant', `${aks}/elsewhere/client-id-aks-1`, managed],
    ['fails if it has another issuer', `${aks}.elsewhere.example/tenant/client-id-aks-1`, managed],
  ] as const)
    shown(title, managed, [own, { ...ofBindings, issuer }], undefined, bound && [bound]);
  shown('fails if a credential that the stack names is gone', managed, []);
  shown('fails if one has another audience', managed, [{ ...own, audiences: ['api://other'] }]);
  shown('is reported as not checked if its credentials cannot be listed', managed, new Error('no answer'));
});

describe('an application in Entra that the stack created', () => {
  const application: TrustingIdentity = {
    ...{ cluster: 'aks-1', name: 'id-orders', id: '/applications/object-1' },
    ...{ clientId: 'client-1', principalId: 'p', trusts },
  };
  const federated = ['orders_orders'];
  const foreign = { ...own, name: 'added', issuer: 'https://elsewhere.example/' };

  shown('application: passes without a certificate and a password', application, [own], { federated });
  shown('application: fails with the commands that remove what somebody added', application, [own, foreign], {
    ...{ federated, passwords: ['key-1'] },
  });
  shown('application: fails if Entra does not have it', application, [own]);

  for (const kind of ['certificate', 'password'] as const) {
    const credential = {
      ...{ kind, vault: 'kv', secret: `orders-${kind}`, keyIds: ['key-1', 'key-2'] },
      ...{ expiresOn: '2027-01-30T00:00:00Z', renewAfter: '2026-12-31T00:00:00Z' },
    };
    const stored: TrustingIdentity = { ...application, trusts: [], credential };
    const here = { [`${kind}s`]: ['key-1', 'key-2'] };
    const other = kind === 'password' ? 'certificates' : 'passwords';

    shown(`${kind}: passes with those of the stack, and says until when`, stored, [], here);
    shown(`${kind}: fails with a federated credential, and with unknown keys`, stored, [own], {
      ...{ [`${kind}s`]: ['key-1', 'key-2', 'key-3'], [other]: ['key-4'] },
    });
    shown(`${kind}: fails without one that the stack registered`, stored, [], { [`${kind}s`]: ['key-1'] });
    shown(
      `${kind}: fails once it has expired`,
      { ...stored, credential: { ...credential, expiresOn: '2026-12-31T23:59:59Z' } },
      [],
      here,
    );
  }
});
