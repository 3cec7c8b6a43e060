import { LogWorkspace } from '../../../components/logs/logWorkspace';
import { group } from './support/azure';
import { record, valueOf } from './support/recorder';

// What mocks do not prove: that Azure accepts the retention, and that the existing workspace exists.

const resource = 'azure-native:operationalinsights:Workspace';
const existing = `${group}/providers/Microsoft.OperationalInsights/workspaces/log-shared`;

describe('LogWorkspace', () => {
  it('makes a workspace that is paid by use, retained', async () => {
    const { find } = await record(() => new LogWorkspace('log-dev', { create: { resourceGroupName: 'rg' } }));

    expect(find(resource, 'log-dev').inputs).toEqual({
      resourceGroupName: 'rg',
      workspaceName: 'log-dev',
      sku: { name: 'PerGB2018' },
      retentionInDays: 30,
    });
    expect(find(resource, 'log-dev').retainOnDelete).toBe(true);
  });

  it('reads an existing workspace and registers none', async () => {
    const { result, names } = await record(() => new LogWorkspace('log', { existing: existing }));

    expect(names(resource)).toEqual([]);
    expect(await valueOf(result.id)).toBe(existing);
  });

  it.each([
    [
      { create: { resourceGroupName: 'rg', workspaceName: 'log' } },
      /workspaceName "log" is not a valid name\. Allowed: 4 to 63/,
    ],
    [
      { existing: `${group}/providers/Microsoft.KeyVault/vaults/kv` },
      /is not the id of a resource of type Microsoft\.OperationalInsights\/workspaces/,
    ],
  ])('refuses %j', async (args, message) => {
    await expect(record(() => new LogWorkspace('x', args))).rejects.toThrow(message);
  });
});
