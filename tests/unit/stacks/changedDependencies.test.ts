import { AzureDependency } from '../../../components/dependency/azureDependency';
import { AllowedDeletions } from '../../../stacks/keeping/allowedDeletions';
import { formatProblem } from '../../../stacks/configuration/problem';
import {
  droppedWarnings,
  handedOverProblems,
  interruptedProblems,
  movedProblems,
} from '../../../stacks/keeping/dependencies';
import { renamedDependencies, takenNameProblems } from '../../../stacks/keeping/renamedDependencies';
import { OwnState } from '../../../stacks/keeping/ownState';
import { ids } from '../components/support/azure';
import { valueOf } from '../components/support/recorder';
import type { Input } from './depending';
import { deploy, depending, files, input, planOf } from './depending';
import { application } from './settings';

// What becomes of dependencies from one update to the next. What mocks do not prove: what the operator does with them.

const account = 'kubernetes:storage.azure.com/v20250601:StorageAccount';

/** What the stack has after an update of the configuration. */
async function stateAfter(given: Input): Promise<OwnState> {
  const { state } = await deploy(given);
  return new OwnState(state.map(({ urn, type, name, outputs }) => ({ urn, type, name, outputs })));
}

describe('a second update', () => {
  it('keeps nothing beside what the configuration has', async () => {
    const given = input([depending([{ ...files, connection: 'vault' }])]);
    const { result } = await deploy(given, await stateAfter(given));

    expect(await valueOf(result.kept)).toEqual([]);
  });

  it('keeps the group and the secret of what is removed', async () => {
    const before = await stateAfter(input([depending([{ ...files, connection: 'vault' }])]));
    const { result } = await deploy(input([application('orders')]), before);

    expect((await valueOf(result.kept)).map(({ name }) => name)).toEqual([
      'rg-test-services',
      'kv-test/orders-files',
    ]);
  });
});

