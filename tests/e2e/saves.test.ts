/**
 * A local cloud that is saved and restored: what was changed since in the clusters, in Azure and in the stack is as it
 * was, and the next commands work. A second local cloud, restored from the same save into a folder of its own, runs beside
 * the first. It does not prove how long a restore takes; `make bench` measures it.
 *
 * The tests are steps of one story and run in order.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stringify } from 'yaml';
import { all } from '../support/azureClients';
import { projectRoot } from '../support/command';
import { localCloud, type LocalCloud } from '../support/localCloud';
import { withoutCharts } from './neighbours';

jest.setTimeout(10 * 60_000);

const cloud = localCloud('saves');
const beside = localCloud('saves-beside');
const stack = 'saves';
const group = 'rg-saves';
const saved = path.join(cloud.state, 'saves', 'base');

const application = (name: string) => ({
  name,
  image: 'ghcr.io/aks-workload-identity/reader:0.1.0',
  replicas: 1,
  identity: 'application',
  secrets: [`${name}-db`],
});

function withApplications(...names: string[]): string {
  const settings = {
    location: 'westeurope',
    resourceGroup: group,
    retainOnDelete: false,
    vault: { name: 'kv-wi-saves', access: 'rbac', publicAccess: true, purgeProtection: false },
    clusters: [{ name: 'aks-saves' }],
    applications: names.map(application),
  };
  const own = Object.entries(settings).map(([key, value]): [string, unknown] => [
    `aks-workload-identity:${key}`,
    value,
  ]);
  return stringify({ config: { ...Object.fromEntries(own), ...withoutCharts() } });
}

const deployed = withApplications('orders');

async function namespaces(running: LocalCloud): Promise<string[]> {
  const { core } = await running.kubernetes('aks-saves');
  const { items } = await core.listNamespace();
  return items.map(({ metadata }) => metadata?.name ?? '').sort();
}

/** Names of the role assignments in the group, those on single secrets among them. */
async function assignments(running: LocalCloud): Promise<string[]> {
  const { roleAssignments } = (await running.azure()).authorization();
  const found = await all(roleAssignments.listForSubscription());
  return found
    .filter(({ scope }) => scope?.includes(`/resourceGroups/${group}/`))
    .map(({ id }) => id ?? '')
    .sort();
}

async function state(running: LocalCloud) {
  return {
    urns: (await running.urns(stack)).sort(),
    namespaces: await namespaces(running),
    assignments: await assignments(running),
  };
}

async function notReady(running: LocalCloud): Promise<string[]> {
  const { core } = await running.kubernetes('aks-saves');
  const { items } = await core.listPodForAllNamespaces();
  return items
    .filter(
      ({ status }) => !status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
    )
    .map(({ metadata }) => metadata?.name ?? '');
}

/** A restore that is killed at a time. */
async function killedRestore(when: () => boolean): Promise<void> {
  const command = [path.join(projectRoot, 'cli', 'bin.mjs'), 'cloud', 'restore', 'base', '--yes'];
  const env = { ...process.env, AKS_WI_STATE: cloud.state };
  const restore = spawn(process.execPath, command, { cwd: projectRoot, env, stdio: 'ignore' });
  const ended = once(restore, 'exit');
  while (!when()) await delay(5);
  restore.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
}

let before: Awaited<ReturnType<typeof state>>;

beforeAll(async () => {
  await cloud.up({ stack, yaml: deployed });
  before = await state(cloud);
});
afterAll(async () => {
  await beside.clean();
  await cloud.clean();
});

it('a save leaves the local cloud running, with its state', async () => {
  expect(await cloud.succeed('cloud', 'save', 'base')).toContain(`Saved the stack ${stack} (`);

  expect(await state(cloud)).toEqual(before);
  expect(await notReady(cloud)).toEqual([]);
  expect(JSON.parse(await cloud.succeed('cloud', 'saved', '--json'))).toMatchObject([
    { name: 'base', stacks: [stack] },
  ]);
});

