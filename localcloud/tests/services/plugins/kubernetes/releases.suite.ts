import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Secret, isUnknown, reveal } from '../../../../plugins/protocol';
import type { Properties, Value } from '../../../../plugins/protocol';
import { writeChart } from './support/chart';
import type { Plugin } from './support/plugin';
import { failureFrom, urn } from './support/plugin';
import type { PluginCluster } from './support/pluginCluster';
import { variable } from '../../../../project';

const namespace = 'releases';
const releaseType = 'kubernetes:helm.sh/v3:Release';
const mapType = 'kubernetes:core/v1:ConfigMap';
const unschedulable = { node: 'nowhere' };
const nothing = { id: '', state: {} as Properties, inputs: {} as Properties, reasons: [] as string[] };

function at(value: Value | undefined, ...keys: string[]): unknown {
  let current: unknown = reveal(value ?? null);
  for (const key of keys) current = (current as Record<string, unknown> | undefined)?.[key];
  return current;
}

/** The helm processes that are descendants of the process. */
async function helmProcesses(ancestor: number): Promise<number[]> {
  const parents = new Map<number, number>();
  const helms: number[] = [];
  for (const entry of await readdir('/proc')) {
    const pid = Number(entry);
    const stat = Number.isInteger(pid) ? await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '') : '';
    const match = /^\d+ \((.*)\) \S+ (\d+)/.exec(stat);
    if (match === null) continue;
    parents.set(pid, Number(match[2]));
    if (match[1] === 'helm') helms.push(pid);
  }
  const descends = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === ancestor || descends(parent));
  };
  return helms.filter(descends);
}

