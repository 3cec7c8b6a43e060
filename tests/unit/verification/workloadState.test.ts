import type { V1Pod } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import type { Access } from '../../../verification/access';
import { accountName } from '../../../verification/checks';
import { NotReady } from '../../../verification/failure';
import { summarize } from '../../../verification/report';
import { verifyStack } from '../../../verification/runner';
import { annotationOutcome, podsOutcome } from '../../../verification/workloadState';
import { reviewed } from '../support/reviewed';
import { annotationsOf, clientIdOf, pod, twoClusters, workload } from './outputs.fixture';

const orders = workload('aks-1', 'orders', 'id-orders', []);
const { clientId } = orders.identity;

const shows = reviewed(__filename);

const crashing = {
  ...{ name: 'main', image: '', imageID: '', ready: false, restartCount: 3 },
  state: { waiting: { reason: 'CrashLoopBackOff' } },
};
const failing = pod(clientId, [], { status: { containerStatuses: [crashing] } });

describe('the annotations of a service account', () => {
  for (const [title, annotations] of Object.entries({
    'the ids of the identity': { ...annotationsOf(clientId), other: 'x' },
    'another client id': annotationsOf('another'),
    'another tenant': annotationsOf(clientId, 'elsewhere'),
    none: {},
  }))
    shows(`annotations: ${title}`, () => annotationOutcome({ tenantId: 'tenant' }, orders, annotations));
});

describe('the pods of a workload', () => {
  const used = { 'azure.workload.identity/use': 'true' };
  const ready = pod(clientId);
  const ended = pod(clientId, [], { status: { phase: 'Failed' } });
  const leaving = pod(clientId, [], { metadata: { deletionTimestamp: new Date(0) } });
  for (const [title, pods] of Object.entries({
    'ready; those that ended or are being deleted do not matter': [ready, ended, leaving],
    none: [],
    'none but one that is being deleted': [leaving],
    'not ready, which is waited for': [ready, pod(clientId, ['Initialized'])],
    'not ready, with what says why': [failing],
    'ready with another client id': [
      ready,
      pod('another', ['Ready'], {
        metadata: {
          name: 'orders-1',
          annotations: { 'aks-workload-identity/client-id': 'as deployed' },
          labels: used,
        },
      }),
    ],
    'ready without the label of the webhook': [ready, pod(undefined)],
    // Any client id is allowed there.
    'ready of the owner’s own chart, whose webhook missed them': [
      pod(undefined, ['Ready'], { metadata: { name: 'orders-1', labels: used } }),
    ],
    'ready of the owner’s own chart, with another client id': [
      pod('another', ['Ready'], { metadata: { name: 'orders-1', labels: used } }),
    ],
    'ready of the owner’s own chart, with a client id from a Secret': [
      pod(undefined, ['Ready'], {
        metadata: { name: 'orders-1', labels: used },
        spec: { containers: [{ name: 'main', env: [{ name: 'AZURE_CLIENT_ID', valueFrom: {} }] }] },
      }),
    ],
    'ready of the owner’s own chart without the label': [
      pod('another', ['Ready'], { metadata: { name: 'orders-1' } }),
    ],
    'simulated by the local cloud': [ready, pod(clientId, ['Ready', 'local-cloud/Simulated'])],
  }))
    shows(`pods: ${title}`, () =>
      // A chart may have pods only now and then, and what it made is Helm's.
      Object.entries({ own: orders, chart: { ...orders, hasPods: false } }).map(([name, deployed]) => {
        try {
          return { [name]: podsOutcome(deployed, pods) };
        } catch (error) {
          return { [name]: error instanceof NotReady ? `waited for: ${error.message}` : error };
        }
      }),
    );
});

