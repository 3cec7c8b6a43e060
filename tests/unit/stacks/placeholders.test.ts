import { readFileSync } from 'node:fs';
import path from 'node:path';
import { TENANT_ID } from '../../../localcloud/identity';
import { localTenant } from '../../../stacks/preflight/placeholders';
import { projectFiles, type ReadFile } from '../../../stacks/settings/projectFiles';
import { preflighted } from './preflighted';
import { validInput } from './settings';

const image = 'ghcr.io/aks-workload-identity/reader:0.1.0';
const ofExamples = validInput({
  vault: { name: 'kv-wi-dev-edit-me' },
  applications: [
    { name: 'orders', image, secrets: ['orders-db'] },
    { name: 'reports', chart: { chart: './examples/charts/reports' } },
    {
      name: 'archive',
      chart: { chart: './examples/charts/archive', values: { image: { repository: 'registry.example/a' } } },
    },
    { name: 'editing', image: 'registry.example/edit-menu:1' },
    {
      name: 'remote',
      chart: { chart: 'oci://ghcr.io/aks-workload-identity/charts/reports', version: '0.1.0' },
    },
    { name: 'tagged', chart: { chart: './examples/charts/reports', values: { image: { tag: '2' } } } },
    { name: 'copied', chart: { chart: './charts/reports' } },
    {
      name: 'parts',
      chart: {
        ...{ chart: 'oci://charts.example/parts', version: '1.0.0' },
        values: { image: { registry: 'ghcr.io', repository: 'aks-workload-identity/reader' } },
      },
    },
    { name: 'placed', image: 'registry.example/edit-me/reader:1' },
  ],
  secretValues: { 'orders-db': 'edit-me' },
});
const tenant = (tenantId: string) => ({
  'azure-native:authorization:getClientConfig': { tenantId, subscriptionId: 's' },
});
/** Files of the repository, of which `./charts/reports` is a copy. */
const readFile: ReadFile = (file) =>
  projectFiles(path.join(__dirname, '../../..'))(file.replace(/^\.\/charts/, './examples/charts'));
const places = (problems: readonly string[]) =>
  problems.map((problem) => problem.replace(/^[\w-]+:(\S+): .*$/, '$1'));

describe('a placeholder of the examples', () => {
  it('is refused on Azure, each with its place', async () => {
    const { problems } = await preflighted(ofExamples, tenant('another'), { readFile });
    expect(places(problems)).toEqual([
      ...['vault.name', 'applications[0].image', 'applications[1].chart.chart'],
      ...['applications[4].chart.chart', 'applications[5].chart.chart', 'applications[6].chart.chart'],
      ...['applications[7].chart.values.image.repository', 'applications[8].image'],
    ]);
    expect(problems.join()).toContain(
      `"${image}" is an image or a chart from the examples, which is not published`,
    );
  });

  it('is refused of the release files of the repository', async () => {
    const project = path.join(__dirname, '../../..');
    const settings = validInput({
      applications: [{ name: 'orders', release: './applications/orders.yaml' }],
    });
    const pinned = (file: string) => projectFiles(project)(file)?.replace('dev:', 'test:');
    const { problems } = await preflighted(settings, tenant('another'), {}, pinned);
    expect(problems.join()).toContain('is an image or a chart from the examples');
  });

  it('is accepted by the local cloud', async () => {
    expect(localTenant).toBe(TENANT_ID);
    expect((await preflighted(ofExamples, tenant(TENANT_ID), { readFile })).problems).toEqual([]);
  });
});

it('the image of the examples contains the bundle alone, and does not run as root', () => {
  const dockerfile = readFileSync(path.join(__dirname, '../../../examples/reader/Dockerfile'), 'utf8');
  expect(dockerfile.match(/^COPY .*$/gm)).toEqual(['COPY reader.cjs /app/reader.cjs']);
  expect(dockerfile).toMatch(/^USER [1-9]\d*$/m);
});
