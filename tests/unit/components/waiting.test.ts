import * as pulumi from '@pulumi/pulumi';
import { UserError } from '../../../components/resource/errors';
import { ClusterAnswerError } from '../../../components/waiting/cluster';
import { readyCondition } from '../../../components/waiting/condition';
import { patienceWith, hintFor } from '../../../components/waiting/refusals';
import type { Look, Question } from '../../../components/waiting/wait';
import { askAt } from '../../../components/waiting/wait';
import type { ReadyCondition } from './support/cluster';
import { answers, asking, clusterOf, connectingTo, customResourceWith, testClock } from './support/cluster';
import { record } from './support/recorder';

afterEach(() => {
  jest.restoreAllMocks();
});

const question = (...looks: readonly (Look<string> | Error)[]): Question<string> => ({
  problem: 'it does not come',
  limitMs: 60_000,
  hint: 'Look after it.',
  refusalHint: 'Change it.',
  look: answers<Look<string>>(...looks),
});
const wait = (...looks: readonly (Look<string> | Error)[]) => asking(question(...looks), clusterOf({}));
const answer = { answer: 'here' };
const refusal = (code: string, message = 'no') => ({ refusal: { code, message } });

describe('a question', () => {
  it('is asked less and less often until it is answered, and each new text is reported once', async () => {
    const texts = ['a', 'a', 'b', 'b', 'a'].map((missing) => ({ missing }));
    const { reported, slept, ...outcome } = await wait(...texts, answer);

    expect(outcome).toMatchObject({ answer: 'here', error: undefined });
    expect(reported).toEqual(['a', 'b', 'a']);
    expect(slept.slice(0, 3)).toEqual([250, 375, 562.5]);
  });

  it('that is answered at once needs no time', async () => {
    expect(await wait(answer)).toMatchObject({ answer: 'here', reported: [], slept: [] });
  });

  it('ends at the limit, after one more look, with what is missing and a hint', async () => {
    const { error, seconds, slept } = await wait({ missing: 'one.\n two.' });

    expect(error).toBe('it does not come: one. two (for 1 minutes). Look after it.');
    expect(seconds).toBe(60);
    expect(Math.max(...slept)).toBe(2_000);
  });

  it('ends early for a refusal that lasts, with what helps against it', async () => {
    const { error, seconds } = await wait(refusal('ResourceQuotaExceeded'));

    expect(error).toMatch(/^it does not come: ResourceQuotaExceeded: no\. Request a higher quota/);
    expect(seconds).toBeLessThan(7);
    expect((await wait(refusal('Unheard', 'Of.'))).error).toBe('it does not come: Unheard: Of. Change it.');
  });

  it('goes on after a refusal that passes', async () => {
    expect(await wait(...Array<Look<string>>(10).fill(refusal('Unheard')), answer)).toMatchObject(answer);
    expect(await wait(refusal('ResourceQuotaExceeded'), answer)).toMatchObject(answer);
  });

  it('does not forget a refusal between two tries, and does after a longer time', async () => {
    const long = { ...question(), limitMs: 3_600_000 };
    const looks = (pause: number) =>
      Array.from({ length: 200 }, (_, index): Look<string> =>
        index % pause === 0 ? refusal('Unheard') : { missing: 'trying' },
      );
    const flapping = await asking({ ...long, look: answers(...looks(2)) }, clusterOf({}));
    const passing = await asking({ ...long, look: answers(...looks(20), answer) }, clusterOf({}));

    expect(flapping.error).toContain('Unheard');
    expect(flapping.seconds).toBeLessThan(60);
    expect(passing).toMatchObject(answer);
  });

  it('survives an API server that is briefly unavailable, and reports it if it stays so', async () => {
    const away = new Error('connect ECONNREFUSED');

    expect(await wait(away, away, answer)).toMatchObject(answer);
    const { error, seconds } = await asking({ ...question(away), limitMs: 300_000 }, clusterOf({}));
    expect(error).toMatch(
      /^it does not come: ClusterUnreachable: connect ECONNREFUSED\. Make sure that the API server/,
    );
    expect(seconds).toBeLessThan(125);
  });

  it('is not asked again where the user lacks the right', async () => {
    const { error, seconds } = await wait(new ClusterAnswerError('issuers is forbidden', 'forbidden'));

    expect(error).toMatch(
      /^it does not come: ClusterForbidden: issuers is forbidden\. An administrator's kubeconfig is required/,
    );
    expect(seconds).toBe(0);
  });
});

