/**
 * The whole system as a user runs it: `aks-wi up` with an empty state folder, and everything that must hold
 * afterwards. It proves the parts together: the real engine, API servers, charts and vendors' clients, with the
 * local Azure. It does not prove Azure itself.
 *
 * The tests are steps of one story and run in order: each needs the state of the one before.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

import { parse } from 'yaml';

import { projectRoot, runProcess } from '../support/command';
import { localCloud } from '../support/localCloud';
import { allListeningSockets, listeningSockets, processesOf } from '../support/processes';
import { clusterOperationsSuite } from './clusterOperations.suite';
import { doctorSuite } from './doctor.suite';
import { isOfAzure, outsideChangesSuite, placeOf } from './outsideChanges.suite';

jest.setTimeout(15 * 60_000);

const cloud = localCloud('e2e');
const { state } = cloud;
const command = cloud.command.bind(cloud);
const succeed = cloud.succeed.bind(cloud);
const verify = () => cloud.verify();

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(file);
    return entry.isFile() && statSync(file).size < 64 * 1024 * 1024 ? [file] : [];
  });
}

/** The last line of the verification at the end of `up`. */
const allVerified = /\n[1-9]\d* checks passed, 0 failed/;
let firstRun = '';

afterAll(async () => {
  await command('down');
  rmSync(state, { recursive: true, force: true });
});