describe('the verification of the state of workloads', () => {
  /** Verifies clusters in which `changed` is not as the stack made it, by cluster and account. */
  async function verify(
    changed: {
      readonly annotations?: Record<string, () => Record<string, string>>;
      readonly pods?: Record<string, () => V1Pod[]>;
      readonly ofRelease?: readonly V1Pod[];
      /** By pod and container. */
      readonly lastLines?: Record<string, string>;
    },
    outputs = twoClusters(),
  ) {
    let now = 0;
    const clock = { now: () => now, sleep: (pause: number) => Promise.resolve(void (now += pause)) };
    const access: Partial<Access> = {
      serviceAccountToken: () => Promise.resolve('token'),
      signIn: () => Promise.resolve({ readSecret: () => Promise.resolve() }),
      annotations: (account) => {
        const answer = changed.annotations?.[`${account.cluster}/${accountName(account)}`];
        return Promise.resolve(answer?.() ?? annotationsOf(clientIdOf(outputs, account)));
      },
      pods: (account) => {
        const answer = changed.pods?.[`${account.cluster}/${accountName(account)}`];
        return Promise.resolve(answer?.() ?? [pod(clientIdOf(outputs, account))]);
      },
      podsOfRelease: (_, __, release) =>
        Promise.resolve(release === 'orders' ? [...(changed.ofRelease ?? [])] : []),
      lastLines: ({ pod, container }) => Promise.resolve(changed.lastLines?.[`${pod}/${container}`] ?? ''),
    };
    const options = { outputs, assigned: [], access: access as Access, timeoutSeconds: 30, clock };
    const workloads = (await verifyStack(options)).workloads.map(summarize);
    const failed = workloads
      .flatMap((checked) => checked.failed)
      .filter(({ check }) => /^(annotations|pods)/.test(check))
      .map((check) => `${check.cluster}/${check.application}: ${check.check}: ${check.detail}`);
    return { workloads, failed, waited: now };
  }
  const account = 'aks-1/orders/orders';
  const { clientId } = twoClusters().workloads[0]?.identity ?? { clientId: '' };
  const shown = (
    title: string,
    changed: Parameters<typeof verify>[0],
    change?: (outputs: ReturnType<typeof twoClusters>) => unknown,
  ) =>
    shows(title, async () => {
      const outputs = twoClusters();
      change?.(outputs);
      const { workloads, failed, waited } = await verify(changed, outputs);
      const notes = workloads.flatMap((checked) => checked.notes);
      return { failed, notes, waited, grantsHold: workloads.map(({ grantsHold }) => grantsHold).join() };
    });

  shown(
    'checks every service account',
    { annotations: { 'aks-1/orders/worker': () => annotationsOf('another') } },
    ({ workloads: [orders] }) => orders?.serviceAccounts.push('worker'),
  );
  const missing = Object.assign(new Error('HTTP-Code: 404'), {
    code: 404,
    body: '{"message":"serviceaccounts \\"orders\\" not found"}',
  });
  shown('names what creates a deleted service account again', {
    annotations: {
      [account]: () => {
        throw missing;
      },
    },
  });
  let starting = 3;
  for (const [title, pods] of Object.entries({
    'waits for pods that are not ready yet': () => [pod(clientId, starting-- > 0 ? [] : ['Ready'])],
    'waits for pods that never are ready': () => [pod(clientId, [])],
    'does not wait for pods that are not there': () => [],
    'notes where the local cloud only simulates the pods': () => [
      pod(clientId, ['Ready', 'local-cloud/Simulated']),
    ],
  }))
    shown(title, { pods: { [account]: pods } });

  shown('says what a container wrote before it ended', {
    pods: { [account]: () => [pod(clientId, [], { status: { containerStatuses: [crashing] } })] },
    lastLines: { 'orders-1/main': 'panic:\n\nKEY_VAULT_URI is missing\u001b[31m\n' },
  });
  const waitsForInit = {
    ...{ name: 'main', image: '', imageID: '', ready: false, restartCount: 0 },
    state: { waiting: { reason: 'PodInitializing' } },
  };
  shown('says what an init container wrote before it ended', {
    pods: {
      [account]: () => [
        pod(clientId, [], {
          status: {
            phase: 'Pending',
            initContainerStatuses: [{ ...crashing, name: 'migrate' }],
            containerStatuses: [waitsForInit],
          },
        }),
      ],
    },
    lastLines: { 'orders-1/migrate': 'no database' },
  });
  shown('does not say what an init container wrote that succeeded at last', {
    pods: {
      [account]: () => [
        pod(clientId, [], {
          status: {
            initContainerStatuses: [
              {
                ...{ ...crashing, name: 'migrate', ready: true, state: {} },
                lastState: { terminated: { exitCode: 1, finishedAt: new Date() } },
              },
            ],
            containerStatuses: [crashing],
          },
        }),
      ],
    },
    lastLines: { 'orders-1/migrate': 'no database', 'orders-1/main': 'no settings' },
  });
  const went = (name: string, more: object) =>
    pod(clientId, [], { metadata: { name, ...more }, status: { containerStatuses: [crashing] } });
  shown('does not say what a pod wrote that is being deleted', {
    pods: {
      [account]: () => [
        went('orders-0', { deletionTimestamp: new Date(0) }),
        pod(clientId, [], { status: { containerStatuses: [crashing] } }),
      ],
    },
    lastLines: { 'orders-0/main': 'of yesterday', 'orders-1/main': 'no settings' },
  });
  const restarted = (name: string, finishedAt: Date) =>
    pod(clientId, [], {
      metadata: { name },
      status: {
        containerStatuses: [
          {
            ...{ name: 'main', image: '', imageID: '', ready: true, restartCount: 1 },
            ...{ state: { running: {} }, lastState: { terminated: { exitCode: 1, finishedAt } } },
          },
        ],
      },
    });
  for (const [title, finishedAt] of Object.entries({
    'says what a container wrote that ended just now, and runs again': new Date(),
    'does not say what a container wrote that ended long ago, and is ready': new Date(0),
  }))
    shown(title, {
      pods: { [account]: () => [restarted('orders-1', finishedAt)] },
      lastLines: { 'orders-1/main': 'out of memory' },
    });
  const labels = { 'azure.workload.identity/use': 'true' };
  const ofChart = (serviceAccountName: string | undefined, podLabels = {}) =>
    pod('any', ['Ready'], {
      metadata: { name: 'orders-1', labels: podLabels },
      ...(serviceAccountName !== undefined && { spec: { containers: [], serviceAccountName } }),
    });
  for (const [title, ofRelease] of Object.entries({
    'accepts a chart of which some pods need no identity': [ofChart('orders', labels), ofChart('cache')],
    'refuses a chart of which a pod without identity crashes': [
      ofChart('orders', labels),
      pod('any', [], { metadata: { name: 'cache-1' }, status: { containerStatuses: [crashing] } }),
    ],
    'refuses a chart that ignores the service account': [
      ofChart(undefined, labels),
      ofChart('default', labels),
    ],
    'refuses a chart that ignores the labels': [ofChart('orders'), ofChart('cache', labels)],
  }))
    shown(title, { ofRelease }, ({ workloads }) =>
      workloads.forEach((deployed) => (deployed.hasPods = false)),
    );

  const deployedByOthers = (outputs: ReturnType<typeof twoClusters>) =>
    outputs.workloads.forEach((deployed) => (deployed.hasPods = false));
  for (const [title, ofDefault] of Object.entries({
    'notes pods of others that run under another service account': [ofChart('default', labels)],
    'notes that others have no pods, but for one that ended': [
      pod('any', [], { status: { phase: 'Failed' } }),
    ],
  }))
    shown(
      title,
      { pods: { [account]: () => [], 'aks-1/orders/default': () => ofDefault } },
      deployedByOthers,
    );
});