it('a save names no state folder, so that it can be restored into any', () => {
  const files = readdirSync(saved, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(50);

  const naming = files
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(path.basename(cloud.state)));
  expect(naming.map((file) => path.relative(saved, file))).toEqual([
    // Where the author's stack file is.
    `local/stack-files/${stack}`,
  ]);
});

it('a save is replaced only with --yes', async () => {
  expect(await cloud.fail('cloud', 'save', 'base')).toContain('this would replace the existing save base');
});

it('a save to an unwritable place is refused, without stopping the local cloud', async () => {
  const runs = path.join(cloud.state, 'local', 'run.json');
  const before = readFileSync(runs, 'utf8');
  const file = path.join(cloud.state, 'file');
  writeFileSync(file, '');

  expect(await cloud.fail('cloud', 'save', `${file}/below`)).toContain(`Cannot save in ${file}: `);

  expect(readFileSync(runs, 'utf8')).toBe(before);
});

it('a restore brings back the clusters, Azure and the stack, also after one that was killed', async () => {
  await cloud.up({ stack, yaml: withApplications('orders', 'billing') });
  const { core } = await cloud.kubernetes('aks-saves');
  await core.createNamespace({ body: { metadata: { name: 'tried' } } });
  const { roleAssignments } = (await cloud.azure()).authorization();
  const [grant] = before.assignments;
  await roleAssignments.deleteById(grant ?? '');
  const changed = await state(cloud);
  expect(changed.namespaces).toEqual([...before.namespaces, 'billing', 'tried'].sort());
  expect(changed.urns.length).toBeGreaterThan(before.urns.length);
  expect(changed.assignments).not.toContain(grant);
  expect((await cloud.verify(stack)).code).not.toBe(0);

  expect(await cloud.fail('cloud', 'restore', 'base')).toContain('Nothing was restored');
  expect(await state(cloud)).toEqual(changed);

  // One that is killed while it copies, and one while the local cloud stops.
  await killedRestore(() => existsSync(path.join(cloud.state, 'restoring')));
  await cloud.start();
  expect(await state(cloud)).toEqual(changed);
  await killedRestore(() => !existsSync(path.join(cloud.state, 'local', 'run.json')));

  expect(await cloud.succeed('cloud', 'restore', 'base', '--yes')).toContain('Ready in ');
  expect(await notReady(cloud)).toEqual([]);
  expect(await state(cloud)).toEqual(before);
});

it('the next update changes nothing, and verifies', async () => {
  const { steps } = await cloud.up({ stack, yaml: deployed });
  expect(steps.summary).toEqual([]);
});

it('a damaged save is refused, and nothing is lost', async () => {
  const file = path.join(saved, 'local', 'azure', 'secrets.key');
  const content = readFileSync(file);
  rmSync(file);
  expect(await cloud.fail('cloud', 'restore', 'base', '--yes')).toMatch(
    /The save base cannot be restored: it has \d+ files/,
  );
  writeFileSync(file, content);

  expect(await state(cloud)).toEqual(before);
  expect(existsSync(path.join(cloud.state, 'restoring'))).toBe(false);
});

it('a second local cloud is restored from the same save, beside the first', async () => {
  // It has no state to lose.
  await beside.succeed('cloud', 'restore', saved);
  expect(await state(beside)).toEqual(before);

  // Neither uses the other's cluster, whose keys are the same.
  const { core } = await cloud.kubernetes('aks-saves');
  await core.deleteNamespacedServiceAccount({ namespace: 'orders', name: 'orders' });
  const verified = await Promise.all([cloud, beside].map((running) => running.verify(stack)));
  expect(verified.map(({ code }) => code)).toEqual([1, 0]);
});

it('an update of the second changes nothing', async () => {
  const { steps } = await beside.up({ stack });
  expect(steps.summary).toEqual([]);
});

it('`clean` deletes the state and keeps the saves, which `cloud forget` deletes', async () => {
  expect(await cloud.succeed('clean', '--yes')).toContain('These saves stay: base;');
  expect(await cloud.succeed('cloud', 'forget', 'base', '--yes')).toContain('The save base is deleted.');
  expect(await cloud.fail('cloud', 'restore', 'base')).toContain('There is no save base.');
});
