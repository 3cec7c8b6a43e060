import type { Toolchain } from '../toolchain/index';
import { withFlags, type ImageEntry, type ImageTable } from './imageTable';

const webhookPort = 9443;
const healthPort = 8081;
/** Where the chart mounts the webhook's certificate. */
const certificateFolder = '/tmp/k8s-webhook-server/serving-certs';

/** Returns the images of JobSet's controller and webhook: that of a release, and that of the chart's source. */
export function jobSetImages({ require }: Pick<Toolchain, 'require'>): ImageTable {
  const controller: ImageEntry = {
    command: async () => [await require('jobset')],
    ports: [webhookPort, healthPort],
    args: ({ args, port, mount, folder }) =>
      withFlags(args, {
        'webhook-host': '127.0.0.1',
        'webhook-port': String(port(webhookPort)),
        'webhook-cert-dir': mount(certificateFolder) ?? folder,
        'health-probe-bind-address': `127.0.0.1:${port(healthPort)}`,
        'metrics-bind-address': '0',
      }),
  };
  return {
    'registry.k8s.io/jobset/jobset': controller,
    'us-central1-docker.pkg.dev/k8s-staging-images/jobset/jobset': controller,
  };
}
