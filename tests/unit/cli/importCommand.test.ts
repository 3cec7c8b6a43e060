import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAzureReader } from '../../../cli/azureReader';
import { importCommand } from '../../../cli/import/command';
import { importAll, preview } from '../../../cli/import/engine';
import { parsePreview } from '../../../cli/preview';

// What mocks do not prove: that the engine imports what is listed, and finds the names that are recorded; the end-to-end
// test of retention does.

jest.mock('../../../cli/azureReader');
jest.mock('../../../cli/graphReader');
jest.mock('../../../cli/azureTarget', () => ({
  ambientSubscription: () => Promise.resolve('s'),
  stackCloud: () => Promise.resolve({}),
}));
jest.mock('../../../cli/import/engine');

const scope = '/subscriptions/s/resourceGroups/rg';
const inputs = { scope, principalId: 'p', roleDefinitionId: 'r', roleAssignmentName: 'made-by-us' };
const urn = 'urn:pulumi:prod::p::azure-native:authorization:RoleAssignment::kv/aks-1/a';

/** A preview in which the next update creates a role assignment. */
const creating = {
  steps: parsePreview(JSON.stringify({ steps: [{ op: 'create', urn, newState: { inputs } }] })).steps,
  importFile: { resources: [] },
};
const nothing = { steps: [], importFile: { resources: [] } };

const list = jest.fn();
const get = jest.fn();
let folder = '';
const config = 'config:\n  aks-workload-identity:location: westeurope\n';
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const importing = (...args: string[]) =>
  importCommand().parseAsync(['--stack', 'prod', ...args], { from: 'user' });

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'import-command-'));
  for (const file of ['Pulumi.yaml', 'Pulumi.prod.yaml', 'other.yaml']) {
    writeFileSync(path.join(folder, file), config);
  }
  jest.spyOn(process, 'cwd').mockReturnValue(folder);
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  jest.mocked(createAzureReader).mockReturnValue({ get, list });
  jest.mocked(preview).mockResolvedValue(creating);
  jest.mocked(importAll).mockClear();
  get.mockResolvedValue({ id: '', name: '', type: '', properties: {} });
  list.mockResolvedValue([{ id: `${scope}/guid`, name: 'guid', type: '', properties: inputs }]);
});

afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

describe('aks-wi import', () => {
  it('imports what exists, until there is nothing more', async () => {
    jest.mocked(preview).mockResolvedValueOnce(creating).mockResolvedValueOnce(nothing);
    await importing('--yes');

    expect(jest.mocked(importAll).mock.calls.map(([, found]) => found)).toEqual([
      [expect.objectContaining({ urn })],
    ]);
  });

  it('imports nothing without a confirmation', async () => {
    await expect(importing()).rejects.toMatchObject({
      message: expect.stringContaining('Nothing was imported') as unknown,
      hint: 'Review it, and run the command again with --yes.',
    });
    expect(importAll).not.toHaveBeenCalled();
  });

  it('records the names of a cell in the stack file of its environment', async () => {
    jest.mocked(preview).mockResolvedValueOnce(creating).mockResolvedValueOnce(nothing);
    get.mockResolvedValue(undefined);
    const cell = 'config: { aks-workload-identity:cellOf: other }';
    writeFileSync(path.join(folder, 'Pulumi.prod.yaml'), cell);
    writeFileSync(path.join(folder, 'Pulumi.other.yaml'), config);
    await importing('--yes');

    expect(read('Pulumi.other.yaml')).toContain('kv/aks-1/a: guid');
    expect(read('Pulumi.prod.yaml')).toBe(cell);
  });

  it('ends where pulumi does not read the file in which names are recorded', async () => {
    get.mockResolvedValue(undefined);
    const file = path.join(folder, 'other.yaml');

    await expect(importing('--yes', '--stack-file', file)).rejects.toMatchObject({
      message: `kv/aks-1/a was recorded under \`imported\` in ${file}, but pulumi does not read that file.`,
      hint: 'Name the file that pulumi reads with --config-file.',
    });
    expect(read('other.yaml')).toContain('kv/aks-1/a: guid');
    expect(importAll).not.toHaveBeenCalled();
  });
});
