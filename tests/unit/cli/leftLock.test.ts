import { ranOf, reasonInUse, type Pod } from '../../../cli/pipeline/leftLock';

// What these do not prove: that the engine writes these words, and that a pod may list others.

const env = { AKS_WI_POD: 'rollout-wave-2-0-1-x', AKS_WI_NAMESPACE: 'fleet' };
const host = 'rollout-wave-2-0-1';
/** Above the highest process id of Linux. */
const ended = 2 ** 22 + 1;
const lock = (holder = host, pid = ended) =>
  `\n  file:///.pulumi/locks/organization/p/s/a.json: created by root@${holder} (pid ${pid}) at 2026-11-27T11:00:00+01:00`;
const ranAt = (from: number, to: number) => ({
  from: new Date(Date.UTC(2026, 10, 27, from)),
  to: new Date(Date.UTC(2026, 10, 27, to)),
});
const own: Pod = { name: env.AKS_WI_POD, hostName: host, ran: undefined };
const before: Pod = { name: 'rollout-wave-2-0-1-a', hostName: host, ran: ranAt(9, 11) };

const reason = (output: string, pods: readonly Pod[] = [own, before], variables: NodeJS.ProcessEnv = env) =>
  reasonInUse(`error: the stack is currently locked by 1 lock(s).${output}`, variables, host, () =>
    Promise.resolve(pods),
  );

it('is the lock of an ended pod of the same index of the same Job', async () => {
  expect(await reason(lock())).toBeUndefined();
  const ofOtherIndex = { ...before, hostName: 'rollout-wave-2-0-0', ran: undefined };
  expect(await reason(lock(), [own, before, ofOtherIndex])).toBeUndefined();
});

const gone =
  'the pod that took the lock at 2026-11-27T11:00:00+01:00 is gone, so nothing shows that it has ended';
it.each<[string, string, Parameters<typeof reason>]>([
  ['outside of a pod', 'this is not the pod of a JobSet', [lock(), [own], {}]],
  ['of several', 'there is not exactly one lock that names its host', [lock() + lock()]],
  ['of Pulumi Cloud', 'there is not exactly one lock that names its host', ['']],
  ['of another host', 'the lock belongs to laptop, not to this host rollout-wave-2-0-1', [lock('laptop')]],
  [
    'of a running process',
    `process ${process.pid}, which holds the lock, is running`,
    [lock(host, process.pid)],
  ],
  [
    'of a pod that has not ended, such as that of a deleted JobSet',
    'nothing shows that the pod rollout-wave-2-0-1-a of the same index has ended',
    [lock(), [own, before, { ...before, ran: undefined }]],
  ],
  ['of a pod that is gone, such as one deleted by force', gone, [lock(), [own]]],
  ['of a pod that is gone, after one that ended', gone, [lock(), [own, { ...before, ran: ranAt(8, 9) }]]],
  [
    'in a pod of another kind',
    'this is not the pod of an Indexed Job',
    [lock(), [{ ...own, hostName: undefined }]],
  ],
])('may be in use: a lock %s', async (_, expected, args) => {
  expect(await reason(...args)).toBe(expected);
});

it('may be in use if the pods cannot be listed', async () => {
  const refused = () => Promise.reject(new Error('403'));
  expect(await reasonInUse(lock(), env, host, refused)).toBe(
    'the pods of the namespace fleet cannot be listed: 403',
  );
});

it.each([
  ['has none', undefined],
  ['runs, in a pod of which the control plane says that it failed', { running: { startedAt: new Date() } }],
  [
    'is unknown to its kubelet',
    {
      terminated: {
        exitCode: 137,
        reason: 'ContainerStatusUnknown',
        startedAt: new Date(),
        finishedAt: new Date(),
      },
    },
  ],
  ['never ran', { terminated: { exitCode: 137, reason: 'Error' } }],
])('is no evidence of an end: a container that %s', (_, state) => {
  expect(ranOf(state)).toBeUndefined();
});

it('is evidence of an end: a container that was killed', () => {
  const { from: startedAt, to: finishedAt } = ranAt(9, 11);
  expect(ranOf({ terminated: { exitCode: 137, reason: 'OOMKilled', startedAt, finishedAt } })).toEqual(
    ranAt(9, 11),
  );
});
