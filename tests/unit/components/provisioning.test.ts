import type { ClusterObject } from '../../../components/cluster/clusterObjects';
import { judge } from '../../../components/platform/condition';
import { patience, provisioned } from '../../../components/dependency/provisioning';
import { remedyOf } from '../../../components/dependency/remedy';
import type { GivenCondition } from './support/customResources';
import { answering, customResourceWith, StepClock } from './support/customResources';

// What these do not prove: that the operator writes such conditions; the end-to-end test has the real one.

const reference = {
  apiVersion: 'storage.azure.com/v20250601',
  kind: 'StorageAccount',
  namespace: 'orders',
  name: 'orders-files',
};
const ready = customResourceWith({ status: 'True', reason: 'Succeeded' });
const warning = (reason: string, message = 'it says why') =>
  customResourceWith({ severity: 'Warning', reason, message });

async function wait(answers: readonly (ClusterObject | Error | undefined)[], grantedAt?: number) {
  const clock = new StepClock();
  const told: string[] = [];
  const outcome = await provisioned(
    {
      reference,
      ...(grantedAt !== undefined && { grantedAt }),
      grantedOn: '/subscriptions/s/resourceGroups/g',
    },
    { objects: answering(...answers), clock, patience, report: (text) => told.push(text) },
  ).then(
    (object) => ({ object, error: undefined }),
    (error: unknown) => ({
      object: undefined,
      error: error instanceof Error ? error.message : String(error),
    }),
  );
  return { ...outcome, told, seconds: clock.seconds };
}

describe('a condition of the operator', () => {
  it.each<[string, GivenCondition | undefined, string]>([
    ['none', undefined, 'waiting'],
    ['of the specification before', { status: 'True', observedGeneration: 0 }, 'waiting'],
    ['in progress', { severity: 'Info', reason: 'Reconciling' }, 'waiting'],
    ['waiting for its owner', { severity: 'Warning', reason: 'WaitingForOwner' }, 'waiting'],
    ['Azure is busy with it', { severity: 'Warning', reason: 'AnotherOperationInProgress' }, 'waiting'],
    ['refused, and tried again', { severity: 'Warning', reason: 'StorageAccountAlreadyTaken' }, 'troubled'],
    ['refused for good', { severity: 'Error', reason: 'LocationRequired' }, 'refused'],
    ['there', { status: 'True', reason: 'Succeeded' }, 'ready'],
  ])('%s is understood', (_, condition, state) => {
    expect(judge(customResourceWith(condition)).state).toBe(state);
  });

  it('of an object that is not there is waited for', () => {
    expect(judge(undefined)).toEqual({ state: 'waiting', text: 'not there yet' });
  });
});

