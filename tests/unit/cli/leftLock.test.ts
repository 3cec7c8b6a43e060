import { whyInUse, type Pod } from '../../../cli/pipeline/leftLock';

// What these do not prove: that the engine writes these words, and that a pod may list others.

const env = { AKS_WI_POD: 'rollout-wave-2-0-1-x', AKS_WI_NAMESPACE: 'fleet' };
const host = 'rollout-wave-2-0-1';
/** Above the highest process id of Linux. */
const ended = 2 ** 22 + 1;
const lock = (holder = host, pid = ended) =>
  `\n  file:///.pulumi/locks/organization/p/s/a.json: created by root@${holder} (pid ${pid}) at 2026-11-27T10:00:00Z`;
const own: Pod = { name: env.AKS_WI_POD, hostName: host, ended: false };
const before: Pod = { name: 'rollout-wave-2-0-1-a', hostName: host, ended: true };

const reason = (output: string, pods: readonly Pod[] = [own, before], variables: NodeJS.ProcessEnv = env) =>
  whyInUse(`error: the stack is currently locked by 1 lock(s).${output}`, variables, host, () =>
    Promise.resolve(pods),
  );

it('is the lock of the same index of the same Job, whose pod has ended or is gone', async () => {
  expect(await reason(lock())).toBeUndefined();
  expect(
    await reason(lock(), [own, { ...before, hostName: 'rollout-wave-2-0-0', ended: false }]),
  ).toBeUndefined();
});

it.each<[string, string, Parameters<typeof reason>]>([
  ['outside of a pod', 'this is not the pod of a JobSet', [lock(), [own], {}]],
  ['of several', 'there is not exactly one lock', [lock() + lock()]],
  ['of Pulumi Cloud', 'there is not exactly one lock', ['']],
  ['of another host', 'the lock is of laptop, and this is rollout-wave-2-0-1', [lock('laptop')]],
  [
    'of a running process',
    `process ${process.pid}, which has the lock, is running`,
    [lock(host, process.pid)],
  ],
  [
    'of a pod that has not ended, such as that of a deleted JobSet',
    'the pod rollout-wave-2-0-1-a of the same index has not ended',
    [lock(), [own, { ...before, ended: false }]],
  ],
  [
    'in a pod of another kind',
    'this is not the pod of an Indexed Job',
    [lock(), [{ ...own, hostName: undefined }]],
  ],
])('may be in use: a lock %s', async (_, expected, given) => {
  expect(await reason(...given)).toBe(expected);
});

it('may be in use if the pods cannot be listed', async () => {
  const refused = () => Promise.reject(new Error('403'));
  expect(await whyInUse(lock(), env, host, refused)).toBe(
    'the pods of the namespace fleet cannot be listed: 403',
  );
});
