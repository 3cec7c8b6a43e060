import { dryRunOfParts } from '../../../cli/access/dryRun';
import { actionsOf } from '../../../cli/doctor/actions';
import { plannedBy } from '../../../cli/doctor/stackFile';
import { readStack } from '../../../cli/project';
import { clusterNames, fleetText, stackFileOfCell } from './fleet.fixture';
import { stackText, withProject } from './projectFolder';
import { refusalOf } from './refusal';

// What these do not prove: what the program registers; tests/unit/cli/access.test.ts runs it without an engine.

jest.mock('../../../cli/access/dryRun');

const identity = 'azure-native:managedidentity:UserAssignedIdentity';
const vault = 'azure-native:keyvault:Vault';
const environment = fleetText(clusterNames(2), { canary: [1, 'aks-001'], c01: [2, 'aks-002'] });
const files = {
  'Pulumi.dev.yaml': stackText('dev'),
  'Pulumi.wrong.yaml': stackText('wrong').replace('westeurope', 'West Europe'),
  'Pulumi.fleet.yaml': environment,
  'Pulumi.fleet-c01.yaml': stackFileOfCell,
};
const planned = (stack: string) =>
  withProject(files, (project) => plannedBy(project, readStack(project, stack)));

beforeEach(() =>
  jest.mocked(dryRunOfParts).mockImplementation(({ environment: name }) =>
    Promise.resolve({
      [name]: [`${vault}::kv`],
      'fleet-canary': [`${identity}::a`],
      'fleet-c01': [`${identity}::b`],
    }),
  ),
);

it('returns what all stacks of an environment need', async () => {
  expect(actionsOf((await planned('fleet')).types)).toEqual([
    'Microsoft.KeyVault/vaults/write',
    'Microsoft.ManagedIdentity/userAssignedIdentities/write',
  ]);
});

it('returns only what the stack of a cell needs, by the file of its environment', async () => {
  const { types, configuration } = await planned('fleet-c01');
  expect(types).toEqual([identity]);
  expect(configuration.plan.clusters.map(({ settings }) => settings.name)).toEqual(['aks-002']);
  expect(dryRunOfParts).toHaveBeenLastCalledWith(
    expect.objectContaining({ environment: 'fleet', text: environment }),
  );
});

it('refuses a file that is not valid, with its first problem', async () => {
  expect(await refusalOf(() => planned('wrong'))).toMatch(
    /^Pulumi\.wrong\.yaml:\d+: .*"West Europe" is not allowed.*\n→ Run `aks-wi validate` with the same options; it shows all problems\.$/s,
  );
});
