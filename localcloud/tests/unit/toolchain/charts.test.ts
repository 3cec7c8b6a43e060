import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Workshop, failureOf } from './workshop';

describe('charts', () => {
  let workshop: Workshop;
  let folder: string;
  let certManager: string;
  beforeEach(async () => {
    workshop = await Workshop.open();
    folder = path.join(workshop.checkout, '.state', 'charts');
    certManager = workshop.fetched('github.com/cert-manager/cert-manager/deploy/charts/cert-manager');
  });
  afterEach(() => workshop.close());

  /**
   * Like `make up`: builds what is missing, including the charts, and copies these to the folder of the stacks.
   */
  async function provide() {
    await workshop.build();
    return workshop.toolchain().charts(folder);
  }

  it("come out of the vendors' modules, cert-manager with the version of its module", async () => {
    await workshop.fill();
    const charts = await provide();

    expect(Object.keys(charts).sort()).toEqual([
      'aad-pod-identity',
      'azure-service-operator',
      'cert-manager',
      'jobset',
      'secrets-store-csi-driver',
      'workload-identity-webhook',
    ]);
    expect(charts['cert-manager']).toBe(path.join(folder, 'cert-manager.tgz'));
    expect(await readFile(charts['azure-service-operator'], 'utf8')).toBe(
      'azure-service-operator-2.19.0.tgz',
    );
    expect(await readFile(charts['cert-manager'], 'utf8')).toContain(
      '--version v1.21.2 --app-version v1.21.2',
    );
    expect(await readFile(charts['workload-identity-webhook'], 'utf8')).not.toContain('--version');
  });

  it('have the values with which their vendor releases them', async () => {
    await workshop.fill();
    const { jobset } = await provide();
    expect(await readFile(jobset, 'utf8')).toContain(
      'image: { repository: registry.k8s.io/jobset/jobset, tag: v0.12.0, pullPolicy: IfNotPresent }',
    );
  });

  it('without a value of the release name it and the hint', async () => {
    const values = workshop.fetched('sigs.k8s.io/jobset/charts/jobset/values.yaml');
    await writeFile(values, 'image: { repository: a }');

    const error = await failureOf(provide());
    expect(error.message).toMatch(/values\.yaml has no value image\.tag.*chartSources\.ts/);
  });

  it('include an older version of those that stacks install', async () => {
    await workshop.fill();
    await provide();

    const before = path.join(folder, 'before');
    expect((await readdir(before)).sort()).toEqual(['azure-service-operator.tgz', 'cert-manager.tgz']);
    expect(await readFile(path.join(before, 'azure-service-operator.tgz'), 'utf8')).toBe(
      'azure-service-operator-2.18.0.tgz',
    );
    const packaged = await readFile(path.join(before, 'cert-manager.tgz'), 'utf8');
    expect(packaged).toContain('--version v1.20.3 --app-version v1.20.3');
    expect(packaged).toContain('prerelease: "false"');
    expect(packaged).toContain('kind: Certificate');
  });

  it('with an unknown placeholder in a template name it and the hint', async () => {
    await writeFile(path.join(certManager, 'Chart.template.yaml'), 'icon: "{{ICON}}"');

    const error = await failureOf(provide());
    expect(error.message).toMatch(
      /Chart\.template\.yaml has the unknown placeholder \{\{ICON\}\}.*chartSources\.ts/,
    );
  });

  it('are packaged once, not touched when unchanged, and restored when removed', async () => {
    await workshop.fill();
    const charts = await provide();
    const calls = await workshop.goCalls();
    const { mtimeMs } = await stat(charts['cert-manager']);
    await rm(charts['azure-service-operator']);

    await provide();

    expect(await workshop.goCalls()).toEqual(calls);
    expect((await stat(charts['cert-manager'])).mtimeMs).toBe(mtimeMs);
    expect(await readFile(charts['azure-service-operator'], 'utf8')).toBe(
      'azure-service-operator-2.19.0.tgz',
    );
  });

  it('are packaged again when the cache is damaged', async () => {
    await workshop.fill();
    const charts = await provide();
    const cache = path.join(workshop.root, 'cache', 'toolchain');
    const cached = (await readdir(cache)).find((name) => name.startsWith('charts-')) ?? '';
    await writeFile(path.join(cache, cached, 'cert-manager.tgz'), 'half of');

    await provide();

    expect(await readFile(charts['cert-manager'], 'utf8')).toContain('--version v1.21.2');
  });

  it.each([
    ['charts', 'cert-manager.tgz', 'v1.21.2', 'v1.22.0'],
    ['charts-before', 'before/cert-manager.tgz', 'v1.20.3', 'v1.20.4'],
  ])('are replaced when the pins of %s change', async (pins, file, from, to) => {
    await workshop.fill();
    await provide();
    const goMod = workshop.module(pins, 'go.mod');
    await writeFile(goMod, (await readFile(goMod, 'utf8')).replace(from, to));

    await provide();

    expect(await readFile(path.join(folder, file), 'utf8')).toContain(`--version ${to}`);
  });

  it('that are missing in their module name the module, the path and the hint', async () => {
    await rm(
      workshop.fetched('github.com/Azure/azure-service-operator/v2/charts/azure-service-operator-2.19.0.tgz'),
    );

    const error = await failureOf(provide());
    expect(error.message).toMatch(/azure-service-operator\/v2@v2\.20\.0 at charts\/.*chartSources\.ts/);
  });
});