describe('an environment from nothing', () => {
  it('is deployed with one command, which ends with a table of readable secrets', async () => {
    firstRun = await succeed('up');
    expect(firstRun).toMatch(/cluster\s+│\s+application\s+│\s+identity/i);
    for (const name of ['aks-1', 'aks-2', 'orders', 'billing', 'reports']) expect(firstRun).toContain(name);
    expect(firstRun).toContain('What to try next');
  });

  it('is verified: every granted secret is read, everything else is refused', async () => {
    const { code, report } = await verify();
    expect(report.checks.filter((check) => !check.ok)).toEqual([]);
    expect(code).toBe(0);
    expect(report.failed).toBe(0);
    expect(report.passed).toBe(report.checks.length);
    // Five workloads: orders and billing on both clusters, reports on aks-2 only.
    // Those that applications run as, and the service operator's.
    const identities = [
      'aks-1/id-local-aks-1',
      'aks-1/id-local-aks-1-aso',
      'aks-1/id-local-aks-1-billing',
      'aks-2/id-local-aks-2',
      'aks-2/id-local-aks-2-aso',
      'aks-2/id-local-aks-2-billing',
      'aks-2/id-local-aks-2-reports',
    ];
    const others = [
      ...['-/kv-wi-local', '-/kv-wi-local-reports', '-/aks-1', '-/aks-2'],
      ...['-/rg-workload-identity-local', '-/rg-workload-identity-local-services'],
    ];
    expect(report.checks.filter(isOfAzure).map(placeOf).sort()).toEqual(
      [...others, ...identities, ...identities].sort(),
    );
    const workloads = new Set(report.checks.filter((check) => !isOfAzure(check)).map(placeOf));
    expect([...workloads].sort()).toEqual([
      'aks-1/billing',
      'aks-1/orders',
      'aks-2/billing',
      'aks-2/orders',
      'aks-2/reports',
    ]);
    // Each workload has each kind of check.
    for (const workload of workloads) {
      const kinds = report.checks
        .filter((check) => `${check.cluster}/${check.application}` === workload)
        .map((check) => check.check);
      expect(kinds.length).toBeGreaterThanOrEqual(4);
    }
  });

  it('gives the access that its settings say, and no other', async () => {
    // With the values that this machine sets itself.
    const settings = path.relative(projectRoot, path.join(state, 'local', 'Pulumi.local.yaml'));
    const difference = await succeed('access', '--diff', 'local', settings);
    expect(difference).toBe('Access is unchanged.\nCompared: 7 trusts, 16 grants, 0 groups, 5 readers.\n');
    expect(await succeed('access', '--stack', 'local', '--deployed')).toContain('reports-db');
  });

  it('has a record of all its token requests, which a late reader gets whole', async () => {
    const record = path.join(state, 'local', 'azure', 'audit.jsonl');
    const requests = readFileSync(record, 'utf8');
    const copies = Math.ceil(2 ** 20 / requests.length);
    appendFileSync(record, requests.repeat(copies));

    // A pipe takes 64 KiB at once.
    const command = [process.execPath, path.join(projectRoot, 'cli', 'bin.mjs'), 'cloud', 'audit', '--json'];
    const script = ['-o', 'pipefail', '-c', '"$0" "$@" | { sleep 2; cat; }', ...command];
    const { code, stdout } = await runProcess('bash', script, { AKS_WI_STATE: state });

    expect(code).toBe(0);
    expect(stdout.length).toBeGreaterThan(2 ** 19);
    const lines = requests.trim().split('\n').length;
    expect((JSON.parse(stdout) as unknown[]).length).toBeGreaterThan(copies * lines);
  });

  it('changes nothing in a second up, also after the local cloud was killed', async () => {
    const run = JSON.parse(readFileSync(path.join(state, 'local', 'run.json'), 'utf8')) as { pid: number };
    process.kill(run.pid, 'SIGKILL');

    const output = await succeed('up');

    expect(output).toContain('No changes, so nothing is updated.');
    expect(output).toMatch(/0 to create, 0 to update, 0 to delete/);
    expect(output).toMatch(/\d+ unchanged/);
    expect(output).toMatch(allVerified);
  });

  it('previews a new tag without replacing what depends on a tagged resource', async () => {
    const output = await succeed(
      ...['pulumi', 'preview', '--non-interactive'],
      ...['--config', 'aks-workload-identity:tags={"cost-center":"1"}'],
    );
    // Both resource groups, two vaults, two clusters, five identities of workloads and two of the operator, and
    // billing's dependency on each cluster.
    expect(output).toMatch(/~ 15 to update/);
    expect(output).not.toMatch(/to replace|to create|to delete/);
  });

  it('listens on loopback only', async () => {
    const addresses = await listeningSockets(await processesOf(state));
    // At least the service, its proxy, and each cluster's API server and etcd.
    expect(addresses.length).toBeGreaterThanOrEqual(6);
    expect(addresses.filter((address) => !address.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('keeps secret values out of state, logs and output', async () => {
    const exported = JSON.parse(
      await succeed('pulumi', 'config', 'get', '--json', 'secretValues', '--non-interactive'),
    ) as { value: string };
    const values = Object.values(JSON.parse(exported.value) as Record<string, string>);
    expect(values).toHaveLength(4);
    const files = filesBelow(state);
    expect(files.length).toBeGreaterThan(20);
    for (const value of values) {
      expect(value.length).toBeGreaterThanOrEqual(16);
      const holders = files.filter((file) => readFileSync(file).includes(value));
      // File names only, never the value, which a failure would print.
      expect({ secret: createHash('sha256').update(value).digest('hex').slice(0, 8), holders }).toEqual({
        secret: createHash('sha256').update(value).digest('hex').slice(0, 8),
        holders: [],
      });
      expect(firstRun.includes(value)).toBe(false);
    }
  });
});

describe('the doctor', () => doctorSuite(cloud));

describe('what is changed outside the program', () => outsideChangesSuite(cloud));

describe('a local cloud that is stopped', () => {
  it('leaves no process and no port', async () => {
    const before = await listeningSockets(await processesOf(state));
    expect(before.length).toBeGreaterThan(0);
    await succeed('down');
    expect(await processesOf(state)).toEqual([]);
    const open = new Set((await allListeningSockets()).map(({ address }) => address));
    expect(before.filter((address) => open.has(address))).toEqual([]);
  });

  it('restarts with its state, and up restores the grant and nothing else', async () => {
    const output = await succeed('up');

    expect(output).toMatch(/1 to create, 0 to update, 0 to delete/);
    expect(output).toMatch(allVerified);
  });
});

describe('what is done with a cluster', () => clusterOperationsSuite(cloud));

describe('an application that is removed from the configuration', () => {
  it('leaves its identity and its secret in Azure without access, and changes nothing of the others', async () => {
    const { config } = parse(readFileSync(path.join(projectRoot, 'Pulumi.local.yaml'), 'utf8')) as {
      config: Record<string, { name: string }[]>;
    };
    const others = config['aks-workload-identity:applications']?.filter(({ name }) => name !== 'billing');

    const output = await succeed(
      ...['pulumi', 'up', '--yes', '--skip-preview', '--non-interactive'],
      ...['--config', `aks-workload-identity:applications=${JSON.stringify(others)}`],
    );

    expect(output).toContain('No application names billing-db: their values in secretValues are not used');
    expect(output).toContain('[retain]');
    expect(output).toMatch(/- \d+ deleted/);
    expect(output).not.toMatch(/~ \d+ updated|\+ \d+ created|replaced/);
    const { code, report } = await verify();
    expect(code).toBe(0);
    const ofWorkloads = report.checks.filter((check) => !isOfAzure(check));
    expect(new Set(ofWorkloads.map(({ application }) => application))).toEqual(
      new Set(['orders', 'reports']),
    );
    expect(report.checks.map(({ check }) => check).join()).toContain('billing-db');
  });
});

describe('bad input', () => {
  it('is refused with a hint for an unknown stack', async () => {
    const result = await command('verify', '--stack', 'staging');
    expect(result.code).not.toBe(0);
    expect(result.stderr).toContain('staging');
    expect(result.stderr).not.toMatch(/\n\s+at .*\(/);
  });

  it('is refused for an unknown cluster, naming the known ones', async () => {
    const result = await command('cloud', 'kubeconfig', 'aks-9');
    expect(result.code).not.toBe(0);
    expect(result.stderr).toContain('aks-9');
    expect(result.stderr).toContain('aks-1');
  });
});

describe('the end', () => {
  it('destroys every resource', async () => {
    const output = await succeed('pulumi', 'destroy', '--yes', '--non-interactive', '--skip-preview');
    expect(output).toMatch(/\d+ deleted/);
    expect(await succeed('pulumi', 'stack', '--show-urns', '--non-interactive')).toMatch(
      /No resources|\(0\)/i,
    );
  });

  it('leaves neither process nor file after clean', async () => {
    expect(await processesOf(state)).not.toEqual([]);
    await succeed('clean', '--yes');
    expect(await processesOf(state)).toEqual([]);
    expect(readdirSync(state)).toEqual([]);
  });
});
