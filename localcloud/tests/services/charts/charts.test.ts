import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ChartsService } from '../../../charts';
import { charts, requireTool } from '../../support/kubernetes/runtime';
import { TestCloud } from '../../support/azure';

const sources = path.resolve(__dirname, '../../support/charts');
const registry = 'oci://charts.example.azurecr.io/helm';

const repositories = {
  certManager: 'https://charts.jetstack.io',
  serviceOperator: 'https://raw.githubusercontent.com/Azure/azure-service-operator/main/v2/charts',
  webhook: 'https://azure.github.io/azure-workload-identity/charts',
};

/** The real helm, with only the proxy and the certificate authority set, as in `cloud env`. */
class HelmShell {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'charts-test-'));

  constructor(private readonly cloud: TestCloud) {}

  async run(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(await requireTool('helm'), args, {
      cwd: this.folder,
      env: {
        PATH: process.env['PATH'],
        HOME: this.folder,
        HTTPS_PROXY: `http://127.0.0.1:${this.cloud.azure.proxyPort}`,
        SSL_CERT_FILE: this.cloud.azure.caFile,
      },
    });
    return stdout;
  }
}

describe("charts under their repositories' public names, through helm", () => {
  let cloud: TestCloud;
  let helm: HelmShell;
  let packaged: string;
  beforeAll(async () => {
    packaged = path.dirname((await charts())['cert-manager']);
    cloud = await TestCloud.start({ charts: new ChartsService({ packaged, sources }) });
    helm = new HelmShell(cloud);
  }, 120_000);
  afterAll(async () => {
    rmSync(helm.folder, { recursive: true });
    await cloud.stop();
  });

  it.each([
    ['cert-manager', 'v1.21.2', repositories.certManager, 'cert-manager.tgz'],
    ['cert-manager', 'v1.20.3', repositories.certManager, 'before/cert-manager.tgz'],
    ['azure-service-operator', '2.19.0', repositories.serviceOperator, 'azure-service-operator.tgz'],
    ['azure-service-operator', '2.18.0', repositories.serviceOperator, 'before/azure-service-operator.tgz'],
    ['workload-identity-webhook', '1.6.0', repositories.webhook, 'workload-identity-webhook.tgz'],
  ])('%s %s comes from %s', async (chart, version, repository, file) => {
    await helm.run('pull', chart, '--repo', repository, '--version', version);

    const pulled = readFileSync(path.join(helm.folder, `${chart}-${version}.tgz`));
    expect(pulled.equals(readFileSync(path.join(packaged, file)))).toBe(true);
  });

  it.each([
    ['^1.20', 'v1.21.2'],
    ['~1.20', 'v1.20.3'],
  ])('the version range %s finds the newest in it, %s', async (range, version) => {
    const args = ['cert-manager', '--repo', repositories.certManager, '--version', range];
    expect(await helm.run('show', 'chart', ...args)).toContain(`version: ${version}\n`);
  });

  it.each([
    ['cert-manager', repositories.certManager, 'version: v1.21.2\n'],
    ['azure-service-operator', repositories.serviceOperator, 'version: 2.19.0\n'],
  ])('without a version, %s is the newest', async (chart, repository, version) => {
    expect(await helm.run('show', 'chart', chart, '--repo', repository)).toContain(version);
  });

  it("the older cert-manager's Chart.yaml is filled as its vendor's", async () => {
    const args = ['cert-manager', '--repo', repositories.certManager, '--version', 'v1.20.3'];
    const shown = await helm.run('show', 'chart', ...args);
    expect(shown).toMatch(/artifacthub\.io\/prerelease: "false"/);
    expect(shown).toContain('appVersion: v1.20.3\n');
    expect(shown).not.toContain('{{');
  });

  it('a missing version is refused by helm', async () => {
    await expect(
      helm.run('pull', 'cert-manager', '--repo', repositories.certManager, '--version', 'v1.0.0'),
    ).rejects.toThrow(/v1\.0\.0.*not found/);
  });

  it('a request for a chart without its file is answered with the name of the file', async () => {
    const empty = await TestCloud.start({
      charts: new ChartsService({ packaged: path.join(helm.folder, 'none') }),
    });
    const shell = new HelmShell(empty);
    try {
      await expect(shell.run('pull', 'cert-manager', '--repo', 'https://charts.jetstack.io')).rejects.toThrow(
        '404',
      );
      const reply = await empty.text('https://charts.jetstack.io/index.yaml');
      expect(reply).toMatchObject({ status: 404 });
      expect(reply.text).toContain(path.join(helm.folder, 'none', 'cert-manager.tgz'));
    } finally {
      rmSync(shell.folder, { recursive: true });
      await empty.stop();
    }
  });

  it('other paths of the same hosts are refused with the served ones', async () => {
    const reply = await cloud.text('https://raw.githubusercontent.com/other/repository/main/file');
    expect(reply.status).toBe(404);
    expect(reply.text).toContain('Azure/azure-service-operator/main/v2/charts');
  });
});

describe('charts in a registry, through helm', () => {
  let cloud: TestCloud;
  let helm: HelmShell;
  beforeAll(async () => {
    const packaged = path.dirname((await charts())['cert-manager']);
    cloud = await TestCloud.start({ charts: new ChartsService({ packaged, sources }) });
    helm = new HelmShell(cloud);
  }, 120_000);
  afterAll(async () => {
    rmSync(helm.folder, { recursive: true });
    await cloud.stop();
  });

  it('a chart is pulled with the contents of its folder', async () => {
    await helm.run('pull', `${registry}/reports`, '--version', '0.1.0', '--untar');

    const pulled = path.join(helm.folder, 'reports');
    const files = (folder: string) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
        .sort();
    expect(files(pulled)).toEqual(files(path.join(sources, 'reports')));
    for (const file of files(pulled)) {
      expect(readFileSync(path.join(pulled, file), 'utf8')).toBe(
        readFileSync(path.join(sources, 'reports', file), 'utf8'),
      );
    }
  });

  it('the newest version is found by the tags by default', async () => {
    expect(await helm.run('show', 'chart', `${registry}/reports`)).toContain('version: 0.1.0');
  });

  it.each(['v1.21.2', 'v1.20.3'])('also has the packaged charts: cert-manager %s', async (version) => {
    const shown = await helm.run('show', 'chart', `${registry}/cert-manager`, '--version', version);
    expect(shown).toContain('name: cert-manager');
    expect(shown).toContain(`version: ${version}\n`);
  });

  it('a missing chart or version is refused', async () => {
    await expect(helm.run('pull', `${registry}/nobody`, '--version', '1.0.0')).rejects.toThrow(
      /not found|404/,
    );
    await expect(helm.run('pull', `${registry}/reports`, '--version', '9.0.0')).rejects.toThrow(
      /not found|404/,
    );
    const reply = await cloud.raw('https://charts.example.azurecr.io/v2/helm/reports/manifests/9.0.0');
    expect(reply).toMatchObject({ status: 404, body: { errors: [{ code: 'MANIFEST_UNKNOWN' }] } });
  });

  it('takes nothing in', async () => {
    await helm.run('package', path.join(sources, 'reports'));

    await expect(helm.run('push', 'reports-0.1.0.tgz', registry)).rejects.toThrow('405');
  });
});
