import type { Toolchain } from '../toolchain/index';
import { withFlags, type ImageTable } from './imageTable';

const repository = 'mcr.microsoft.com/oss/azure/aad-pod-identity';

/** aad-pod-identity's node component, and the port on which it answers for the metadata service. */
export const nodeManagedIdentityImage = `${repository}/nmi`;
export const nodeManagedIdentityPort = 2579;

const micHealth = 8080;
const nmiHealth = 8085;

/** Returns the images of aad-pod-identity: the vendor's controller and node component. */
export function podIdentityImages({ require }: Pick<Toolchain, 'require'>): ImageTable {
  const command = (name: string) => async () => [await require('aad-pod-identity'), name];
  return {
    [`${repository}/mic`]: {
      command: command('mic'),
      ports: [micHealth],
      args: ({ args, port }) => withFlags(args, { 'health-addr': `127.0.0.1:${port(micHealth)}` }),
    },
    [nodeManagedIdentityImage]: {
      command: command('nmi'),
      ports: [nmiHealth, nodeManagedIdentityPort],
      args: ({ args, port }) =>
        withFlags(
          args.filter((arg) => !arg.startsWith('--http-probe-port=')),
          {
            'health-addr': `127.0.0.1:${port(nmiHealth)}`,
            'nmi-port': String(port(nodeManagedIdentityPort)),
          },
        ),
    },
  };
}
