import { appendFile, mkdir, readFile, readdir, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Workshop } from './workshop';

let workshop: Workshop;
afterEach(() => workshop.close());

describe('the cache of compiled tools', () => {
  it('builds once and afterwards starts no process', async () => {
    workshop = await Workshop.open();
    const first = await workshop.toolchain().require('etcd');
    await workshop.installGo({ onBuild: 'exit 1' });

    const second = await workshop.toolchain().require('etcd');

    expect(second).toBe(first);
    expect((await stat(first)).mode & 0o111).toBe(0o111);
    expect(await workshop.goCalls()).toHaveLength(1);
  });

  it('needs no Go when everything is there', async () => {
    workshop = await Workshop.open();
    await workshop.toolchain().buildAll();
    await workshop.install('go', 'echo called >&2; exit 1');

    await expect(workshop.toolchain().buildAll()).resolves.toBeUndefined();
  });

  it('builds a group at once and everything in the order in which it is needed', async () => {
    workshop = await Workshop.open();
    await workshop.toolchain().buildAll();

    const packages = (await workshop.goCalls()).map((call) => call.split(/ -o \S+ /)[1]);
    expect(packages).toEqual([
      'github.com/pulumi/pulumi/pkg/v3/cmd/pulumi go.etcd.io/etcd/server/v3 k8s.io/kubernetes/cmd/kube-apiserver',
      'k8s.io/kubernetes/cmd/kube-controller-manager k8s.io/kubernetes/cmd/kube-scheduler sigs.k8s.io/kwok/cmd/kwok',
      '.',
      'helm.sh/helm/v3/cmd/helm',
      '.',
      'sigs.k8s.io/secrets-store-csi-driver/cmd/secrets-store-csi-driver .',
      '. sigs.k8s.io/controller-tools/cmd/controller-gen',
    ]);
  });

  it('links the pinned versions into the binaries', async () => {
    workshop = await Workshop.open();
    await workshop.toolchain().require('helm');

    const [call] = await workshop.goCalls();
    expect(call).toContain('-X helm.sh/helm/v3/internal/version.version=v3.22.0');
    expect(call).toContain('-X helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor=36');
  });

  it.each([
    ['go.mod', '// a pin'],
    ['go.sum', 'example.org/x v1.0.0 h1:x\n'],
    ['main.go', '// our own main'],
    ['mlog/mlog.go', '// a nested package'],
  ])('builds again only the module whose %s changed', async (file, addition) => {
    workshop = await Workshop.open();
    const before = await workshop.toolchain().require('workload-identity-webhook');
    const core = await workshop.toolchain().require('etcd');
    await appendFile(workshop.module('workload-identity-webhook', file), addition);

    const after = await workshop.toolchain().require('workload-identity-webhook');

    expect(after).not.toBe(before);
    expect(await workshop.toolchain().require('etcd')).toBe(core);
    expect(await workshop.goCalls()).toHaveLength(3);
  });

  it('does not build again for what is not a pin: a newer Go, a note, another time', async () => {
    workshop = await Workshop.open();
    const before = await workshop.toolchain().require('cert-manager');
    await workshop.installGo({ version: 'go2.0.0' });
    await writeFile(workshop.module('cert-manager', 'NOTES.md'), 'a note');
    await utimes(workshop.module('cert-manager', 'go.mod'), 1, 1);

    expect(await workshop.toolchain().require('cert-manager')).toBe(before);
    expect(await workshop.goCalls()).toHaveLength(1);
  });

  it('builds a truncated binary again', async () => {
    workshop = await Workshop.open();
    const file = await workshop.toolchain().require('kwok');
    await truncate(file, 3);

    await workshop.toolchain().require('kwok');

    expect((await stat(file)).size).toBeGreaterThan(3);
    expect(await workshop.goCalls()).toHaveLength(2);
  });

  it('keeps nothing of a failed build and clears what a killed one left', async () => {
    workshop = await Workshop.open({ onBuild: 'echo half > "$5/helm"; exit 1' });
    await expect(workshop.toolchain().require('helm')).rejects.toThrow('Building helm failed');
    const folder = await onlyFolder(path.join(workshop.cache, 'toolchain'));
    await mkdir(path.join(folder, '.building-1'));
    await workshop.installGo({});

    const helm = await workshop.toolchain().require('helm');

    expect(path.dirname(helm)).toBe(folder);
    expect((await readdir(folder)).sort()).toEqual(['.helm.json', 'helm']);
  });

  it('tries again after a failed build in the same process', async () => {
    workshop = await Workshop.open({ onBuild: 'exit 1' });
    const toolchain = workshop.toolchain();
    await expect(toolchain.require('helm')).rejects.toThrow('Building helm failed');
    await workshop.installGo({});

    await expect(toolchain.require('helm')).resolves.toMatch(/helm$/);
  });

  it('removes what nobody used for a month, and nothing else', async () => {
    workshop = await Workshop.open();
    const cache = path.join(workshop.cache, 'toolchain');
    const monthsAgo = Date.now() / 1000 - 90 * 24 * 3600;
    for (const name of ['core-0123456789abcdef', 'cert-manager-0123456789abcdef', 'somebody-elses']) {
      await mkdir(path.join(cache, name), { recursive: true });
    }
    await utimes(path.join(cache, 'core-0123456789abcdef'), monthsAgo, monthsAgo);
    await utimes(path.join(cache, 'somebody-elses'), monthsAgo, monthsAgo);

    await workshop.toolchain().require('helm');

    const left = await readdir(cache);
    expect(left).not.toContain('core-0123456789abcdef');
    expect(left).toEqual(expect.arrayContaining(['cert-manager-0123456789abcdef', 'somebody-elses']));
  });
});

describe('progress', () => {
  it('goes forward only and ends with ready, for each tool of a group', async () => {
    workshop = await Workshop.open({
      onBuild: `printf 'go: downloading k8s.io/api v0.36.3\\nk8s.io/api/core/v1\\nsigs.k8s.io/kwok/cmd/kwok\\n' >&2`,
    });
    await workshop.toolchain().require('kwok');

    const phases = workshop.events.filter(({ tool }) => tool === 'kwok').map(({ phase }) => phase);
    expect([...new Set(phases)]).toEqual(['queued', 'downloading', 'compiling', 'linking', 'ready']);
    expect(phases.at(-1)).toBe('ready');
    expect(workshop.events.every(({ seconds }) => seconds >= 0)).toBe(true);
  });

  it('says ready at once for a warm tool', async () => {
    workshop = await Workshop.open();
    await workshop.toolchain().require('kwok');
    workshop.events.length = 0;

    await workshop.toolchain().require('kwok');

    expect(workshop.events.map(({ tool, phase }) => `${tool} ${phase}`)).toEqual(['kwok ready']);
  });
});

async function onlyFolder(parent: string): Promise<string> {
  const folders = (await readdir(parent, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  expect(folders).toHaveLength(1);
  return path.join(parent, folders[0]?.name ?? '');
}

it('the receipt beside a binary holds its size', async () => {
  workshop = await Workshop.open();
  const helm = await workshop.toolchain().require('helm');
  const receipt: unknown = JSON.parse(await readFile(path.join(path.dirname(helm), '.helm.json'), 'utf8'));
  expect(receipt).toEqual({ bytes: (await stat(helm)).size });
});
