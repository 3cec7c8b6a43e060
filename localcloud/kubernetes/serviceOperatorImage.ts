import path from 'node:path';
import type { Toolchain } from '../toolchain/index';
import { withFlags, type ImageEntry } from './imageTable';

/** Where the chart mounts the service account token. The operator reads it only there. */
const tokenFolder = '/var/run/secrets/tokens';
const tokenFile = 'azure-identity';

/** Default ports of the chart, for webhooks and probes. */
const webhookPort = 9443;
const healthPort = 8081;

/** Returns the entry of Azure Service Operator: the vendor's controllers and webhooks, with the image's definitions. */
export function serviceOperatorImage(toolchain: Pick<Toolchain, 'require' | 'definitions'>): ImageEntry {
  return {
    command: async () => [await toolchain.require('azure-service-operator')],
    files: async () => ({ crds: await toolchain.definitions() }),
    // It restarts after it has applied its definitions.
    restartsItself: true,
    ports: [webhookPort, healthPort],
    args: ({ args, port }) =>
      withFlags(args, {
        'webhook-port': String(port(statedPort(args))),
        'health-addr': `127.0.0.1:${port(healthPort)}`,
      }),
    env: ({ mount }): Record<string, string> => {
      const folder = mount(tokenFolder);
      return folder === undefined ? {} : { AZURE_FEDERATED_TOKEN_FILE: path.join(folder, tokenFile) };
    },
  };
}

function statedPort(args: readonly string[]): number {
  const stated = args
    .map((arg) => /^--?webhook-port=(\d+)$/.exec(arg)?.[1])
    .find((port) => port !== undefined);
  return stated === undefined ? webhookPort : Number(stated);
}
