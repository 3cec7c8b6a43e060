import type { V1Pod } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import type { Access } from '../../../verification/access';
import { accountName } from '../../../verification/checks';
import { summarize } from '../../../verification/report';
import { verifyStack } from '../../../verification/runner';
import { annotationOutcome, podsOutcome } from '../../../verification/workloadState';
import { annotationsOf, clientIdOf, pod, twoClusters, workload } from './outputs.fixture';

const orders = workload('aks-1', 'orders', 'id-orders', []);
const { clientId } = orders.identity;

describe('the annotations of a service account', () => {
  const outcome = (annotations: Record<string, string>) =>
    annotationOutcome({ tenantId: 'tenant' }, orders, annotations);

  it('pass with the ids of the identity', () => {
    expect(outcome({ ...annotationsOf(clientId), other: 'x' })).toEqual({
      ok: true,
      detail: 'has the ids of id-orders',
    });
  });

  it.each([
    [
      'another client id',
      annotationsOf('another'),
      `azure.workload.identity/client-id is another instead of ${clientId}`,
    ],
    [
      'another tenant',
      annotationsOf(clientId, 'elsewhere'),
      'azure.workload.identity/tenant-id is elsewhere instead of tenant',
    ],
    [
      'none',
      {},
      `azure.workload.identity/client-id is missing instead of ${clientId}; azure.workload.identity/tenant-id is missing instead of tenant`,
    ],
  ])('fail with %s, and say what restores them', (_, annotations, what) => {
    expect(outcome(annotations)).toEqual({
      ok: false,
      detail: `${what}: new pods do not sign in as id-orders; \`pulumi up --refresh\` restores it`,
    });
  });
});

describe('the pods of a workload', () => {
  const ready = pod(clientId);
  const ended = pod(clientId, [], { status: { phase: 'Failed' } });
  const leaving = pod(clientId, [], { metadata: { deletionTimestamp: new Date(0) } });

  it('pass if they are ready; those that ended or are being deleted do not matter', () => {
    expect(podsOutcome(orders, [ready, ended, leaving])).toEqual({
      ok: true,
      detail: '1 ready',
    });
  });

  it.each([
    ['there are none', []],
    ['the last one is being deleted', [leaving]],
  ])('fail if %s, with what restores them', (_, pods) => {
    const { ok, detail } = podsOutcome(orders, pods);
    expect(ok).toBe(false);
    expect(detail).toMatch(/^there are none in namespace orders: .* `pulumi up --refresh` restores them$/);
    // A chart may have pods only now and then.
    expect(podsOutcome({ ...orders, hasPods: false }, pods)).toEqual({
      ...{ ok: true, isNote: true },
      detail: 'there are none in namespace orders',
    });
  });

  it('are waited for if they are not ready, and then named with what says why', () => {
    const waiting = pod(clientId, ['Initialized']);
    const crashing = {
      ...{ name: 'main', image: '', imageID: '', ready: false, restartCount: 3 },
      state: { waiting: { reason: 'CrashLoopBackOff' } },
    };
    const failing = pod(clientId, [], { status: { containerStatuses: [crashing] } });

    expect(() => podsOutcome(orders, [ready, waiting])).toThrow(
      '1 of 2 not ready: orders-1 (Running); `kubectl --namespace orders describe pod orders-1` says why',
    );
    expect(() => podsOutcome(orders, [failing])).toThrow('1 of 1 not ready: orders-1 (CrashLoopBackOff)');
    const restores = 'restores what was changed by hand';
    expect(() => podsOutcome(orders, [failing])).toThrow(restores);
    // What a chart made is Helm's.
    expect(() => podsOutcome({ ...orders, hasPods: false }, [failing])).toThrow(/says why$/);
  });

  it.each([
    ['another client id', 'another'],
    ['none, as without the label of the webhook', undefined],
  ])('fail if one got %s, although it is ready', (_, injected) => {
    const { ok, detail } = podsOutcome(orders, [ready, pod(injected)]);
    expect(ok).toBe(false);
    expect(detail).toContain('orders-1 was not made with the client id of id-orders');
    expect(detail).toContain('`kubectl --namespace orders delete pod orders-1`');
  });

  it('may have any client id in the owner’s own chart', () => {
    const ofChart = pod('another', ['Ready'], { metadata: { name: 'orders-1' } });
    expect(podsOutcome(orders, [ofChart]).ok).toBe(true);
  });

  it('pass with a note if the local cloud only simulates them', () => {
    expect(podsOutcome(orders, [ready, pod(clientId, ['Ready', 'local-cloud/Simulated'])])).toEqual({
      ok: true,
      detail:
        '1 of 2 are only simulated by the local cloud, which does not run their image: whether they work is not known',
      isNote: true,
    });
  });
});

