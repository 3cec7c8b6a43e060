import type { WorkloadAccess } from '../../../verification/access';
import { NotReady } from '../../../verification/failure';
import { planChecks } from '../../../verification/plan';
import { assignedOutcome, unassignedOutcome } from '../../../verification/podIdentity';
import { podsOutcome } from '../../../verification/workloadState';
import { Environment } from './environment.fixture';
import { pod, twoClusters, workload } from './outputs.fixture';

const orders = { ...workload('aks-1', 'orders', 'id-aks-1', []), signIn: 'both' as const };
const running = pod();
const found = (clientID: string, status = 'Assigned') => ({
  spec: { azureIdentityRef: { spec: { clientID } } },
  status: { status },
});

/** A cluster with one pod of orders. @param assigned what is assigned for it */
const clusterWith = (assigned?: Record<string, unknown>): Pick<WorkloadAccess, 'pods' | 'customObject'> => ({
  pods: () => Promise.resolve([running]),
  customObject: (_cluster, _kind, namespace, name) =>
    assigned !== undefined && namespace === 'orders' && name === `${running.metadata?.name}-orders-orders`
      ? Promise.resolve(assigned)
      : Promise.reject(Object.assign(new Error('no'), { code: 404 })),
});

describe('an application that signs in with aad-pod-identity', () => {
  it('has pods that the webhook leaves alone', () => {
    expect(podsOutcome({ ...orders, signIn: 'podIdentity' }, [running])).toMatchObject({ ok: true });
    expect(podsOutcome(orders, [running])).toMatchObject({ ok: false });
  });

  it('is not tried by a token of its service account, which its identity does not trust', async () => {
    const environment = new Environment();
    const [, ...others] = environment.outputs.workloads;
    environment.outputs.workloads = [
      { ...workload('aks-1', 'orders', 'id-own', []), signIn: 'podIdentity' },
      ...others,
    ];
    const signedIn = new Set<string>();
    environment.beforeSignIn = (clientId) => void signedIn.add(clientId);

    await environment.verify();

    expect([...signedIn].sort()).toEqual([
      'client-id-aks-1-billing',
      'client-id-aks-2',
      'client-id-aks-2-reports',
    ]);
  });

  it('passes if its identity is assigned', async () => {
    const assigned = found(orders.identity.clientId.toUpperCase());

    expect(await assignedOutcome(clusterWith(assigned), orders)).toEqual({
      ok: true,
      detail: 'id-aks-1 is assigned for 1 pod',
    });
  });

  it.each([
    [undefined, 'not assigned'],
    [found(orders.identity.clientId, 'Created'), 'is Created for'],
    [found('another-generation'), 'another-generation is assigned for orders-1, not id-aks-1'],
  ])('is waited for: %#', async (assigned, reason) => {
    const outcome = assignedOutcome(clusterWith(assigned), orders);

    await expect(outcome).rejects.toThrow(NotReady);
    await expect(outcome).rejects.toThrow(reason);
  });
});

describe('an application that is revoked, and signed in with aad-pod-identity', () => {
  const revoked = { ...orders, revoked: true as const };
  const kindsOf = (deployed: typeof orders) => planChecks(twoClusters(), deployed).map(({ kind }) => kind);

  it('is checked', () => {
    expect(kindsOf(revoked)).toContain('unassigned');
    expect(kindsOf(orders)).not.toContain('unassigned');
    expect(
      planChecks(twoClusters(), { ...workload('aks-1', 'orders', 'id-aks-1', []), revoked: true }),
    ).not.toContainEqual({
      kind: 'unassigned',
    });
  });

  it('passes if nothing is assigned', async () => {
    expect(await unassignedOutcome(clusterWith(), revoked)).toMatchObject({ ok: true });
  });

  it('is waited for while its identity is assigned', async () => {
    await expect(unassignedOutcome(clusterWith(found('any', 'Created')), revoked)).rejects.toThrow(
      /is still assigned for .*, although it is revoked/,
    );
  });
});
