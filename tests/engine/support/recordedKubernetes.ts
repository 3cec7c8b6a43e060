// The kubernetes plugin without any cluster or chart: previews use the inputs alone, and reads return the
// record.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { version } from '@pulumi/kubernetes/package.json';
import { KubernetesProvider } from '../../../localcloud/plugins/kubernetes/provider';
import type { CheckOptions, Properties } from '../../../localcloud/plugins/protocol';
import { unknown } from '../../../localcloud/plugins/protocol';
import { serve } from '../../../localcloud/plugins/protocol/serve';

interface RecordedState {
  readonly deployment: {
    readonly resources: readonly { readonly urn: string; readonly outputs?: Properties }[];
  };
}

const record = path.join(process.env.RECORDED_STACK ?? '.', 'state.json');
const { deployment } = JSON.parse(readFileSync(record, 'utf8')) as RecordedState;

/** Release inputs that the plugin reads from the chart. */
const ofChart = ['version', 'checksum'];

class RecordedKubernetes extends KubernetesProvider {
  /** As in a preview that creates the cluster, which cannot be reached. */
  override configure(config: Properties): Promise<void> {
    return super.configure({ ...config, kubeconfig: unknown });
  }

  override read(urn: string, _type: string, id: string, _state: Properties, inputs: Properties) {
    const outputs = deployment.resources.find((resource) => resource.urn === urn)?.outputs;
    return Promise.resolve(outputs === undefined ? undefined : { id, state: outputs, inputs });
  }

  override check(urn: string, type: string, olds: Properties, news: Properties, options: CheckOptions) {
    if (type !== 'kubernetes:helm.sh/v3:Release') return super.check(urn, type, olds, news, options);
    const { compat: _compat, resourceNames: _names, ...others } = news;
    const found = Object.entries(olds).filter(([name]) => ofChart.includes(name));
    const inputs = { timeout: 300, ...Object.fromEntries(found), ...others };
    return Promise.resolve({ inputs, failures: [] });
  }
}

void serve(new RecordedKubernetes(version));