describe('waiting for a service', () => {
  it('ends when it is there, and tells what it waits for once each', async () => {
    const reconciling = customResourceWith({ severity: 'Info', reason: 'Reconciling', message: 'creating' });

    const { object, told, seconds } = await wait([undefined, reconciling, reconciling, ready]);

    expect(object).toBe(ready);
    expect(told).toEqual([
      'NotInCluster: the stack has it, and the cluster does not',
      'Reconciling: creating',
    ]);
    expect(seconds).toBe(6);
  });

  it('fails at once with what the operator does not try again', async () => {
    const refused = customResourceWith({ severity: 'Error', reason: 'LocationRequired', message: 'where?' });

    expect(await wait([refused])).toMatchObject({ error: 'LocationRequired: where?', seconds: 0 });
  });

  it("fails within a minute with Azure's own words where Azure keeps refusing", async () => {
    const { error, seconds } = await wait([warning('InternalServerError', 'Try again later.')]);

    expect(error).toBe('InternalServerError: Try again later.');
    expect(seconds).toBeGreaterThanOrEqual(30);
    expect(seconds).toBeLessThan(60);
  });

  it.each(['StorageAccountAlreadyTaken', 'ResourceQuotaExceeded', 'RequestDisallowedByPolicy'])(
    'does not wait for %s to pass, but for a second look',
    async (reason) => {
      expect(await wait([warning(reason, 'No.')])).toMatchObject({ error: `${reason}: No.`, seconds: 4 });
      expect((await wait([warning(reason, 'No.'), ready])).object).toBe(ready);
    },
  );

  it('takes a refusal that passes for what it is', async () => {
    const { object, error } = await wait([
      ...Array<ClusterObject>(10).fill(warning('InternalServerError')),
      ready,
    ]);

    expect(error).toBeUndefined();
    expect(object).toBe(ready);
  });

  it('does not forget a refusal while the operator tries again', async () => {
    const trying = customResourceWith({ severity: 'Info', reason: 'Reconciling' });
    const flapping = Array.from({ length: 100 }, (_, index) =>
      index % 2 === 0 ? warning('InternalServerError', 'later') : trying,
    );

    const { error, seconds } = await wait(flapping);

    expect(error).toBe('InternalServerError: later');
    expect(seconds).toBeLessThan(60);
  });

  it('ends soon where it is gone, or on its way out', async () => {
    expect(await wait([undefined])).toMatchObject({
      error: 'NotInCluster: the stack has it, and the cluster does not',
      seconds: 4,
    });
    const leaving = { ...ready, metadata: { ...ready.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    const { error, seconds } = await wait([leaving]);
    expect(error).toBe('BeingDeleted: its deletion was asked for before, and goes on');
    expect(seconds).toBeLessThan(60);
    expect(remedyOf('NotInCluster', '')).toContain('pulumi refresh');
    expect(remedyOf('BeingDeleted', '')).toContain('pulumi refresh');
  });

  it('forgets a refusal once the operator got on', async () => {
    const creating = Array<ClusterObject>(60).fill(
      customResourceWith({ severity: 'Info', reason: 'Reconciling' }),
    );
    const away = new Error('socket hang up');

    const { object, error } = await wait([
      away,
      warning('InternalServerError', 'later'),
      ...creating,
      away,
      warning('InternalServerError', 'later'),
      ...creating,
      ready,
    ]);

    expect(error).toBeUndefined();
    expect(object).toBe(ready);
  });

  it('gives a role that was just assigned time to be seen, and no longer', async () => {
    const refused = warning('AuthorizationFailed', 'no right');
    const start = new StepClock().now();

    expect(await wait([refused], start)).toMatchObject({
      error: 'AuthorizationFailed: no right',
      seconds: 600,
    });
    expect((await wait([refused], start - 3_600_000)).seconds).toBeLessThan(60);
    expect((await wait([refused])).seconds).toBeLessThan(60);
    const inMessage = warning('Failed', 'GET …: 403 AuthorizationFailed');
    expect((await wait([inMessage], start)).seconds).toBe(600);
    const unknownYet = warning('Failed', 'AADSTS700213: No matching federated identity record found');
    expect((await wait([unknownYet], start)).seconds).toBe(600);
    // A right on the subscription, which it never gets.
    const register = warning(
      'UnknownError',
      "AuthorizationFailed: … perform action 'Microsoft.DBforPostgreSQL/register/action' over scope '/subscriptions/s'",
    );
    expect((await wait([register], start)).seconds).toBe(4);
    // Of another group, and of what none of its roles has.
    for (const action of [
      "'Microsoft.Storage/storageAccounts/write' over scope '/subscriptions/s/resourceGroups/other/x'",
      "'Microsoft.Authorization/roleAssignments/write' over scope '/subscriptions/s/resourceGroups/g/x'",
    ]) {
      const forbidden = warning('AuthorizationFailed', `no authorization to perform action ${action}`);
      expect((await wait([forbidden], start)).seconds).toBeLessThan(60);
    }
    const here = "perform action 'A/write' over scope '/subscriptions/s/resourceGroups/G/providers/A/b'";
    expect((await wait([warning('AuthorizationFailed', here)], start)).seconds).toBe(600);
    // Nothing else has to do with roles.
    expect((await wait([warning('StorageAccountAlreadyTaken')], start)).seconds).toBeLessThan(60);
  });

  it('survives an API server that is away for moments, and says so if it stays away', async () => {
    const away = new Error('connect ECONNREFUSED');

    expect((await wait([away, away, ready])).object).toBe(ready);
    expect((await wait([away])).error).toBe('ClusterUnreachable: connect ECONNREFUSED');
  });

  it('has an end', async () => {
    const { error, seconds } = await wait([warning('WaitingForOwner', 'no owner')]);

    expect(error).toBe('TimedOut: not ready after 60 minutes: WaitingForOwner: no owner');
    expect(seconds).toBe(3600);
  });
});

describe('the remedy', () => {
  it.each([
    ['StorageAccountAlreadyTaken', 'set another `name`'],
    ['ResourceQuotaExceeded', 'higher limit'],
    ['MissingSubscriptionRegistration', 'az provider register'],
    ['AuthorizationFailed', 'role on the resource group'],
    ['RequestDisallowedByPolicy', 'policy'],
    ['FailedWritingAdditionalKubernetesObjects', 'delete it'],
    ['SomethingElse', 'Correct the dependency'],
    ['TimedOut', 'run the update again'],
  ])('of %s says what helps', (reason, part) => {
    expect(remedyOf(reason, '')).toContain(part);
  });

  it.each([
    ['AuthorizationFailed', "no right to 'Microsoft.Cache/register/action' over it", 'az provider register'],
    ['ConflictError', 'A vault with the same name already exists in deleted state.', 'az keyvault recover'],
    ['UnknownError', 'AuthorizationFailed: no right', 'role on the resource group'],
  ])('of %s that says "%s" is the more special one', (reason, details, part) => {
    expect(remedyOf(reason, details)).toContain(part);
  });

  it('is found in the message where the code says nothing', () => {
    expect(remedyOf('UnknownError', 'QuotaExceeded: too many')).toContain('higher limit');
  });
});
