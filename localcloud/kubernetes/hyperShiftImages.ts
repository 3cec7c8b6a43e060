import type { Toolchain } from '../toolchain/index';
import { withFlags, type ImageTable } from './imageTable';

const metrics = 9000;

/** Returns the image of the part of HyperShift's operators that creates SecretProviderClasses. */
export function hyperShiftImages({ require }: Pick<Toolchain, 'require'>): ImageTable {
  return {
    'quay.io/hypershift/hypershift-operator': {
      command: async () => [await require('hypershift-operator')],
      ports: [metrics],
      args: ({ args, port }) => withFlags(args, { 'metrics-addr': `127.0.0.1:${port(metrics)}` }),
    },
  };
}
