import { dryRunOfParts } from '../../../cli/access/dryRun';
import { ofEachCell } from '../../../cli/cells';
import { deployedStack } from '../../../cli/deployedAccess';
import { doctorCommand } from '../../../cli/doctor/command';
import type { Finding } from '../../../cli/doctor/finding';
import { subscriptionFindings } from '../../../cli/doctor/subscription';
import { workstationFindings } from '../../../cli/doctor/workstation';
import { readStackOutputs } from '../../../cli/stackOutputs';
import { twoClusters } from '../verification/outputs.fixture';
import { capturedOutput, stackText, withProject } from './projectFolder';
import { refusalOf } from './refusal';

// What mocks do not prove: what the checks find; tests/e2e/doctor.suite.ts asks the local cloud.

jest.mock('../../../cli/access/dryRun');
jest.mock('../../../cli/azureReader');
jest.mock('../../../cli/azureLists');
jest.mock('../../../cli/azureTarget', () => ({
  ...{ stackCloud: () => Promise.resolve({}), ambientSubscription: () => Promise.resolve('ambient') },
}));
jest.mock('../../../cli/deployedAccess');
jest.mock('../../../cli/stackOutputs');
jest.mock('../../../cli/doctor/clusters', () => ({ clusterFindings: () => Promise.resolve([]) }));
jest.mock('../../../cli/doctor/subscription');
jest.mock('../../../cli/doctor/workloads', () => ({ workloadFindings: () => Promise.resolve([]) }));
jest.mock('../../../cli/doctor/workstation');
jest.mock('../../../verification/azureAccess');

const identity = 'azure-native:managedidentity:UserAssignedIdentity';
const vault = 'azure-native:keyvault:Vault';
const failing: Finding = { check: 'Node', state: 'failed', detail: 'old', hint: 'Update it.' };

/** `aks-wi doctor` in a project with these files: its exit code and its findings. */
const doctor = (files: Readonly<Record<string, string>>, ...args: string[]) =>
  withProject(files, async (folder) => {
    const before = process.exitCode;
    jest.spyOn(process, 'cwd').mockReturnValue(folder);
    const { written, spies } = capturedOutput();
    try {
      await doctorCommand().parseAsync(['--json', ...args], { from: 'user' });
      const { findings } = JSON.parse(written.stdout) as { findings: Finding[] };
      return { code: process.exitCode ?? 0, findings };
    } finally {
      for (const spy of spies) spy.mockRestore();
      process.exitCode = before;
    }
  });

beforeEach(() => {
  jest.mocked(workstationFindings).mockResolvedValue([]);
  jest.mocked(subscriptionFindings).mockResolvedValue([]);
  jest.mocked(dryRunOfParts).mockResolvedValue({ dev: [`${identity}::id`] });
  jest.mocked(readStackOutputs).mockResolvedValue(twoClusters());
  jest
    .mocked(deployedStack)
    .mockResolvedValue({ resources: [{ urn: `urn:pulumi:dev::p::${vault}::kv` }] } as never);
});
afterEach(() => {
  jest.restoreAllMocks();
});

it('ends with 0 if nothing failed, and says what is deployed', async () => {
  const outputs = twoClusters();
  const [workload] = outputs.workloads;
  jest.mocked(readStackOutputs).mockResolvedValue({ ...outputs, workloads: [workload as never] });
  const { code, findings } = await doctor({}, '--stack', 'dev');
  expect(code).toBe(0);
  expect(findings).toEqual([
    { check: 'stack dev', state: 'ok', detail: 'deployed, 1 workload on 2 clusters' },
  ]);
});

it('ends with 1 if something failed', async () => {
  jest.mocked(workstationFindings).mockResolvedValue([failing]);
  expect(await doctor({}, '--stack', 'dev')).toMatchObject({ code: 1 });
});

it('ends with 1 if a cell cannot be read, although nothing failed', async () => {
  jest.mocked(readStackOutputs).mockImplementation(async (stack) => {
    await ofEachCell(stack, [{ stack: 'dev-b' }], () => Promise.reject(new Error('no answer')));
    return { ...twoClusters(), isIncomplete: true };
  });
  const { code, findings } = await doctor({}, '--stack', 'dev');
  expect(findings).toMatchObject([{ state: 'ok' }]);
  expect(code).toBe(1);
});

it('checks nothing against outputs whose resources cannot be read', async () => {
  jest.mocked(deployedStack).mockRejectedValue(new Error('no state'));
  const { code, findings } = await doctor({}, '--stack', 'dev');
  expect(code).toBe(1);
  expect(findings).toMatchObject([{ check: 'stack dev', state: 'failed', detail: 'no state' }]);
  expect(subscriptionFindings).toHaveBeenLastCalledWith('ambient', expect.anything(), undefined);
});

describe('the stack file', () => {
  const checkedFile = async (...args: string[]) => {
    const files = { 'Pulumi.dev.yaml': stackText('dev'), 'other.yaml': stackText('other') };
    const { findings } = await doctor(files, '--stack', 'dev', ...args);
    return findings.find(({ check }) => check === 'stack file');
  };

  it('is that of the project, and its resources are added to the deployed ones', async () => {
    expect(await checkedFile()).toMatchObject({ state: 'ok', detail: 'Pulumi.dev.yaml is valid' });
    const [, , deployment] = jest.mocked(subscriptionFindings).mock.lastCall ?? [];
    expect(deployment?.types).toEqual([vault, identity]);
  });

  it('is that of --file, also for the run without an engine', async () => {
    expect(await checkedFile('--file', 'other.yaml')).toMatchObject({ detail: 'other.yaml is valid' });
    expect(dryRunOfParts).toHaveBeenLastCalledWith(
      expect.objectContaining({ environment: 'dev', file: 'other.yaml', text: stackText('other') }),
    );
  });

  it('is missing if --file names none', async () => {
    expect(await checkedFile('--file', 'none.yaml')).toMatchObject({
      ...{ state: 'failed', detail: 'There is no file none.yaml.' },
    });
  });

  it('needs a stack', async () => {
    expect(await refusalOf(() => doctor({}, '--file', 'other.yaml'))).toContain('no stack is named');
  });
});