/** Releases of charts, by helm. */
export function releasesSuite(cluster: PluginCluster): void {
  let folder: string;
  let plugin: Plugin;
  /** Folder for temporary files of this suite's plugins. */
  const temporary = () => path.join(folder, 'temporary');
  const startPlugin = () =>
    cluster.plugin(namespace, { [variable('HELM')]: cluster.helm, TMPDIR: temporary() });
  beforeAll(async () => {
    folder = cluster.folder(namespace);
    await cluster.namespace(namespace);
    await mkdir(temporary());
    await writeChart(path.join(folder, 'greeter'));
    plugin = await startPlugin();
  });
  afterAll(() => plugin.stop());

  /** Waits until the release's first object exists, i.e. until helm waits for the others. */
  async function installed(name: string): Promise<void> {
    while ((await plugin.read(urn(mapType, name), `${namespace}/${name}`)) === undefined);
  }

  async function helm(...args: string[]): Promise<string> {
    const file = path.join(folder, 'kubeconfig');
    await writeFile(file, cluster.kubeconfig, { mode: 0o600 });
    const flags = ['--kubeconfig', file, '--namespace', namespace];
    const { stdout } = await promisify(execFile)(cluster.helm, [...args, ...flags]);
    return stdout;
  }

  describe('a release of a local chart', () => {
    it('is previewed, installed, unchanged the second time, upgraded, refreshed and uninstalled', async () => {
      const resource = urn(releaseType, 'hello');
      const inputs = (greeting: string): Properties => ({
        chart: './greeter',
        namespace: 'greetings',
        createNamespace: true,
        values: { greeting, password: new Secret('hunter22') },
      });

      const preview = await plugin.create(resource, inputs('hi'), { preview: true });
      expect(isUnknown(preview.state['status'])).toBe(true);

      const created = await plugin.create(resource, inputs('hi'));
      const name = at(created.inputs['name']) as string;
      expect(name).toMatch(/^hello-[0-9a-f]{8}$/);
      expect(created.id).toBe(`greetings/${name}`);
      expect(created.state['status']).toEqual({
        appVersion: '7',
        chart: 'greeter',
        name,
        namespace: 'greetings',
        revision: 1,
        status: 'deployed',
        version: '1.2.3',
      });
      expect(created.state['resourceNames']).toEqual({
        'ConfigMap/v1': [name],
        'Deployment.apps/apps/v1': [name],
        'Secret/v1': [name],
      });
      expect(created.state['values']).toEqual({ greeting: 'hi', password: new Secret('hunter22') });
      expect(created.state['__inputs']).toBeInstanceOf(Secret);

      const same = await plugin.check(resource, inputs('hi'), created.inputs);
      expect((await plugin.diff(resource, created, same)).getChanges()).toBe(1);
      const refreshed = await plugin.read(resource, created.id, created.state, created.inputs);
      expect(refreshed?.inputs).toEqual(created.inputs);

      const updated = await plugin.update(resource, created, inputs('moin'));
      expect(at(updated.state['status'], 'revision')).toBe(2);
      const map = await plugin.read(urn(mapType, name), created.id);
      expect(at(map?.state['data'], 'greeting')).toBe('moin');

      await plugin.delete(resource, updated);
      expect(await plugin.read(resource, created.id, updated.state, updated.inputs)).toBeUndefined();
      await plugin.delete(resource, updated);
    });

    it('is upgraded when the chart changes but not its version, and not when it is only packaged again', async () => {
      const resource = urn(releaseType, 'changing');
      const chart = path.join(folder, 'changing');
      await writeChart(chart);
      const pack = (): Promise<unknown> => helm('package', chart, '--destination', folder);
      await pack();
      const inputs = { chart: './greeter-1.2.3.tgz', name: 'changing' };
      const first = await plugin.check(resource, inputs);

      await new Promise((resolve) => setTimeout(resolve, 1100));
      await pack();
      const repackaged = await plugin.check(resource, inputs, first);
      await writeChart(chart, { 'templates/extra.yaml': '# more\n' });
      await pack();
      const changed = await plugin.check(resource, inputs, first);

      expect(repackaged).toEqual(first);
      const diff = await plugin.diff(
        resource,
        { id: 'releases/changing', inputs: first, state: {} },
        changed,
      );
      expect(diff.getDiffsList()).toEqual(['checksum']);
      expect(diff.getReplacesList()).toEqual([]);
    });

    it('with an absolute path inside the project is recorded with a relative one', async () => {
      const inputs = await plugin.check(urn(releaseType, 'portable'), {
        chart: path.join(folder, 'greeter'),
      });

      expect(inputs['chart']).toBe('./greeter');
      expect(JSON.stringify(inputs)).not.toContain(folder);
    });

    it.each([
      ['a missing chart', { chart: './nowhere' }, 'chart', "there is no chart at './nowhere'"],
      ['an unknown input', { chart: './greeter', vlaues: {} }, 'vlaues', "a release has no input 'vlaues'"],
      ['an unsupported input', { chart: './greeter', recreatePods: true }, 'recreatePods', 'omit it'],
    ])('%s is a check failure', async (_title, inputs: Properties, property, reason) => {
      const { failures } = await plugin.tryCheck(urn(releaseType, 'wrong'), inputs);

      expect(failures[property]).toContain(reason);
    });
  });

  describe('a release that fails', () => {
    it('before anything was installed leaves nothing, and has no secret in its message', async () => {
      const failure = await failureFrom(
        plugin.create(urn(releaseType, 'broken'), {
          chart: './greeter',
          name: 'broken',
          values: { greeting: 'broken', password: new Secret('hunter22') },
        }),
      );

      expect(failure.partial).toBeUndefined();
      expect(failure.message).toContain('cannot greet with [secret]');
      expect(failure.message).not.toContain('hunter22');
    });

    it('to get ready is recorded with the reasons of its pods, and repaired by the next update', async () => {
      const resource = urn(releaseType, 'stuck');
      const inputs = (values: Properties): Properties => ({
        chart: './greeter',
        name: 'stuck',
        timeout: 3,
        values,
      });

      const failure = await failureFrom(plugin.create(resource, inputs(unschedulable)));

      const recorded = failure.partial ?? nothing;
      expect(recorded.id).toBe('releases/stuck');
      expect(at(recorded.state['status'], 'status')).toBe('failed');
      expect(recorded.reasons.join()).toMatch(/Deployment stuck: pod stuck-\S+: Unschedulable/);
      // The next update retries even without a change of inputs.
      const same = await plugin.check(resource, inputs(unschedulable), recorded.inputs);
      expect((await plugin.diff(resource, recorded, same)).getDiffsList()).toEqual(['status']);
      const repaired = await plugin.update(resource, recorded, { ...inputs({}), timeout: 60 });
      expect(at(repaired.state['status'], 'status')).toBe('deployed');
    });
  });

  describe('a release that is interrupted', () => {
    const inputs = (name: string, values: Properties): Properties => ({ chart: './greeter', name, values });

    it('by cancellation ends helm, is recorded, and completed by the next update', async () => {
      const resource = urn(releaseType, 'cancelled');
      const cancelled = await startPlugin();
      const creation = failureFrom(cancelled.create(resource, inputs('cancelled', unschedulable)));
      await installed('cancelled');
      await cancelled.cancel();

      const failure = await creation;
      expect(await helmProcesses(cancelled.pid)).toEqual([]);
      await cancelled.stop();

      const recorded = failure.partial ?? nothing;
      expect(recorded.id).toBe('releases/cancelled');
      expect(at(recorded.state['status'], 'status')).toBe('failed');
      const completed = await plugin.update(resource, recorded, inputs('cancelled', {}));
      expect(at(completed.state['status'], 'status')).toBe('deployed');
    });

    it('by killing the plugin also ends helm, and is continued by the same resource', async () => {
      const resource = urn(releaseType, 'killed');
      const killed = await startPlugin();
      const creation = failureFrom(killed.create(resource, inputs('killed', unschedulable)));
      await installed('killed');
      const [pid] = await helmProcesses(killed.pid);
      await killed.stop('SIGKILL');
      await creation;
      while ((await readdir('/proc')).includes(String(pid)));
      // No file with the cluster's credentials is left.
      while ((await readdir(temporary())).length > 0);

      const again = await plugin.create(resource, inputs('killed', {}));

      expect(again.id).toBe('releases/killed');
      expect(at(again.state['status'], 'status')).toBe('deployed');
    });

    it.each([
      ['installation', 'pending-install', []],
      ['upgrade', 'pending-upgrade', [{}]],
    ])('in an %s by killing helm leaves %s, which the next update repairs', async (title, status, before) => {
      const resource = urn(releaseType, title);
      const victim = await startPlugin();
      for (const values of before) await plugin.create(resource, inputs(title, values));
      const old = { id: `releases/${title}`, inputs: {}, state: {} };
      const changed = inputs(title, { ...unschedulable, greeting: 'late' });
      const operation = failureFrom(
        before.length === 0 ? victim.create(resource, changed) : victim.update(resource, old, changed),
      );
      for (;;) {
        const map = await plugin.read(urn(mapType, title), `releases/${title}`);
        if (at(map?.state['data'], 'greeting') === 'late') break;
      }
      for (const pid of await helmProcesses(victim.pid)) process.kill(pid, 'SIGKILL');

      const recorded = (await operation).partial ?? nothing;
      await victim.stop();
      expect(at(recorded.state['status'], 'status')).toBe(status);

      const repaired = await plugin.update(resource, recorded, inputs(title, { greeting: 'again' }));
      expect(at(repaired.state['status'], 'status')).toBe('deployed');
      const map = await plugin.read(urn(mapType, title), `releases/${title}`);
      expect(at(map?.state['data'], 'greeting')).toBe('again');
    });
  });

  describe('a release of somebody else', () => {
    beforeAll(async () => {
      await helm('install', 'foreign', path.join(folder, 'greeter'), '--set', 'greeting=theirs');
    });

    it('is not taken over', async () => {
      const failure = await failureFrom(
        plugin.create(urn(releaseType, 'foreign'), { chart: './greeter', name: 'foreign' }),
      );

      expect(failure.message).toContain("import: 'releases/foreign'");
    });

    it('is imported with its values and then without a difference', async () => {
      const resource = urn(releaseType, 'foreign');
      const imported = await plugin.read(resource, 'releases/foreign');

      expect(imported?.inputs).toMatchObject({
        chart: 'greeter',
        version: '1.2.3',
        values: { greeting: 'theirs' },
      });
      const news = await plugin.check(resource, {
        chart: './greeter',
        name: 'foreign',
        values: { greeting: 'theirs' },
      });
      const diff = await plugin.diff(resource, imported ?? nothing, news);
      expect(diff.getDiffsList()).toEqual([]);
    });

    it('shows an upgrade by others as drift', async () => {
      const resource = urn(releaseType, 'foreign');
      const before = await plugin.read(resource, 'releases/foreign');
      await helm('upgrade', 'foreign', path.join(folder, 'greeter'), '--set', 'greeting=other');

      const after = await plugin.read(resource, 'releases/foreign', before?.state, before?.inputs);

      expect(at(after?.inputs['values'], 'greeting')).toBe('other');
    });
  });
}
