import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { version } from '@pulumi/pulumi/package.json';
import { Interrupted } from '../../../toolchain/interrupted';
import { isOlder } from '../../../isOlder';
import { goEnvironment, runGo } from '../../../toolchain/goCommand';
import { goFailure } from '../../../toolchain/goFailure';
import { Workshop, failureOf, repositoryRoot } from './workshop';

const goMod = 'module x\n\ngo 1.26.4\n';

describe('finding Go', () => {
  let workshop: Workshop;
  afterEach(() => workshop.close());

  it('says what is missing, which version, from where, and that nothing else is needed', async () => {
    workshop = await Workshop.open('without Go');
    // Without the system's folders, which may contain Go.
    const error = await failureOf(workshop.build({ PATH: workshop.path }));

    expect(error.message).toMatch(
      /Go was not found on PATH.*Go 1\.26\.4 or newer.*go\.dev\/dl.*Nothing else/s,
    );
  });

  it('refuses a Go that cannot fetch a newer one, and names both versions', async () => {
    workshop = await Workshop.open({ version: 'go1.19.8' });

    const error = await failureOf(workshop.build());

    expect(error.message).toContain('Go 1.19.8 is too old: 1.26.4 is needed');
    expect(await workshop.goCalls()).toEqual([]);
  });

  it('lets an older Go download the newer one, even if a distribution disabled that', async () => {
    workshop = await Workshop.open({ version: 'go1.22.1' });
    await workshop.build();
    expect((await workshop.builds())[0]).toMatch(/^auto\|/);
  });

  it('does not download another Go if the installed one is sufficient', async () => {
    workshop = await Workshop.open({ version: 'go1.26.4' });
    await workshop.build({ GOTOOLCHAIN: 'auto' });
    expect((await workshop.builds())[0]).toMatch(/^local\|/);
  });

  it('respects an explicit GOTOOLCHAIN of the user for an older Go', () => {
    expect(goEnvironment({ GOTOOLCHAIN: 'local' }, '', true)['GOTOOLCHAIN']).toBe('local');
  });

  it('ignores settings for other builds', async () => {
    workshop = await Workshop.open();
    await workshop.build({ GOFLAGS: '-mod=vendor', GOOS: 'plan9' });
    expect((await workshop.builds())[0]).toMatch(/^local\|-mod=readonly -trimpath -buildvcs=false\|\|build /);
  });

  it('ends Go and its children on Ctrl-C and says that completed work is kept', async () => {
    workshop = await Workshop.open('without Go');
    // The sleeper has no pipe: it would keep it open if a signal between fork and exec were lost.
    const compiler = `sleep 60 > /dev/null 2>&1 & trap 'kill '$!'; echo stopped > "${workshop.root}/compiler"; exit' TERM; echo started >&2; wait`;
    await workshop.install('go', `(${compiler}) & wait`);

    const output = await runGo([], {
      env: { PATH: `${workshop.path}:/usr/bin:/bin` },
      // Only once: without a handler, a second SIGINT would end the test process.
      onStderrLine: (line) => line === 'started' && process.emit('SIGINT'),
    });

    expect(output.interrupted).toBe(true);
    expect(await readFile(path.join(workshop.root, 'compiler'), 'utf8')).toBe('stopped\n');
    expect(goFailure('Building etcd', output, goMod)).toBeInstanceOf(Interrupted);
  });
});

describe('explanations of Go’s output', () => {
  it.each([
    {
      text: 'go: downloading sigs.k8s.io/kwok v0.8.0\nsigs.k8s.io/kwok@v0.8.0: Get "http://127.0.0.1:9/x.zip": dial tcp 127.0.0.1:9: connect: connection refused',
      says: 'sigs.k8s.io/kwok@v0.8.0 could not be downloaded',
    },
    {
      text: 'go: downloading sigs.k8s.io/kwok v0.8.0\nmodule lookup disabled by GOPROXY=off',
      says: 'sigs.k8s.io/kwok@v0.8.0 could not be downloaded (module lookup disabled by GOPROXY=off)',
    },
    {
      text: 'a.go:2:8: monis.app/mlog@v0.0.4: reading https://proxy.example/mlog.zip: 403 Forbidden\n\tserver response: no',
      says: 'monis.app/mlog@v0.0.4 could not be downloaded',
    },
    {
      text: 'go: downloading go1.26.4 (linux/amd64)\ngo: download go1.26.4: golang.org/toolchain@v0.0.1-go1.26.4.linux-amd64: reading https://proxy.example: 403 Forbidden',
      says: 'could not download Go 1.26.4 itself',
    },
    {
      text: 'go: go.mod requires go >= 1.26.4 (running go 1.24.0; GOTOOLCHAIN=local)',
      says: 'Install Go 1.26.4 or newer',
    },
    {
      text: 'verifying k8s.io/api@v0.36.3: checksum mismatch\n\tdownloaded: h1:a\n\tgo.sum: h1:b',
      says: 'the checksum of k8s.io/api@v0.36.3 differs from go.sum',
    },
    {
      text: 'go: downloading k8s.io/api v0.36.3\nk8s.io/api@v0.36.3: read "http://127.0.0.1:9/v0.36.3.zip": unexpected EOF',
      says: 'k8s.io/api@v0.36.3 could not be downloaded',
    },
    { text: 'write /x/y: no space left on device', says: 'the disk is full' },
    { text: 'k8s.io/kubernetes: /usr/lib/go/link: signal: killed', says: '3 GB' },
    { text: './main.go:3:1: undefined: x', says: 'undefined: x' },
  ])('$says', ({ text, says }) => {
    const error = goFailure(
      'Building etcd',
      { stderr: text, stdout: '', exitCode: 1, interrupted: false },
      goMod,
    );
    expect(error.message).toContain(says);
    expect(error.message).toMatch(/^Building etcd/);
  });
});

