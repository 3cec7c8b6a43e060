import {
  appendFile,
  chmod,
  cp,
  mkdir,
  readFile,
  readdir,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pruneUnused } from '../../../toolchain/binaryCache';
import { Workshop, failureOf } from './workshop';
import { commandLine, variable } from '../../../project';

let workshop: Workshop;
afterEach(() => workshop.close());

const packagesOf = (call: string) => call.split(/ -o \S+ /)[1];

describe('the cache of compiled tools', () => {
  it('is filled by one build per module, and needs no Go afterwards', async () => {
    workshop = await Workshop.open();
    await workshop.build();

    const [first, ...others] = (await workshop.builds()).map(packagesOf);
    expect(first).toBe(
      'github.com/pulumi/pulumi/pkg/v3/cmd/pulumi ' +
        'github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml go.etcd.io/etcd/server/v3 ' +
        'k8s.io/kubernetes/cmd/kube-apiserver k8s.io/kubernetes/cmd/kube-controller-manager ' +
        'k8s.io/kubernetes/cmd/kube-scheduler sigs.k8s.io/kwok/cmd/kwok helm.sh/helm/v3/cmd/helm',
    );
    // Sorted: the next module begins while one is linked.
    expect(others.sort()).toEqual(
      [
        '.',
        '.',
        '.',
        'sigs.k8s.io/secrets-store-csi-driver/cmd/secrets-store-csi-driver .',
        'sigs.k8s.io/controller-tools/cmd/controller-gen',
        '.',
        '. ./operator',
        '.',
      ].sort(),
    );
    await workshop.install('go', 'echo called >&2; exit 1');
    await expect(workshop.build()).resolves.toBeUndefined();
    const etcd = await workshop.toolchain().require('etcd');
    expect((await stat(etcd)).mode & 0o111).toBe(0o111);
  });

  it('links the pinned versions into the binaries', async () => {
    workshop = await Workshop.open();
    await workshop.build();

    const [call] = await workshop.builds();
    expect(call).toContain('-X helm.sh/helm/v3/internal/version.version=v3.22.0');
    expect(call).toContain('-X helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor=36');
  });

  it.each([
    ['go.mod', '// a pin'],
    ['go.sum', 'example.org/x v1.0.0 h1:x\n'],
    ['main.go', '// our own main'],
    ['mlog/mlog.go', '// a nested package'],
  ])('builds again only the module whose %s changed, and says why', async (file, addition) => {
    workshop = await Workshop.open();
    await workshop.fill();
    const before = await workshop.built('workload-identity-webhook');
    const core = await workshop.built('etcd');
    const builds = await workshop.builds();
    await appendFile(workshop.module('workload-identity-webhook', file), addition);

    const [missing] = (await workshop.toolchain().status()).tools.filter(
      ({ source }) => source === 'missing',
    );
    expect(missing).toMatchObject({
      tool: 'workload-identity-webhook',
      why: ['modules/workload-identity-webhook or its build settings have changed since it was built'],
    });
    expect(await workshop.built('workload-identity-webhook')).not.toBe(before);
    expect(await workshop.built('etcd')).toBe(core);
    expect(await workshop.builds()).toHaveLength(builds.length + 1);
  });

  it('does not build again without a change of a pin: a newer Go, a note, another time', async () => {
    workshop = await Workshop.open();
    await workshop.fill();
    const before = await workshop.built('cert-manager');
    const calls = await workshop.goCalls();
    await workshop.installGo({ version: 'go2.0.0' });
    await writeFile(workshop.module('cert-manager', 'NOTES.md'), 'a note');
    await utimes(workshop.module('cert-manager', 'go.mod'), 1, 1);

    expect(await workshop.built('cert-manager')).toBe(before);
    expect(await workshop.goCalls()).toEqual(calls);
  });

  it('rebuilds only a truncated binary, and says why', async () => {
    workshop = await Workshop.open();
    await workshop.fill();
    const file = await workshop.built('kwok');
    await truncate(file, 3);

    const [missing] = (await workshop.toolchain().status()).tools.filter(
      ({ source }) => source === 'missing',
    );
    expect(missing).toMatchObject({ tool: 'kwok', why: ['its file in the cache is damaged'] });
    await workshop.build();

    expect((await stat(file)).size).toBeGreaterThan(3);
    expect(packagesOf((await workshop.builds()).at(-1) ?? '')).toBe('sigs.k8s.io/kwok/cmd/kwok');
  });

  it.each([
    ['azure-service-operator', 'crds'],
    [
      'azure-service-operator',
      'crds/apiextensions.k8s.io_v1_customresourcedefinition_things.storage.azure.com.yaml',
    ],
    ['pulumi', 'pulumi-language-nodejs'],
  ] as const)('rebuilds %s when its %s is missing', async (tool, part) => {
    workshop = await Workshop.open();
    await workshop.fill();
    const file = path.join(path.dirname(await workshop.built(tool)), part);
    await rm(file, { recursive: true });

    expect(
      (await workshop.toolchain().status()).tools.find((candidate) => candidate.tool === tool),
    ).toMatchObject({
      source: 'missing',
      why: ['its file in the cache is damaged'],
    });
    await workshop.build();

    expect(existsSync(file)).toBe(true);
  });

  it('keeps nothing of a failed build and removes the files of a killed one', async () => {
    workshop = await Workshop.open({ onBuild: 'exit 1' });
    await expect(workshop.build()).rejects.toThrow(/^Building pulumi, .*, etcd, .*, helm failed/);
    const cache = path.join(workshop.cache, 'toolchain');
    const folder = path.dirname(await pathAfter(() => workshop.installGo({})));
    const kept = await readdir(folder);
    expect(kept.filter((name) => name.startsWith('.building'))).toEqual([]);
    await rm(path.join(folder, 'helm'));
    // The id may be that of another process by now.
    await mkdir(path.join(folder, '.building-1'));

    await workshop.build();

    expect(await readdir(folder)).toEqual(expect.arrayContaining(kept));
    expect((await readdir(folder)).filter((name) => name.startsWith('.building'))).toEqual([]);
    expect(await readdir(cache)).not.toContain('building.txt');
  });

  it('says what to run if a required tool is not built', async () => {
    workshop = await Workshop.open();
    const error = await failureOf(workshop.toolchain().require('helm'));

    expect(error.message).toBe(
      `helm must be built first: it was never built here. Run ${commandLine('up')}, or ${commandLine('toolchain build')}, which only builds.`,
    );
    expect(await workshop.goCalls()).toEqual([]);
  });

  it('has the size of each binary next to it', async () => {
    workshop = await Workshop.open();
    await workshop.fill();
    const helm = await workshop.built('helm');
    const receipt: unknown = JSON.parse(await readFile(path.join(path.dirname(helm), '.helm.json'), 'utf8'));
    expect(receipt).toEqual({ bytes: (await stat(helm)).size, beside: [] });
  });

  it('removes what was unused for a month, except what is in use or not its own', async () => {
    workshop = await Workshop.open();
    const cache = path.join(workshop.cache, 'toolchain');
    const old = ['core-0123456789abcdef', 'charts-0123456789abcdef', 'somebody-elses'];
    for (const name of [...old, 'cert-manager-0123456789abcdef']) {
      await mkdir(path.join(cache, name), { recursive: true });
    }
    const monthsAgo = Date.now() / 1000 - 90 * 24 * 3600;
    for (const name of old) await utimes(path.join(cache, name), monthsAgo, monthsAgo);

    await pruneUnused(cache, new Set(['charts-0123456789abcdef']));

    expect((await readdir(cache)).sort()).toEqual([
      'cert-manager-0123456789abcdef',
      'charts-0123456789abcdef',
      'somebody-elses',
    ]);
  });

  async function pathAfter(install: () => Promise<void>): Promise<string> {
    await install();
    return workshop.built('helm');
  }
});