describe('at its resource, a question', () => {
  const resource = async () =>
    (await record(() => new pulumi.ComponentResource('test:index:It', 'it'))).result;

  it('shows what it waits for', async () => {
    const at = await resource();
    const info = jest.spyOn(pulumi.log, 'info').mockResolvedValue();
    const kubeconfigs = connectingTo(clusterOf({}));

    expect(await askAt(at, 'of the test', question({ missing: 'x' }, answer))).toBe('here');
    expect(info.mock.calls).toEqual([['Waiting: x (it does not come yet)', at, undefined, true]]);
    expect(kubeconfigs).toEqual(['of the test']);
  });

  describe('where updates go on without clusters that do not answer', () => {
    beforeEach(() => (process.env['PULUMI_K8S_SKIP_UPDATE_UNREACHABLE'] = 'true'));
    afterEach(() => delete process.env['PULUMI_K8S_SKIP_UPDATE_UNREACHABLE']);

    const away = new Error('connect ECONNREFUSED');

    it.each<[string, () => Promise<string>, string | undefined]>([
      ['is not asked of one', () => Promise.reject(away), undefined],
      ['is asked of one that is briefly unavailable', answers(away, away, 'https://issuer'), 'here'],
      ['is asked of one that answers', () => Promise.resolve('https://issuer'), 'here'],
      [
        'is asked of one that refuses',
        () => Promise.reject(new ClusterAnswerError('issuers is forbidden', 'forbidden')),
        'here',
      ],
    ])('%s', async (title, issuer, expected) => {
      const at = await resource();
      const { seconds } = testClock();
      jest.spyOn(pulumi.log, 'info').mockResolvedValue();
      const warn = jest.spyOn(pulumi.log, 'warn').mockResolvedValue();
      connectingTo(clusterOf({ issuer }));

      expect(await askAt(at, title, question(answer))).toBe(expected);
      expect(warn.mock.calls).toEqual(
        expected === undefined
          ? [
              [
                'The update does not wait for it: its cluster does not answer: ClusterUnreachable: connect ECONNREFUSED. Make sure that the API server can be reached from here, and run the update again.',
                at,
              ],
            ]
          : [],
      );

      const before = seconds();
      expect(await askAt(at, title, question(answer))).toBe(expected);
      expect(seconds()).toBe(before);
    });
  });

  // Of an output that fails, the SDK tells the process: here, only what it would fail with is looked at.
  it.each([
    ['that fails', () => Promise.resolve(clusterOf({})), 'it does not come: Error: no. Change it.'],
    ['on a cluster without a usable kubeconfig', () => Promise.reject(new UserError('No YAML.')), 'No YAML.'],
  ])('%s ends in words alone', async (_, connect, message) => {
    const at = await resource();
    const spy = jest.spyOn(pulumi.log, 'error').mockResolvedValue();
    connectingTo(connect);
    const failing = { refusal: { code: 'Error', message: 'no', final: true } };
    const failed: unknown = await askAt(at, '', question(failing)).catch((error: unknown) => error);

    if (!(failed instanceof pulumi.ResourceError)) throw new Error(`not of a resource: ${String(failed)}`);
    expect(failed.resource).toBe(at);
    expect(failed.hideStack).toBe(true);
    expect(failed.message).toContain(message);
    expect(failed.stack).not.toMatch(/\n/);
    expect(spy.mock.calls).toEqual([[failed.message, at]]);
  });
});

describe('a condition of the operator', () => {
  it.each<[string, ReadyCondition | undefined, object]>([
    ['none', undefined, { missing: 'not seen by the operator yet' }],
    [
      'of the specification before',
      { status: 'True', observedGeneration: 1 },
      { missing: 'not seen by the operator yet' },
    ],
    ['in progress', { severity: 'Info', message: 'creating' }, { missing: 'Reconciling: creating' }],
    [
      'refused, and tried again',
      { severity: 'Warning', reason: 'X', message: 'y' },
      { refusal: { code: 'X', message: 'y' } },
    ],
    [
      'refused for good',
      { severity: 'Error', reason: 'X' },
      { refusal: { code: 'X', message: '', final: true } },
    ],
    ['there', { status: 'True', reason: 'Succeeded' }, { answer: 'id in Azure' }],
  ])('%s is understood', (_, condition, look) => {
    expect(readyCondition(customResourceWith(condition))).toEqual(look);
  });
});

describe('a refusal', () => {
  it.each([
    ['WaitingForOwner', '', Infinity],
    ['AnotherOperationInProgress', '', Infinity],
    ['InternalServerError', '', 30_000],
    ['AuthorizationFailed', '', 30_000],
    ['AuthorizationFailed', "'Microsoft.Cache/register/action' over it", 4_000],
    ['StorageAccountAlreadyTaken', '', 4_000],
    ['ResourceQuotaExceeded', '', 4_000],
    ['RequestDisallowedByPolicy', '', 4_000],
    ['ClusterForbidden', '', 0],
  ])('%s that says "%s" has %p ms to pass', (code, message, expected) => {
    expect(patienceWith({ code, message })).toBe(expected);
    expect(patienceWith({ code, message, final: true })).toBe(0);
  });

  it.each([
    ['StorageAccountAlreadyTaken', '', 'set another `name`'],
    ['ResourceQuotaExceeded', '', 'higher quota'],
    ['MissingSubscriptionRegistration', '', 'az provider register'],
    ['AuthorizationFailed', '', 'role only on the resource group'],
    ['RequestDisallowedByPolicy', '', 'policy'],
    ['ScopeLocked', '', 'Remove the lock'],
    ['FailedWritingAdditionalKubernetesObjects', '', 'Delete it'],
    ['NotInCluster', '', 'pulumi refresh'],
    ['BeingDeleted', '', 'pulumi refresh'],
    // The more special one wins.
    ['AuthorizationFailed', "no right to 'Microsoft.Cache/register/action' over it", 'az provider register'],
    ['ConflictError', 'A vault with the same name already exists in deleted state.', 'az keyvault recover'],
    ['UnknownError', 'AuthorizationFailed: no right', 'role only on the resource group'],
    ['UnknownError', 'QuotaExceeded: too many', 'higher quota'],
    ['Failed', 'RESPONSE 403: 403 Forbidden ERROR CODE: RequestDisallowedByPolicy { }', 'An Azure policy'],
    [
      'Failed',
      'RESPONSE 403: 403 Forbidden ERROR CODE: AuthorizationFailed { }',
      'role only on the resource group',
    ],
  ])('%s that says "%s" comes with a hint', (code, message, part) => {
    expect(hintFor({ code, message })).toContain(part);
  });

  it('that is not known has no hint', () => {
    expect(hintFor({ code: 'SomethingElse', message: '' })).toBeUndefined();
  });
});
