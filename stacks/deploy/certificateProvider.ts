import type * as pulumi from '@pulumi/pulumi';
import * as tls from '@pulumi/tls';

/** Returns a provider of its own, because the engine would create the default provider too late: see the preflight. */
export function certificateProvider(name: string, parent: pulumi.Resource): tls.Provider {
  return new tls.Provider(name, {}, { parent });
}