describe('a cache that was filled elsewhere', () => {
  it('works in any folder, at any age, and read-only', async () => {
    workshop = await Workshop.open();
    await workshop.build();
    const unpacked = path.join(workshop.root, 'unpacked');
    await cp(workshop.cache, unpacked, { recursive: true });
    await rm(workshop.cache, { recursive: true });
    await workshop.install('go', 'echo called >&2; exit 1');
    const longAgo = Date.now() / 1000 - 400 * 24 * 3600;
    const entries = await readdir(unpacked, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const file = path.join(entry.parentPath, entry.name);
      const { mode } = await stat(file);
      // Another user may unpack it.
      expect({ file: entry.name, readable: mode & 0o044 }).toEqual({ file: entry.name, readable: 0o044 });
      if (entry.isDirectory()) expect(mode & 0o011).toBe(0o011);
      await utimes(file, longAgo, longAgo);
      await chmod(file, mode & 0o555);
    }

    const toolchain = workshop.toolchain({}, unpacked);
    await toolchain.build();

    expect(await toolchain.require('pulumi')).toContain(unpacked);
    expect(await readdir(await toolchain.definitions())).toHaveLength(1);
    const charts = await toolchain.charts(path.join(workshop.root, 'charts'));
    expect(await readFile(charts['azure-service-operator'], 'utf8')).toBe(
      'azure-service-operator-2.19.0.tgz',
    );
    expect(new Set((await toolchain.status()).tools.map(({ source }) => source))).toEqual(new Set(['built']));
  });

  it('that is read-only and incomplete says what is missing, and the two hints', async () => {
    workshop = await Workshop.open();
    // Nobody can create a folder there, not even root.
    const error = await failureOf(workshop.toolchain({}, '/sys/cache').build());

    expect(error.message).toMatch(
      new RegExp(
        `^/sys/cache/toolchain is not writable, and it lacks pulumi, etcd.*toolchain build.*${variable('CACHE')}`,
      ),
    );
  });
});
