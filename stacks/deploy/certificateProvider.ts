import type * as pulumi from '@pulumi/pulumi';
import * as tls from '@pulumi/tls';

/** Not the default provider, which the engine would make too late: see the preflight. */
export function certificateProvider(name: string, parent: pulumi.Resource): tls.Provider {
  return new tls.Provider(name, {}, { parent });
}
