import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { Asset, Secret, unknown } from '../../../../plugins/protocol';
import type { Properties } from '../../../../plugins/protocol';
import { readArchive } from '../../../../charts/archive';
import { portablePath, readLocalChart } from '../../../../plugins/kubernetes/releases/chart';
import { checkRelease } from '../../../../plugins/kubernetes/releases/check';
import { diffRelease } from '../../../../plugins/kubernetes/releases/diff';
import { redact } from '../../../../plugins/kubernetes/releases/failure';
import { chartArguments } from '../../../../plugins/kubernetes/releases/helm';
import { resourceNames } from '../../../../plugins/kubernetes/releases/manifest';
import { readRelease } from '../../../../plugins/kubernetes/releases/properties';
import { previewedState, releaseState } from '../../../../plugins/kubernetes/releases/state';

const options = { name: 'web', randomSeed: new Uint8Array([1]) };
const helm = { kubeconfig: undefined, context: undefined, variables: {} };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'chart-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** A tar archive of files with a modification time. */
function tar(files: Record<string, string>, time = 0, types: Record<string, string> = {}): Buffer {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(text.length.toString(8).padStart(11, '0'), 124);
    header.write(time.toString(8).padStart(11, '0'), 136);
    header.write(types[name] ?? '0', 156);
    header.write('ustar', 257);
    const content = Buffer.alloc(Math.ceil(text.length / 512) * 512);
    content.write(text);
    return [header, content];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const chartFile = 'name: web\nversion: 1.0.0\n';

describe('a chart on this machine', () => {
  it('has a checksum of its files, however it was packaged', async () => {
    const packaged = path.join(folder, 'web-1.tgz');
    const again = path.join(folder, 'web-2.tgz');
    const unpacked = path.join(folder, 'web');
    await writeFile(packaged, tar({ 'web/Chart.yaml': chartFile, 'web/templates/a.yaml': 'a: 1' }, 5));
    await writeFile(again, tar({ 'web/templates/a.yaml': 'a: 1', 'web/Chart.yaml': chartFile }, 9));
    await mkdir(path.join(unpacked, 'templates'), { recursive: true });
    await writeFile(path.join(unpacked, 'Chart.yaml'), chartFile);
    await writeFile(path.join(unpacked, 'templates/a.yaml'), 'a: 1');

    const charts = await Promise.all([packaged, again, unpacked].map(readLocalChart));
    await writeFile(path.join(unpacked, 'templates/a.yaml'), 'a: 2');
    const changed = await readLocalChart(unpacked);

    expect(charts[0]).toMatchObject({ name: 'web', version: '1.0.0' });
    expect(charts[1]).toEqual(charts[0]);
    expect(charts[2]).toEqual(charts[0]);
    expect(changed?.checksum).not.toBe(charts[0]?.checksum);
  });

  it('that is invalid is reported', async () => {
    const file = path.join(folder, 'broken.tgz');
    await writeFile(file, 'no archive');

    await expect(readLocalChart(file)).rejects.toThrow('is not a chart package');
    await expect(readLocalChart(path.join(folder, 'absent'))).resolves.toBeUndefined();
  });

  it('is named relative to the working folder if it is in it', () => {
    expect(portablePath(path.join(process.cwd(), 'charts/web'))).toBe('./charts/web');
    expect(portablePath('/elsewhere/web')).toBe('/elsewhere/web');
    expect(portablePath('oci://host/web')).toBe('oci://host/web');
  });

  it.each([
    ['GNU', 'L', (name: string) => `${name}\0`],
    ['pax', 'x', (name: string) => `${name.length + 10} path=${name}\n`],
  ])('is read from archives with long names, as %s writes them', (_title, type, record) => {
    const long = `web/templates/${'x'.repeat(140)}`;
    const archive = tar({ extension: record(long), 'web/cut': 'one', 'web/short': 'two' }, 0, {
      extension: type,
    });

    expect(readArchive(archive).map((file) => [file.name, file.content.toString()])).toEqual([
      [long, 'one'],
      ['web/short', 'two'],
    ]);
  });
});

describe('a check of a release', () => {
  const check = (news: Properties, olds: Properties = {}) => checkRelease(olds, news, options, 'team', helm);

  it('fills in name, namespace and timeout, and drops what is an output', async () => {
    const news = { chart: 'web', version: '1.2.3', repositoryOpts: { repo: 'https://x' }, resourceNames: {} };
    const { inputs, failures } = await check(news);

    expect(failures).toEqual([]);
    expect(inputs).toEqual({
      chart: 'web',
      version: '1.2.3',
      repositoryOpts: { repo: 'https://x' },
      name: expect.stringMatching(/^web-[0-9a-f]{8}$/) as string,
      namespace: 'team',
      timeout: 300,
    });
    expect((await check(news, inputs)).inputs).toEqual(inputs);
  });

  it('makes no request while an input is unknown', async () => {
    const { inputs, failures } = await check({ chart: 'web', values: { a: unknown }, skipAwait: true });

    expect(failures).toEqual([]);
    expect(inputs).not.toHaveProperty('timeout');
    expect(inputs).not.toHaveProperty('version');
  });

  it.each<[string, Properties, string]>([
    ['no chart', {}, 'chart'],
    ['an unknown repository option', { chart: 'w', repositoryOpts: { url: 'x' } }, 'repositoryOpts.url'],
    ['what helm cannot do', { chart: 'w', lint: true }, 'lint'],
  ])('refuses %s', async (_title, news, property) => {
    expect((await check(news)).failures.map((failure) => failure.property)).toEqual([property]);
  });
});

describe('a diff of a release', () => {
  const inputs = {
    name: 'n',
    namespace: 'd',
    chart: './web',
    version: '1.0.0',
    checksum: 'a',
    values: { x: 1 },
  };
  const state = (status: string): Properties =>
    releaseState(
      inputs,
      inputs,
      { status, revision: 1, manifest: '', hooks: [], config: {} },
      { chart: 'web', version: '1.0.0', appVersion: '' },
    );

  it.each<[string, string, Properties, string[], string[]]>([
    ['nothing', 'deployed', inputs, [], []],
    ['a value', 'deployed', { ...inputs, values: { x: 2 } }, ['values'], []],
    ['its chart', 'deployed', { ...inputs, checksum: 'b' }, ['checksum'], []],
    ['nothing if its chart was only moved', 'deployed', { ...inputs, chart: '../web' }, [], []],
    [
      'another chart at another place',
      'deployed',
      { ...inputs, chart: '../web', checksum: 'b' },
      ['chart', 'checksum'],
      [],
    ],
    [
      'a chart from elsewhere, whose files are not known',
      'deployed',
      { name: 'n', namespace: 'd', chart: 'oci://host/web', version: '1.0.0', values: { x: 1 } },
      ['chart', 'checksum'],
      [],
    ],
    ['its namespace', 'deployed', { ...inputs, namespace: 'e' }, ['namespace'], ['namespace']],
    ['its being failed', 'failed', inputs, ['status'], []],
    ['its being interrupted', 'pending-upgrade', inputs, ['status'], []],
  ])('shows %s', (_title, status, news, diffs, replaces) => {
    expect(diffRelease(state(status), inputs, news, [])).toMatchObject({
      changes: diffs.length > 0,
      diffs,
      replaces,
    });
  });

  it('respects ignoreChanges', () => {
    const news = { ...inputs, version: '2.0.0', values: { x: 2 } };

    expect(diffRelease(state('deployed'), inputs, news, ['version', 'values.x']).changes).toBe(false);
  });
});

describe('what is recorded of a release', () => {
  it('names its objects by kind, as the official plugin does', () => {
    const manifest = [
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b }',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: n }',
      '# nothing',
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: d }',
    ].join('\n---\n');

    expect(resourceNames(manifest)).toEqual({
      'ConfigMap/v1': ['b', 'n/a'],
      'Deployment.apps/apps/v1': ['d'],
    });
  });

  it('has no checksum in its outputs, and unknown values in a preview', () => {
    expect(previewedState({ chart: 'web', checksum: 'a' })).toEqual({
      chart: 'web',
      resourceNames: unknown,
      status: unknown,
    });
  });
});

describe("helm's arguments", () => {
  it('name the chart, its repository and how it is verified', () => {
    const release = readRelease({
      chart: 'web',
      name: 'n',
      namespace: 'd',
      version: '1.0.0',
      verify: true,
      repositoryOpts: { repo: 'https://x', username: 'u', password: new Secret('p') },
      valueYamlFiles: [new Asset({ text: 'a: 1' })],
    });

    expect(chartArguments(release).join(' ')).toBe(
      'web --version 1.0.0 --repo https://x --username u --password p --verify',
    );
    expect(release.valueFiles).toHaveLength(1);
  });

  it('need a chart that is known', () => {
    expect(() => readRelease({ name: 'n', namespace: 'd', chart: unknown })).toThrow("'chart'");
  });
});

describe('a message', () => {
  it('redacts secrets, longer ones first', () => {
    const inputs = {
      values: { a: new Secret('hunter22'), b: new Secret({ c: ['hunter22-long'] }), d: 'open' },
    };

    expect(redact('bad hunter22-long and hunter22 but open', inputs)).toBe(
      'bad [secret] and [secret] but open',
    );
  });
});