it.each([
  ['1.21', '1.26.4', true],
  ['1.26.4', '1.26.4', false],
  ['1.26.10', '1.26.4', false],
  ['1.26', '1.26.4', true],
  ['2.0', '1.26.4', false],
])('Go %s is older than %s: %s', (version, than, expected) => {
  expect(isOlder(version, than)).toBe(expected);
});

describe('the pins', () => {
  const read = (module: string, file: string) =>
    readFile(path.join(repositoryRoot, 'localcloud/toolchain/modules', module, file), 'utf8');
  const versions = (text: string) =>
    new Map([...text.matchAll(/^\s+(\S+\.\S+) (v\S+)/gm)].map(([, m, v]) => [m, v]));

  // Modules that may differ, because few of their packages are compiled. The first is only a test dependency
  // below cert-manager. The Key Vault provider uses the first version of its clients. The last of the first
  // group is newer where the driver's own module requires more.
  const notShared = [
    'go.etcd.io/etcd/client/pkg/v3',
    'github.com/Azure/azure-sdk-for-go/sdk/security/keyvault/azkeys',
    'github.com/Azure/azure-sdk-for-go/sdk/security/keyvault/internal',
    'github.com/container-storage-interface/spec',
    // The operator requires a newer version; in core, it would also be used for the engine.
    'github.com/Azure/azure-sdk-for-go/sdk/azcore',
    // Replaced by the versions in core.
    'github.com/Azure/azure-sdk-for-go/sdk/azidentity',
    'k8s.io/mount-utils',
  ];

  it.each([
    'cert-manager',
    'workload-identity-webhook',
    'secrets-store',
    'azure-service-operator',
    'hypershift',
    'jobset',
  ])('of %s agree with core, so that compiled packages are shared', async (module) => {
    const core = versions(await read('core', 'go.mod'));
    const differing = [...versions(await read(module, 'go.mod'))].filter(
      ([name, version]) => core.has(name) && core.get(name) !== version,
    );
    expect(differing.map(([name]) => name).filter((name) => !notShared.includes(name ?? ''))).toEqual([]);
  });

  it('of the engine is the version of the SDK', async () => {
    expect(await read('core', 'go.mod')).toContain(`github.com/pulumi/pulumi/pkg/v3 v${version}`);
  });

  it.each(['charts', 'charts-before'])('of %s have a checksum each', async (pins) => {
    const sums = await read(pins, 'go.sum');
    const pinned = versions(await read(pins, 'go.mod'));
    expect(pinned.size).toBeGreaterThan(0);
    for (const [module, version] of pinned) {
      expect(sums).toContain(`${module} ${version} h1:`);
    }
  });

  it.each([
    ['cert-manager', 'github.com/cert-manager/cert-manager'],
    ['workload-identity-webhook', 'github.com/Azure/azure-workload-identity'],
    ['secrets-store', 'sigs.k8s.io/secrets-store-csi-driver'],
    ['azure-service-operator', 'github.com/Azure/azure-service-operator/v2'],
    ['pod-identity', 'github.com/Azure/aad-pod-identity'],
    ['jobset', 'sigs.k8s.io/jobset'],
  ])('of the chart of %s are those of its binary', async (module, source) => {
    const charts = versions(await read('charts', 'go.mod'));
    expect(await read(module, 'go.mod')).toContain(`${source} ${charts.get(source)}`);
  });
});
