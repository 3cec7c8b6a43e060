import { formatProblem } from '../../../stacks/settings/problem';
import { Subscriptions } from '../../../stacks/subscriptions';
import type { AzureList } from '../../../components/azure/resourceManager';
import { movedProblems } from '../../../stacks/preflight/moved';
import { ids } from '../components/support/azure';
import { record } from '../components/support/recorder';
import { groupId, otherSubscription } from './ids';
import { configurationOf, validInput } from './settings';

// What mocks do not prove: that Azure lists by tag; the end-to-end test of stacks changes the group of a real one.

const own = (
  type: string,
  name: string,
  group = 'rg-test',
  location = 'westeurope',
  subscription: string = ids.subscription,
) => ({
  id: `/subscriptions/${subscription}/resourceGroups/${group}/providers/${type}/${name}`,
  location,
});
const identity = 'Microsoft.ManagedIdentity/userAssignedIdentities';
const vault = 'Microsoft.KeyVault/vaults';

/** The problems, with what carries the stack's tag in Azure; `asked` are the lists that were asked for. */
async function check(
  changes: Record<string, unknown>,
  there: readonly Record<string, unknown>[] | undefined,
): Promise<{ problems: string[]; asked: AzureList[] }> {
  const asked: AzureList[] = [];
  const configuration = configurationOf(validInput(changes));
  const { subscriptionId = ids.subscription } = configuration.settings.resourceGroup.existing ?? {};
  const { result } = await record(() =>
    movedProblems(configuration, subscriptionId, new Subscriptions('public'), (list) => {
      asked.push(list);
      return Promise.resolve(there);
    }),
  );
  return { problems: (await result).map(formatProblem), asked };
}

describe('another place for a whole environment', () => {
  it('is refused as a resource group', async () => {
    const there = [own(vault, 'kv-test', 'rg-before'), own(identity, 'id-test-aks-1', 'RG-BEFORE')];
    const { problems, asked } = await check({}, there);

    expect(problems).toEqual([
      'aks-workload-identity:resourceGroup: "rg-test" is not the resource group of this stack\'s existing resources, rg-before (kv-test, id-test-aks-1); they cannot be moved, so all of them would be created again. Set it back to rg-before. For another resource group, create another stack.',
    ]);
    expect(asked).toEqual([
      {
        path: `/subscriptions/${ids.subscription}/resources`,
        apiVersion: '2021-04-01',
        filter: "tagName eq 'pulumi-stack' and tagValue eq 'aks-workload-identity/test'",
      },
    ]);
  });

  it('is refused as a region', async () => {
    const there = [
      own(vault, 'kv-test', 'RG-test', 'northeurope'),
      own(identity, 'id-test-aks-1', 'rg-test', 'West Europe'),
    ];

    expect((await check({}, there)).problems).toEqual([
      'aks-workload-identity:location: "westeurope" is not the region of this stack\'s existing resources, northeurope (kv-test); they cannot be moved, so all of them would be created again. Set it back to northeurope. For another region, create another stack.',
    ]);
  });

  it('is not reported where everything is in its place, or where nothing can be read', async () => {
    expect((await check({}, [own(vault, 'kv-test'), own(identity, 'id-test-aks-1')])).problems).toEqual([]);
    expect((await check({}, undefined)).problems).toEqual([]);
  });

  it('does not follow from orphans, which the configuration does not create or has in its place as well', async () => {
    const there = [
      own(vault, 'kv-gone', 'rg-before'),
      own(identity, 'id-test-aks-1', 'rg-before'),
      own(identity, 'id-test-aks-1'),
      own('Microsoft.Storage/storageAccounts', 'kv-test', 'rg-services'),
    ];

    expect((await check({}, there)).problems).toEqual([]);
  });

  it('is looked for in the subscription of a group that exists', async () => {
    const { problems, asked } = await check({ resourceGroup: { existing: groupId('rg-there') } }, [
      own(vault, 'kv-test', 'rg-there', 'westeurope', otherSubscription),
    ]);

    expect(problems).toEqual([]);
    expect(asked[0]?.path).toBe(`/subscriptions/${otherSubscription}/resources`);
  });
});