describe('a dependency that is removed', () => {
  const id = `/subscriptions/${ids.subscription}/resourceGroups/rg-test-services/providers/Microsoft.Storage/storageAccounts/stfiles`;

  it('stays in Azure, and the update says how to delete it', async () => {
    const state = await stateAfter(input([depending()]));
    const plan = planOf(input([application('orders')]));

    expect(droppedWarnings('test', plan, state)).toEqual([
      `No application depends on these any more. What there is of them stays in Azure, and this stack forgets it:\n  storage account  orders/files  ${id}\nPut one back into Pulumi.test.yaml under its name to use it again; to delete one: az resource delete --ids <id>.`,
    ]);
    expect(droppedWarnings('test', planOf(input([depending()])), state)).toEqual([]);
  });

  it('is deleted if that was allowed, and the update says so', async () => {
    const state = await stateAfter(input([depending([{ ...files, deletion: 'allowed' }])]));

    expect(droppedWarnings('test', planOf(input([application('orders')])), state)).toEqual([
      expect.stringContaining(`This update deletes in Azure`),
    ]);
  });

  it('is not deleted while somebody uses it further on', async () => {
    const two = { clusters: [{ name: 'aks-1' }, { name: 'aks-2' }] };
    const given = (deletion: string, clusters: string[]) =>
      input([depending([{ ...files, deletion }], { clusters })], two);
    const moved = planOf(given('allowed', ['aks-2']));

    const allowed = await stateAfter(given('allowed', ['aks-1', 'aks-2']));
    expect(handedOverProblems(moved, allowed).map(formatProblem)).toEqual([
      expect.stringContaining(
        '"stfiles" is used further on, and would be deleted in Azure all the same: aks-1-orders no longer manages it',
      ),
    ]);
    const kept = await stateAfter(given('kept', ['aks-1', 'aks-2']));
    expect(handedOverProblems(moved, kept)).toEqual([]);
    expect(droppedWarnings('test', moved, kept)).toEqual([]);
  });

  it('is not deleted with the cluster that manages it, of whatever kind it is', async () => {
    const site = {
      ...{ name: 'web', deletion: 'allowed' },
      resource: { apiVersion: 'web.azure.com/v20240401', kind: 'Site', spec: { location: 'westeurope' } },
    };
    const two = { clusters: [{ name: 'aks-1' }, { name: 'aks-2' }] };
    const given = (clusters: string[]) => input([depending([site], { clusters })], two);
    const before = await stateAfter(given(['aks-1', 'aks-2']));
    // The operator tells the id of such a resource; the mocks have none.
    const id = '/subscriptions/s/resourceGroups/rg-test-services/providers/Microsoft.Web/sites/orders-web';
    const state = new OwnState(
      before.resources.map((one) =>
        one.type === AzureDependency.token
          ? { ...one, outputs: { ...one.outputs, resourceId: id, deletion: 'allowed' } }
          : one,
      ),
    );

    expect(handedOverProblems(planOf(given(['aks-2'])), state).map(formatProblem)).toEqual([
      expect.stringContaining('is used further on, and would be deleted in Azure all the same'),
    ]);
  });

  it('is not deleted after an update that was to keep it and failed', async () => {
    const allowed = await stateAfter(input([depending([{ ...files, deletion: 'allowed' }])]));
    const { state: kept } = await deploy(input([depending([{ ...files, deletion: 'kept' }])]));
    const written = kept.find(({ type }) => type === AllowedDeletions.token);
    // It wrote down what it allows, and then failed.
    const failed = new OwnState(
      allowed.resources.map((one) =>
        one.type === AllowedDeletions.token ? { ...one, outputs: written?.outputs ?? {} } : one,
      ),
    );
    const removed = planOf(input([application('orders')]));

    expect(interruptedProblems(removed, allowed)).toEqual([]);
    expect(interruptedProblems(removed, failed).map(formatProblem)).toEqual([
      expect.stringContaining('"stfiles" would be deleted in Azure: the update that was to keep it failed'),
    ]);
    expect(interruptedProblems(planOf(input([depending()])), failed)).toEqual([]);

    // One that failed before it came to the deletion.
    const { state: deleting } = await deploy(input([application('orders')]), allowed);
    const listed = deleting.find(({ type }) => type === AllowedDeletions.token)?.outputs.dependencies;
    expect(listed).toEqual(['aks-1-orders/files']);
  });

  it('is the same under another name, also if its custom resource is written out', async () => {
    const raw = (name: string, more: Input = {}) => ({
      ...{ name, deletion: 'allowed' },
      resource: {
        apiVersion: 'storage.azure.com/v20250601',
        kind: 'StorageAccount',
        spec: { azureName: 'stfiles', location: 'westeurope' },
        ...more,
      },
    });
    const { state: before } = await deploy(input([depending([raw('raw')])]));
    const id = `/subscriptions/${ids.subscription}/resourceGroups/rg-test-services/providers/Microsoft.Storage/storageAccounts/stfiles`;
    const state = new OwnState(
      before.map(({ urn, type, name, outputs }) => ({
        ...{ urn, type, name },
        outputs:
          type === AzureDependency.token ? { ...outputs, resourceId: id, deletion: 'allowed' } : outputs,
      })),
    );
    const toldOf = (one: unknown) =>
      handedOverProblems(planOf(input([depending([one])])), state).map(formatProblem);

    const used = [expect.stringContaining('"stfiles" is used further on, and would be deleted in Azure')];
    expect(toldOf(raw('other'))).toEqual(used);
    expect(toldOf(files)).toEqual(used);
    expect(toldOf({ name: 'other', storageAccount: { name: 'stother' } })).toEqual([]);

    const newer = raw('raw', { apiVersion: 'storage.azure.com/v20990101' });
    const { registrations } = await deploy(input([depending([newer])]), state);
    expect(registrations.find(({ type }) => type.endsWith('v20990101:StorageAccount'))?.typesBefore).toEqual([
      account,
    ]);
  });

  it('goes on under another name, or as that of another application, as what it was', async () => {
    const database = { name: 'db', postgresql: { name: 'pg-orders', database: 'orders' } };
    const state = await stateAfter(input([depending([files, database])]));
    const renamed = (given: Input, before = state) =>
      Object.fromEntries(renamedDependencies(planOf(given), before));
    const others = [
      { ...files, name: 'documents' },
      { ...database, name: 'data' },
    ];

    expect(renamed(input([depending(others)]))).toEqual({
      'aks-1-orders/documents': ['aks-1-orders/files'],
      'aks-1-orders/data': ['aks-1-orders/db'],
    });
    expect(renamed(input([application('sales', { dependencies: [files] })]))).toEqual({
      'aks-1-sales/files': ['aks-1-orders/files'],
    });
    expect(renamed(input([depending([{ name: 'documents', storageAccount: { name: 'stother' } }])]))).toEqual(
      {},
    );

    const { find, state: after } = await deploy(input([depending(others)]), state);
    expect(find('aks-workload-identity:dependency:AzureDependency', 'aks-1-orders/data').aliases).toEqual([
      'aks-1-orders/db',
    ]);

    // What is in it as well: the engine hands names down only where the component itself had them.
    const names = (type: string, name: string) => find(type, name).aliases;
    const server = 'kubernetes:dbforpostgresql.azure.com/v20250801:FlexibleServer';
    expect(names(server, 'aks-1-orders/data')).toEqual(['aks-1-orders/db']);
    expect(names(`${server}sAdministrator`, 'aks-1-orders/data/administrator')).toEqual([
      'aks-1-orders/db/administrator',
    ]);
    const role = 'storageBlobDataContributor';
    const assignment = 'azure-native:authorization:RoleAssignment';
    expect(names(assignment, `aks-1-orders/documents/${role}`)).toEqual([`aks-1-orders/files/${role}`]);
    expect(names('kubernetes:core/v1:ConfigMap', 'aks-1-orders/documents/told')).toEqual([
      'aks-1-orders/files/told',
    ]);
    // An update that failed has renamed the components, and not all that is in them.
    const failed = new OwnState([
      ...after
        .filter(({ name }) => !name.startsWith('aks-1-orders/data/'))
        .map((one) => {
          const before = state.find(
            one.type,
            one.name.replace('/data', '/db').replace('/documents', '/files'),
          );
          // What a component tells is written at the end.
          return one.type === AzureDependency.token && before !== undefined
            ? { ...one, outputs: before.outputs }
            : one;
        }),
      ...state.resources.filter(({ name }) => name.startsWith('aks-1-orders/db/')),
    ]);
    expect(renamed(input([depending(others)]), failed)).toEqual({ 'aks-1-orders/data': ['aks-1-orders/db'] });
    expect(renamed(input([depending([files, database])]), failed)).toEqual({
      'aks-1-orders/files': ['aks-1-orders/documents'],
      'aks-1-orders/db': ['aks-1-orders/data'],
    });
    const third = [
      { ...files, name: 'documents' },
      { ...database, name: 'store' },
    ];
    expect(renamed(input([depending(third)]), failed)).toEqual({
      'aks-1-orders/store': ['aks-1-orders/data', 'aks-1-orders/db'],
    });
    // And once one came to its end, nothing is left of it.
    expect(renamed(input([depending(others)]), new OwnState(after))).toEqual({});
  });

  it('does not take the name of another one', async () => {
    const more = { name: 'more', storageAccount: { name: 'stmore' } };
    const state = await stateAfter(input([depending([files, more])]));
    const told = (dependencies: unknown[]) =>
      takenNameProblems(planOf(input([depending(dependencies)])), state).map(formatProblem);

    const rest =
      'Allowed: a name that no other service has before this update or after it. Give one of the two yet another name; or rename in one update, and take the name in the next.';
    expect(told([{ ...more, name: 'files' }])).toEqual([
      `aks-workload-identity:applications: "stmore" would be aks-1-orders/files, the name that stfiles has until this update. ${rest}`,
    ]);
    expect(
      told([
        { ...more, name: 'files' },
        { ...files, name: 'more' },
      ]),
    ).toHaveLength(2);
    expect(
      told([{ ...files, name: 'documents' }, { name: 'files', storageAccount: { name: 'stnew' } }, more]),
    ).toEqual([
      `aks-workload-identity:applications: "stfiles" was aks-1-orders/files and would be aks-1-orders/documents, while another service takes the name that it had. ${rest}`,
    ]);
    // Another service under its name is a new one.
    expect(told([{ name: 'files', storageAccount: { name: 'stnew' } }, more])).toEqual([]);
    expect(told([more, files])).toEqual([]);
  });

  it('is in its group for good', async () => {
    const there = (changes: Record<string, unknown>, more = {}) => input([depending([files], more)], changes);
    const state = await stateAfter(there({}));
    const told = (given: ReturnType<typeof there>) => movedProblems(planOf(given), state).map(formatProblem);

    expect(told(there({ services: { resourceGroup: 'rg-other' } }))).toEqual([
      'aks-workload-identity:applications: "stfiles" is in the group rg-test-services, and would be in rg-other as files of orders: nothing can be moved. Allowed: the group that it is in. Set `services.resourceGroup`, or `provisioning` of the application, back to what it was; or give the dependency another `name`.',
    ]);
    expect(told(there({}, { provisioning: 'application' }))).toEqual([
      expect.stringContaining('would be in rg-test-services-orders'),
    ]);
    expect(told(there({}))).toEqual([]);
    expect(
      told(
        input([depending([{ name: 'files', storageAccount: { name: 'stother' } }])], {
          services: { resourceGroup: 'rg-other' },
        }),
      ),
    ).toEqual([]);
  });
});
