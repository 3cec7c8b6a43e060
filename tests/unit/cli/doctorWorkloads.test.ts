import { workloadFindings } from '../../../cli/doctor/workloads';
import type { Access } from '../../../verification/access';
import { annotationsOf, clientIdOf, pod, twoClusters } from '../verification/outputs.fixture';

const all = twoClusters();
const outputs = { ...all, workloads: all.workloads.slice(0, 1) };

/** A cluster and Entra in order, but for the changes. */
const access = (changes: Partial<Access> = {}) =>
  ({
    serviceAccountToken: () => Promise.resolve('token'),
    annotations: (account) => Promise.resolve(annotationsOf(clientIdOf(outputs, account))),
    pods: (account) => Promise.resolve([pod(clientIdOf(outputs, account))]),
    signIn: () => Promise.resolve({ readSecret: () => Promise.resolve() }),
    ...changes,
  }) as Access;
const troubleOf = async (changes: Partial<Access>) =>
  (await workloadFindings('dev', outputs, access(changes))).filter(({ state }) => state !== 'ok');
const labelled = pod(undefined, ['Ready'], {
  metadata: {
    name: 'orders-1',
    annotations: { 'aks-workload-identity/client-id': 'as deployed' },
    labels: { 'azure.workload.identity/use': 'true' },
  },
});
const entra = (code: string): Partial<Access> => ({
  signIn: () => Promise.reject(new Error(`${code}: refused`)),
});

it('in order, it has no finding but ok, and no check of secrets', async () => {
  const findings = await workloadFindings('dev', outputs, access());
  expect(findings.map(({ check, state }) => `${check} ${state}`)).toEqual([
    'aks-1/orders: token exchange ok',
    'aks-1/orders: annotations of service account orders/orders ok',
    'aks-1/orders: pods ok',
  ]);
});

it.each<[string, Partial<Access>, string, string]>([
  [
    'a subject that does not match',
    entra('AADSTS700213'),
    'token exchange',
    'another namespace or service account',
  ],
  ['a credential that is not propagated', entra('AADSTS70021'), 'token exchange', 'wait some minutes'],
  ['an issuer whose documents Entra cannot read', entra('AADSTS90061'), 'token exchange', 'by https'],
  [
    'wrong annotations',
    { annotations: () => Promise.resolve({}) },
    'annotations of service account orders/orders',
    'pulumi up --refresh --stack dev',
  ],
  ['no pods', { pods: () => Promise.resolve([]) }, 'pods', 'aks-wi verify'],
  [
    'a pod without the label',
    { pods: () => Promise.resolve([pod()]) },
    'pods',
    'pulumi up --refresh --stack dev` restores the label',
  ],
  ['a pod without the client id', { pods: () => Promise.resolve([labelled]) }, 'pods', 'aks-wi verify'],
  [
    'a pod that is not ready',
    { pods: () => Promise.resolve([pod('client-id-aks-1', [])]) },
    'pods',
    'aks-wi verify',
  ],
])('with %s, it says so at once', async (_, changes, check, hint) => {
  const asked: string[] = [];
  const counted = Object.entries(access(changes)).map(
    ([name, ask]: [string, (...all: never[]) => unknown]) => [
      name,
      (...all: never[]) => {
        asked.push(name);
        return ask(...all);
      },
    ],
  );
  expect(await troubleOf(Object.fromEntries(counted) as Access)).toEqual([
    {
      check: `aks-1/orders: ${check}`,
      state: 'failed',
      detail: expect.any(String) as string,
      hint: expect.stringContaining(hint) as string,
    },
  ]);
  // One that waits for propagation asks again.
  expect(asked.toSorted()).toEqual(['annotations', 'pods', 'serviceAccountToken', 'signIn']);
});

it('the pods that the local cloud only simulates are a warning', async () => {
  const simulated = pod('client-id-aks-1', ['Ready', 'local-cloud/Simulated']);
  expect(await troubleOf({ pods: () => Promise.resolve([simulated]) })).toMatchObject([{ state: 'warning' }]);
});

it('a revoked application is left out', async () => {
  const revoked = outputs.workloads.map((workload) => ({ ...workload, revoked: true as const }));
  expect(await workloadFindings('dev', { ...outputs, workloads: revoked }, access())).toEqual([]);
});
