import type { KubernetesObject } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import { areProvisioned, isProvisioned } from '../../../components/dependency/provisioningQuestion';
import { answers, asking, clusterOf, customResourceWith, testClock } from './support/cluster';

// What these do not prove: that the operator writes such conditions; the end-to-end test has the real one.

afterEach(() => {
  jest.restoreAllMocks();
});

const reference = {
  apiVersion: 'storage.azure.com/v20250601',
  kind: 'StorageAccount',
  namespace: 'orders',
  name: 'orders-files',
};
const ready = customResourceWith({ status: 'True', reason: 'Succeeded' });
const warning = (reason: string, message = 'it says why') =>
  customResourceWith({ severity: 'Warning', reason, message });
const { start } = testClock();
const at = (milliseconds: number) => new Date(milliseconds).toISOString();

const wait = (
  all: readonly (KubernetesObject | Error | undefined)[],
  grantedAt?: string,
  isDeleted?: () => Promise<boolean>,
) =>
  asking(
    isProvisioned({
      ...{ reference, grantedAt, isDeleted, groupId: '/subscriptions/s/resourceGroups/g' },
      ...{ cluster: 'aks-1', service: 'storage account stfiles' },
    }),
    clusterOf({ get: answers<KubernetesObject | undefined>(...all) }),
  );

