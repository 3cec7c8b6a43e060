import type { KubernetesObject } from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import { isProvisioned } from '../../../components/dependency/provisioningQuestion';
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
  it('ends when it is there, with its id, and tells what it waits for once each', async () => {
    const reconciling = customResourceWith({ severity: 'Info', reason: 'Reconciling', message: 'creating' });
    const { answer, told } = await wait([undefined, reconciling, reconciling, ready]);

    expect(answer).toBe('id in Azure');
    expect(told).toEqual([
      'NotInCluster: the stack has it, and the cluster does not',
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

  it("fails within a minute with Azure's own words where Azure keeps refusing", async () => {
    const { error, seconds } = await wait([warning('InternalServerError', 'Try again later.')]);

    expect(error).toContain('was not provisioned: InternalServerError: Try again later. Correct');
    expect(seconds).toBeGreaterThanOrEqual(30);
    expect(seconds).toBeLessThan(60);
  });

  it('fails within seconds, after a second look, where Azure will go on to refuse', async () => {
    const taken = warning('StorageAccountAlreadyTaken', 'No.');
    const { error, seconds } = await wait([taken]);

    expect(error).toContain('StorageAccountAlreadyTaken: No. Names of its kind are unique in all of Azure');
    expect(seconds).toBeLessThan(7);
    expect((await wait([taken, ready])).answer).toBe('id in Azure');
  });

  it('says who makes it again where Azure has none any more, unless the operator does meanwhile', async () => {
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

  it('ends soon where it is gone, or on its way out', async () => {
    expect(await wait([undefined])).toMatchObject({
      error: expect.stringContaining('NotInCluster: the stack has it, and the cluster does not') as unknown,
    });
    const deletionTimestamp = new Date(start);
    const metadata = Object.assign({}, ready.metadata, { deletionTimestamp });
    const { error, seconds } = await wait([{ ...ready, metadata }]);
    expect(error).toContain('BeingDeleted: its deletion was asked for before, and goes on. Once it is gone');
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
    ['AuthorizationFailed', here],
  ])('gives a role that was just assigned ten minutes to be seen: %s, %s', async (reason, message) => {
    const { error, seconds } = await wait([warning(reason, message)], at(start));

    expect(error).toContain(message);
    expect(seconds).toBeGreaterThan(600);
    expect(seconds).toBeLessThan(640);
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
      'was not provisioned: WaitingForOwner: no owner (for 60 minutes). It goes on in Azure: run the update again',
    );
    expect(seconds).toBe(3600);
  });
});
