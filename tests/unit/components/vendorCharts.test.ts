import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  certManagerChart,
  serviceOperatorChart,
  workloadIdentityWebhookChart,
} from '../../../components/platform/vendorCharts';
import { chartSources } from '../../../localcloud/toolchain/chartSources';
import { pinnedVersion } from '../../../localcloud/toolchain/goMod';

const modules = path.resolve(__dirname, '../../../localcloud/toolchain/modules');

describe('the default versions of the charts', () => {
  it('are the newest versions in the local cloud, so that the tests deploy them', async () => {
    const goMod = await readFile(path.join(modules, 'charts/go.mod'), 'utf8');
    const pinned = (chart: 'cert-manager' | 'workload-identity-webhook') =>
      pinnedVersion(goMod, chartSources[chart].module);

    expect(certManagerChart.version).toBe(pinned('cert-manager'));
    expect(`v${workloadIdentityWebhookChart.version ?? ''}`).toBe(pinned('workload-identity-webhook'));
    expect(chartSources['azure-service-operator'].path).toBe(
      `charts/azure-service-operator-${serviceOperatorChart.version ?? ''}.tgz`,
    );
  });
});
