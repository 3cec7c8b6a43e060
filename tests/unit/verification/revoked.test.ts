import { builtInRoles, roleAssignmentName } from '../../../components/azure/roles';
import type { Access } from '../../../verification/access';
import type { Clock } from '../../../verification/attempt';
import { summarize, toReport } from '../../../verification/report';
import { verifyStack } from '../../../verification/runner';
import { annotationsOf, clientIdOf, twoClusters, workload } from './outputs.fixture';

const principal = 'principal-id-aks-1';

/** Verifies one application, which is revoked. @param signIn how Entra answers at a second */
async function verify(signIn: (second: number) => Error | undefined, changes: Partial<Access> = {}) {
  const outputs = twoClusters();
  outputs.workloads = [{ ...workload('aks-1', 'orders', 'id-aks-1', []), revoked: true as const }];
  outputs.dependencies = [
    {
      ...{
        application: 'orders',
        name: 'files',
        kind: 'storageAccount',
        azureName: 'st',
        managedBy: 'aks-1',
      },
      resourceId: '/subscriptions/s/resourceGroups/services/providers/Microsoft.Storage/storageAccounts/st',
      connection: 'identity',
    },
  ];
  outputs.identities = [
    { cluster: 'aks-1', name: 'id-aks-1', id: outputs.workloads[0]?.identity.id ?? '', trusts: [] },
  ];
  const clock: Clock & { time: number } = {
    time: 0,
    now: () => clock.time,
    sleep: (milliseconds) => Promise.resolve(void (clock.time += milliseconds)),
  };
  const access = {
    serviceAccountToken: () => Promise.resolve('token'),
    annotations: (account) => Promise.resolve(annotationsOf(clientIdOf(outputs, account))),
    signIn: () => {
      const refusal = signIn(clock.time / 1000);
      return refusal ? Promise.reject(refusal) : Promise.resolve({ readSecret: () => Promise.resolve() });
    },
    listSecrets: () => Promise.resolve([]),
    listCredentials: () => Promise.resolve([]),
    listAssignments: () => Promise.resolve([]),
    listPrincipals: () =>
      Promise.resolve(new Map([[outputs.identities[0]?.id.toLowerCase() ?? '', principal]])),
    readVault: () => Promise.resolve({ tags: {}, policies: [] }),
    ...changes,
  } as Partial<Access> as Access;
  const result = await verifyStack({ outputs, assigned: [], access, timeoutSeconds: 30, clock });
  return {
    checks: toReport(result).checks,
    seconds: clock.time / 1000,
    workloads: result.workloads.map(summarize),
  };
}

const check = 'is revoked: refuses service account orders/orders';
const refused = (code: string) => () => new Error(`${code}: no`);

describe('an application that is revoked', () => {
  it.each([['AADSTS700213'], ['AADSTS70021'], ['AADSTS70025']])(
    'passes if Entra answers %s, at once',
    async (code) => {
      const { checks, seconds, workloads } = await verify(refused(code));

      expect(checks.filter(({ ok }) => !ok)).toEqual([]);
      expect(checks[0]).toMatchObject({ check, ok: true, detail: `orders/orders of aks-1: ${code}` });
      expect(
        checks.map((outcome) => outcome.check).filter((outcome) => /reads|refused|pods/.test(outcome)),
      ).toEqual([]);
      expect(seconds).toBe(0);
      expect(workloads[0]?.grantsHold).toBe(true);
    },
  );

  it('is waited for as long as Entra still accepts it', async () => {
    const { checks } = await verify((second) => (second < 10 ? undefined : new Error('AADSTS70021: no')));

    expect(checks[0]).toMatchObject({
      check,
      ok: true,
      detail: expect.stringMatching(/AADSTS70021 after 1\d s$/) as unknown,
    });
  });

  it('fails if Entra accepts it for good', async () => {
    expect((await verify(() => undefined)).checks[0]).toMatchObject({
      ...{ check, ok: false },
      detail:
        'orders/orders of aks-1 is still accepted as id-aks-1, although it is revoked; gave up after 30 s',
    });
  });

  it.each([['ECONNREFUSED'], ['AADSTS50034']])('fails if the answer proves nothing: %s', async (code) => {
    expect((await verify(refused(code))).checks[0]).toMatchObject({ check, ok: false });
  });

  const service = '/subscriptions/s/resourceGroups/services/providers/Microsoft.Storage/storageAccounts/st';
  const blobs = 'storageBlobDataContributor';

  it.each([
    ['a secret', 'g', 'kv-central/secrets/orders-db', builtInRoles.keyVaultSecretsUser],
    ['a service', roleAssignmentName(service, principal, blobs), service, builtInRoles[blobs]],
  ])('fails if its identity still has a grant on %s', async (_what, name, scope, role) => {
    const id = `/subscriptions/s/providers/Microsoft.Authorization/roleAssignments/${name}`;
    const { checks } = await verify(refused('AADSTS70021'), {
      listAssignments: () => Promise.resolve([{ ...{ id, name, scope, role }, principalId: principal }]),
    });

    expect(checks.filter(({ ok }) => !ok)).toMatchObject([
      {
        ...{ application: 'id-aks-1', check: 'has only the grants of the stack' },
        detail: expect.stringContaining(`az role assignment delete --ids ${id}`) as unknown,
      },
    ]);
  });
});