describe('the verification of the state of workloads', () => {
  /** Verifies clusters in which `changed` is not as the stack made it, by cluster and account. */
  async function verify(
    changed: {
      readonly annotations?: Record<string, () => Record<string, string>>;
      readonly pods?: Record<string, () => V1Pod[]>;
    },
    outputs = twoClusters(),
  ) {
    let now = 0;
    const clock = { now: () => now, sleep: (pause: number) => Promise.resolve(void (now += pause)) };
    const access: Partial<Access> = {
      serviceAccountToken: () => Promise.resolve('token'),
      signIn: () => Promise.resolve({ readSecret: () => Promise.resolve() }),
      annotations: (account) => {
        const given = changed.annotations?.[`${account.cluster}/${accountName(account)}`];
        return Promise.resolve(given?.() ?? annotationsOf(clientIdOf(outputs, account)));
      },
      pods: (account) => {
        const given = changed.pods?.[`${account.cluster}/${accountName(account)}`];
        return Promise.resolve(given?.() ?? [pod(clientIdOf(outputs, account))]);
      },
    };
    const options = { outputs, access: access as Access, timeoutSeconds: 30, clock };
    const workloads = (await verifyStack(options)).workloads.map(summarize);
    const failed = workloads
      .flatMap((one) => one.failed)
      .filter(({ check }) => /^(annotations|pods)/.test(check))
      .map((one) => `${one.cluster}/${one.application}: ${one.check}: ${one.detail}`);
    return { workloads, failed, waited: now };
  }
  const account = 'aks-1/orders/orders';
  const { clientId } = twoClusters().workloads[0]?.identity ?? { clientId: '' };

  it('checks every service account', async () => {
    const outputs = twoClusters();
    outputs.workloads[0]?.serviceAccounts.push('worker');
    const { failed, workloads } = await verify(
      { annotations: { 'aks-1/orders/worker': () => annotationsOf('another') } },
      outputs,
    );
    expect(failed).toHaveLength(1);
    expect(failed[0]).toContain('aks-1/orders: annotations of service account orders/worker: ');
    expect(workloads.map(({ grantsHold }) => grantsHold)).toEqual([false, true, true, true]);
  });

  it('checks the one service account that the outputs of older programs name', async () => {
    const outputs = twoClusters();
    for (const one of outputs.workloads) one.serviceAccounts = [];
    const { failed } = await verify({ annotations: { [account]: () => ({}) } }, outputs);
    expect(failed).toHaveLength(1);
    expect(failed[0]).toContain('aks-1/orders: annotations of service account orders/orders: ');
  });

  it('says what makes a deleted service account again', async () => {
    const missing = Object.assign(new Error('HTTP-Code: 404'), {
      code: 404,
      body: '{"message":"serviceaccounts \\"orders\\" not found"}',
    });
    const { failed } = await verify({
      annotations: {
        [account]: () => {
          throw missing;
        },
      },
    });
    expect(failed).toEqual([
      'aks-1/orders: annotations of service account orders/orders: serviceaccounts "orders" not found; `pulumi up --refresh` restores it',
    ]);
  });

  it('waits for pods that are not ready yet', async () => {
    let starting = 3;
    const pods = () => [pod(clientId, starting-- > 0 ? [] : ['Ready'])];
    expect((await verify({ pods: { [account]: pods } })).failed).toEqual([]);

    const { failed, workloads } = await verify({ pods: { [account]: () => [pod(clientId, [])] } });
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatch(/^aks-1\/orders: pods: 1 of 1 not ready: .*; gave up after 30 s$/);
    expect(workloads[0]?.grantsHold).toBe(false);
  });

  it('does not wait for pods that are not there', async () => {
    const { failed, waited } = await verify({ pods: { [account]: () => [] } });
    expect(failed[0]).toContain('aks-1/orders: pods: there are none in namespace orders');
    expect(waited).toBe(0);
  });

  it('notes where the local cloud only simulates the pods', async () => {
    const simulated = pod(clientId, ['Ready', 'local-cloud/Simulated']);
    const { failed, workloads } = await verify({ pods: { [account]: () => [simulated] } });
    expect(failed).toEqual([]);
    expect(workloads[0]?.notes).toEqual([expect.stringMatching(/^pods: 1 of 1 are only simulated/)]);
  });
});
