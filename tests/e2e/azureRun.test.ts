/**
 * `aks-wi azure-run` with a local cloud in place of Azure, and a second one that it compares with. Proves that it deploys, verifies
 * and removes on both sides, that a difference on one side is reported, that a run without a provider is refused before it begins, and that nothing is left after a failure, after an
 * interrupt, and by the run that follows a killed one. Does not prove anything about Azure itself.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../support/command';
import type { AzureClients } from '../support/azureClients';
import { all } from '../support/azureClients';
import { localCloud } from '../support/localCloud';
import type { RunReport } from '../../cli/azureRun/report';

jest.setTimeout(5 * 60_000);

const cloud = localCloud('azure-run');
const folder = mkdtempSync(path.join(cloud.state, 'runs-'));
const args = ['azure-run', '--local', '--yes', '--folder', folder];
let azure: AzureClients;

beforeAll(async () => {
  await cloud.start();
  azure = await cloud.azure();
});
afterAll(() => cloud.clean());

/** Names of the groups and deleted vaults in the cloud, and the runs that are kept. */
async function left(): Promise<string[]> {
  const groups = await all(azure.resources().resourceGroups.list());
  const vaults = await all(azure.vaults().vaults.listDeleted());
  const kept = readdirSync(folder).filter((name) => name.startsWith('run-'));
  return [...groups, ...vaults].map(({ name }) => name ?? '').concat(kept);
}

/** Starts a run, and sends its processes a signal when its output contains a text. Resolves with its exit code. */
function signalled(signal: NodeJS.Signals, text: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(projectRoot, 'cli', 'bin.mjs'), ...args], {
      env: { ...process.env, AKS_WI_STATE: cloud.state, CI: 'true' },
      // In its own process group, which gets Ctrl-C as a whole.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let isSent = false;
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (isSent || !output.includes(text)) return;
      isSent = true;
      process.kill(-(child.pid ?? 0), signal);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => {
      // The programs that a killed run leaves hold these open.
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ code, output });
    });
  });
}

describe('a run in a subscription without a provider', () => {
  it('is refused with nothing kept', async () => {
    const provider = `/subscriptions/${azure.subscriptionId}/providers/Microsoft.ContainerService`;
    const unregistered = await azure.request('POST', `${provider}/unregister?api-version=2021-04-01`);
    expect(unregistered).toMatchObject({ status: 200 });

    const refused = await cloud.fail(...args);

    expect(refused).toMatch(/^error: Microsoft\.ContainerService is Unregistered\b/m);
    expect(refused).not.toContain('Not everything');
    expect(await left()).toEqual([]);
    await azure.request('POST', `${provider}/register?api-version=2021-04-01`);
  });
});

describe('a run that Azure answers as the local cloud does', () => {
  it('deploys, verifies and removes on both sides, and reports no difference', async () => {
    const { code, stdout, stderr } = await cloud.command(...args);

    const report = JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')) as RunReport;
    expect(report.differences).toEqual([]);
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
    expect(report.steps.map(({ side, step, result }) => `${side} ${step}: ${result}`)).toEqual([
      ...['Azure deploy: done', 'Azure verify: done', 'Azure destroy: done'],
      ...['local cloud deploy: done', 'local cloud verify: done', 'local cloud destroy: done'],
    ]);
    expect(report.azure.length).toBeGreaterThan(20);
    expect(await left()).toEqual([]);
  });
});

describe('a run in which Azure refuses the resource group', () => {
  it('reports the answer that only one side gave, and leaves nothing', async () => {
    const lock = `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Authorization/locks/frozen?api-version=2020-05-01`;
    const locked = await azure.request('PUT', lock, { properties: { level: 'ReadOnly' } });
    expect(locked).toMatchObject({ status: 201 });

    const { code, stdout, stderr } = await cloud.command(...args);
    await azure.request('DELETE', lock);

    expect({ code, stdout, stderr }).toMatchObject({ code: 1 });
    const report = JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')) as RunReport;
    expect(report.steps.map(({ side, step, result }) => `${side} ${step}: ${result}`)).toEqual([
      expect.stringMatching(/^Azure deploy: failed/),
      'Azure verify: not reached',
      'Azure destroy: done',
      'local cloud deploy: done',
      'local cloud verify: done',
      'local cloud destroy: done',
    ]);
    const cluster = expect.stringMatching(/^PUT .*\/managedClusters\/\{\}$/) as string;
    expect(report.differences).toContainEqual(
      expect.objectContaining({ operation: cluster, what: 'operation', azure: '' }),
    );
    expect(stdout).toContain('managedClusters');
    expect(await left()).toEqual([]);
  });
});

describe('a run that Azure does not remove', () => {
  it('is compared all the same, and removed by --remove', async () => {
    const lock = `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Authorization/locks/kept?api-version=2020-05-01`;
    expect(await azure.request('PUT', lock, { properties: { level: 'CanNotDelete' } })).toMatchObject({
      status: 201,
    });

    expect(await cloud.fail(...args)).toMatch(/Not everything of rg-aks-wi-run-\w+ was removed/);
    const report = JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')) as RunReport;
    expect(report.azure.length).toBeGreaterThan(20);
    expect(report.steps.map(({ side, step, result }) => `${side} ${step}: ${result}`)).toEqual([
      ...['Azure deploy: done', 'Azure verify: done'],
      expect.stringMatching(/^Azure destroy: failed/),
      ...['local cloud deploy: done', 'local cloud verify: done', 'local cloud destroy: done'],
    ]);
    await azure.request('DELETE', lock);

    expect(await cloud.succeed(...args, '--remove')).toContain('Removed: rg-aks-wi-run-');
    expect(await left()).toEqual([]);
  });
});

describe('a run that is interrupted', () => {
  it('removes what it created, and exits with 130', async () => {
    const { code, output } = await signalled('SIGINT', 'ManagedCluster aks-run creating');

    expect({ code, output }).toMatchObject({ code: 130 });
    expect(await left()).toEqual([]);
  });
});

describe('a run that is killed', () => {
  it('leaves what it created, which the next run removes', async () => {
    await signalled('SIGKILL', 'ManagedCluster aks-run creating');
    const names = (await left()).join(' ');
    expect(names).toMatch(/\brg-aks-wi-run-/);
    expect(names).toMatch(/(^| )run-/);

    expect(await cloud.succeed(...args, '--remove')).toContain('Removed: rg-aks-wi-run-');
    expect(await left()).toEqual([]);
    expect(await cloud.succeed(...args, '--remove')).toBe('No run left anything.\n');
  });
});
