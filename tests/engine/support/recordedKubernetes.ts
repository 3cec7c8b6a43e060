// The kubernetes plugin without any cluster or chart: every preview is made of the inputs alone.
import { version } from '@pulumi/kubernetes/package.json';
import { KubernetesProvider } from '../../../localcloud/plugins/kubernetes/provider';
import type { CheckOptions, Properties } from '../../../localcloud/plugins/protocol';
import { serve, unknown } from '../../../localcloud/plugins/protocol';

/** Release inputs that the plugin finds in the chart itself. */
const ofChart = ['version', 'checksum'];

class RecordedKubernetes extends KubernetesProvider {
  /** As in a preview that creates the cluster: it cannot be asked. */
  override configure(config: Properties): Promise<void> {
    return super.configure({ ...config, kubeconfig: unknown });
  }

  override check(urn: string, type: string, olds: Properties, news: Properties, options: CheckOptions) {
    if (type !== 'kubernetes:helm.sh/v3:Release') return super.check(urn, type, olds, news, options);
    const { compat: _compat, resourceNames: _names, ...given } = news;
    const found = Object.entries(olds).filter(([name]) => ofChart.includes(name));
    const inputs = { timeout: 300, ...Object.fromEntries(found), ...given };
    return Promise.resolve({ inputs, failures: [] });
  }
}

void serve(new RecordedKubernetes(version));