describe('waiting for a service', () => {
  it('ends when it is there, with its id, and reports each state once', async () => {
    const reconciling = customResourceWith({ severity: 'Info', reason: 'Reconciling', message: 'creating' });
    const { answer, reported } = await wait([undefined, reconciling, reconciling, ready]);

    expect(answer).toBe('id in Azure');
    expect(reported).toEqual([
      'NotInCluster: the stack has it, but the cluster does not',
      'Reconciling: creating',
    ]);
  });

  it("fails at once with what the operator does not try again, in the operator's words and with what to do", async () => {
    const refused = customResourceWith({ severity: 'Error', reason: 'LocationRequired', message: 'where?' });

    expect(await wait([refused])).toMatchObject({
      error:
        'StorageAccount orders/orders-files on aks-1 (storage account stfiles) was not provisioned: LocationRequired: where?. Correct the dependency in the stack file and run the update again.',
      seconds: 0,
    });
  });

  it("reports the operator's last event about the resource, in its progress and in its error", async () => {
    const event = (reason: string, second: number, times: object = {}) => ({
      ...{ apiVersion: 'v1', kind: 'Event', metadata: { creationTimestamp: new Date(start) } },
      ...{ involvedObject: { uid: 'u' }, reason, message: `the event of ${second}.` },
      ...{ lastTimestamp: new Date(start + second * 1000), ...times },
    });
    const series = { series: { lastObservedTime: new Date(start + 5000) }, lastTimestamp: undefined };
    const events = [
      event('Older', 1),
      event('CreateOrUpdateActionError', 4, series),
      event('CredentialFrom', 9),
      event('BeginCreateOrUpdate', 3),
    ];
    const object = (condition?: Parameters<typeof customResourceWith>[0]) => {
      const created = customResourceWith(condition);
      return { ...created, metadata: Object.assign({}, created.metadata, { uid: 'u' }) };
    };
    const asked: unknown[] = [];
    const { reported, error } = await asking(
      isProvisioned({ ...{ reference, groupId: '/g', cluster: 'aks-1', service: 'account stfiles' } }),
      clusterOf({
        get: answers<KubernetesObject>(
          object(),
          object({ severity: 'Error', reason: 'Bad', message: 'No.' }),
        ),
        list: (...args) => {
          asked.push(args);
          return Promise.resolve(events);
        },
      }),
    );

    expect(asked[0]).toEqual([
      { apiVersion: 'v1', kind: 'Event', namespace: 'orders' },
      'involvedObject.uid=u',
    ]);
    const last = '(last event: CreateOrUpdateActionError: the event of 4)';
    expect(reported).toEqual([`not seen by the operator yet ${last}`]);
    expect(error).toContain(`was not provisioned: Bad: No ${last}. Correct the dependency`);
  });

  it('names the resource of a chart that is not provisioned yet, or was refused', async () => {
    const references = [reference, { ...reference, kind: 'Redis', name: 'orders-cache' }];
    const question = areProvisioned(references, {
      ...{ groupId: '/g', cluster: 'aks-1', service: 'in the chart of orders' },
    });
    const outcome = (...all: KubernetesObject[]) => asking(question, clusterOf({ get: answers(...all) }));
    const refused = customResourceWith({ severity: 'Error', reason: 'Bad', message: 'No.' });

    expect(await outcome(customResourceWith(), ready, ready)).toMatchObject({
      answer: true,
      reported: ['StorageAccount orders/orders-files: not seen by the operator yet'],
    });
    expect((await outcome(ready, refused)).error).toBe(
      'custom resources in the chart of orders were not provisioned on aks-1: Bad: No. (Redis orders/orders-cache). Correct the chart or its values and run the update again.',
    );
  });

  it("fails within a minute with Azure's own words where Azure keeps refusing", async () => {
    const { error, seconds } = await wait([warning('InternalServerError', 'Try again later.')]);

    expect(error).toContain('was not provisioned: InternalServerError: Try again later. Correct');
    expect(seconds).toBeGreaterThanOrEqual(30);
    expect(seconds).toBeLessThan(60);
  });

  it('fails within seconds, after a second look, where Azure will go on to refuse', async () => {
    const taken = warning('StorageAccountAlreadyTaken', 'No.');
    const { error, seconds } = await wait([taken]);

    expect(error).toContain(
      'StorageAccountAlreadyTaken: No. Names of this kind must be unique in all of Azure',
    );
    expect(seconds).toBeLessThan(7);
    expect((await wait([taken, ready])).answer).toBe('id in Azure');
  });

  it('says what creates it again where Azure no longer has it, unless the operator does meanwhile', async () => {
    const { error, seconds } = await wait([ready], undefined, () => Promise.resolve(true));

    expect(error).toMatch(
      /was not provisioned: AzureResourceNotFound: .* It was deleted in Azure\. .*`kubectl rollout restart .*`--refresh`/,
    );
    expect(seconds).toBeLessThan(60);
    const answered = [true, false];
    expect(await wait([ready], undefined, () => Promise.resolve(answered.shift() ?? false))).toMatchObject({
      answer: 'id in Azure',
    });
  });

  it('ends soon where it is deleted or being deleted', async () => {
    expect(await wait([undefined])).toMatchObject({
      error: expect.stringContaining('NotInCluster: the stack has it, but the cluster does not') as unknown,
    });
    const deletionTimestamp = new Date(start);
    const metadata = Object.assign({}, ready.metadata, { deletionTimestamp });
    const { error, seconds } = await wait([{ ...ready, metadata }]);
    expect(error).toContain(
      'BeingDeleted: its deletion was requested earlier and is still in progress. Once it is gone',
    );
    expect(seconds).toBeLessThan(60);
  });

  const register =
    "AuthorizationFailed: … perform action 'Microsoft.DBforPostgreSQL/register/action' over scope '/subscriptions/s'";
  const elsewhere = "perform action 'A/write' over scope '/subscriptions/s/resourceGroups/other/x'";
  const assigning =
    "perform action 'Microsoft.Authorization/roleAssignments/write' over scope '/subscriptions/s/resourceGroups/g/x'";
  const here = "perform action 'A/write' over scope '/subscriptions/s/resourceGroups/G/providers/A/b'";

  it.each([
    ['AuthorizationFailed', 'no right'],
    ['Failed', 'GET …: 403 AuthorizationFailed'],
    ['Failed', 'AADSTS700213: No matching federated identity record found'],
    ['Failed', 'AADSTS70025: The client has no configured federated identity credentials'],
    ['Failed', 'AADSTS7000272: no key'],
    ['Failed', 'AADSTS90061: Request to External OIDC endpoint failed'],
    ['AuthorizationFailed', here],
  ])('gives a new role assignment twenty minutes to take effect: %s, %s', async (reason, message) => {
    const { error, seconds } = await wait([warning(reason, message)], at(start));

    expect(error).toContain(message);
    expect(seconds).toBeGreaterThan(1200);
    expect(seconds).toBeLessThan(1240);
    expect((await wait([warning(reason, message)], at(start - 3_600_000))).seconds).toBeLessThan(60);
    expect((await wait([warning(reason, message)])).seconds).toBeLessThan(60);
  });

  it.each([
    ['a right on the subscription, which it never gets', 'UnknownError', register],
    ['another group', 'AuthorizationFailed', elsewhere],
    ['what none of its roles allows', 'AuthorizationFailed', assigning],
    ['nothing that has to do with roles', 'StorageAccountAlreadyTaken', 'AuthorizationFailed'],
  ])('gives no such time for %s', async (_, reason, message) => {
    expect((await wait([warning(reason, message)], at(start))).seconds).toBeLessThan(60);
  });

  it('has an end', async () => {
    const { error, seconds } = await wait([warning('WaitingForOwner', 'no owner')]);

    expect(error).toContain(
      'was not provisioned: WaitingForOwner: no owner (for 60 minutes). It continues in Azure: run the update again',
    );
    expect(seconds).toBe(3600);
  });
});
