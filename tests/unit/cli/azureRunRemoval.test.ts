import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { forgetRun, keepRun, leftRuns, type KeptRun } from '../../../cli/azureRun/runs';
import { removeFromAzure } from '../../../cli/azureRun/removal';

// What these do not prove: how Azure answers; the end-to-end test of the command removes from a local cloud.

const run = { id: 'a1b2c3d4', subscription: 'S', location: 'westeurope' };
const group = '/subscriptions/S/resourceGroups/rg-aks-wi-run-a1b2c3d4';
const vault =
  '/subscriptions/S/providers/Microsoft.KeyVault/locations/westeurope/deletedVaults/kv-wi-run-a1b2c3d4';

/** A resource manager with these resources, and the writes that it got. */
function azure(existing: Record<string, unknown>) {
  const resources = new Map(Object.entries(existing));
  const writes: string[] = [];
  const at = (url: string) => new URL(url).pathname;
  return {
    writes,
    endpoint: 'https://azure.test',
    read: (url: string) => Promise.resolve(resources.get(at(url))),
    write: (method: string, url: string) => {
      writes.push(`${method} ${at(url)}`);
      resources.delete(at(url).replace(/\/purge$/, ''));
      return Promise.resolve();
    },
  };
}

describe('the removal', () => {
  it('deletes the group of the run and purges its vault', async () => {
    const service = azure({
      [group]: { tags: { 'aks-wi-azure-run': run.id } },
      [vault]: { properties: { vaultId: `${group}/providers/Microsoft.KeyVault/vaults/kv` } },
    });
    await removeFromAzure(run, service);
    expect(service.writes).toEqual([`DELETE ${group}`, `POST ${vault}/purge`]);
  });

  it('does nothing if everything is gone', async () => {
    const service = azure({});
    await removeFromAzure(run, service);
    expect(service.writes).toEqual([]);
  });

  it.each([{}, { 'aks-wi-azure-run': 'other' }])('refuses a group with the tags %j', async (tags) => {
    const service = azure({ [group]: { tags } });
    await expect(removeFromAzure(run, service)).rejects.toThrow('was not deleted');
    expect(service.writes).toEqual([]);
  });

  it('leaves a deleted vault that was in another group', async () => {
    const service = azure({
      [vault]: { properties: { vaultId: '/subscriptions/S/resourceGroups/rg/providers/x' } },
    });
    await removeFromAzure(run, service);
    expect(service.writes).toEqual([]);
  });
});

describe('the runs that are kept', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'runs-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });
  const kept = (pid: number): KeptRun => ({ ...run, pid, passphrase: 'p' });

  it('are those that may have left something, readable by the owner only', () => {
    const keptRun = kept(process.pid);
    keepRun(folder, keptRun);

    expect(leftRuns(folder)).toEqual([keptRun]);
    expect(statSync(path.join(folder, `run-${run.id}`, 'run.json')).mode & 0o077).toBe(0);
    forgetRun(folder, keptRun);
    expect(leftRuns(folder)).toEqual([]);
  });

  it('are not those of a process that has the id of an ended one', () => {
    keepRun(folder, kept(1));
    expect(leftRuns(folder)).toHaveLength(1);
  });

  it('are not taken from a run that is still active', () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'azure-run']);
    try {
      keepRun(folder, kept(child.pid ?? 0));
      expect(() => leftRuns(folder)).toThrow(`Another run is active (process ${String(child.pid)}).`);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('are refused by name if they cannot be read', () => {
    keepRun(folder, kept(1));
    const file = path.join(folder, `run-${run.id}`, 'run.json');
    writeFileSync(file, '');
    expect(() => leftRuns(folder)).toThrow(`${file} cannot be read`);
  });

  it('are none before the first run', () => {
    expect(leftRuns(path.join(folder, 'none'))).toEqual([]);
  });
});
