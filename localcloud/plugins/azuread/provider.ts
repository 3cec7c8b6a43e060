import type { ProviderImplementation } from '../protocol';
import { declaredProvider } from '../resources/provider';
import { application } from './application';
import { certificate } from './certificate';
import { federatedCredential } from './federatedCredential';
import { getApplication, getClientConfig, getServicePrincipal } from './functions';
import { getGroup } from './getGroup';
import { group } from './group';
import { groupMember } from './groupMember';
import { password } from './password';
import { servicePrincipal } from './servicePrincipal';
import { openSession, type Session } from './session';
import { checkConfiguration } from './settings';
import shapes from './shapes/shapes.json';
import { functions, types } from './types';

/**
 * Returns the plugin for the types of `@pulumi/azuread` that the program uses.
 *
 * @param environment source of credentials that the provider's configuration lacks
 */
export function createProvider(environment: NodeJS.ProcessEnv): ProviderImplementation {
  let session: Session | undefined;
  const configured = (): Session => {
    if (session === undefined) throw new Error('the azuread plugin was used before it was configured');
    return session;
  };

  return declaredProvider({
    name: 'azuread',
    shapes,
    checkConfig: checkConfiguration,
    configure(config) {
      session = openSession(config, environment);
    },
    resources: {
      [types.application]: (fields) => application(fields, configured),
      [types.certificate]: (fields) => certificate(fields, configured),
      [types.federatedCredential]: (fields) => federatedCredential(fields, configured),
      [types.group]: (fields) => group(fields, configured),
      [types.groupMember]: (fields) => groupMember(fields, configured),
      [types.password]: (fields) => password(fields, configured),
      [types.servicePrincipal]: (fields) => servicePrincipal(fields, configured),
    },
    functions: {
      [functions.application]: getApplication(configured),
      [functions.clientConfig]: getClientConfig(configured),
      [functions.group]: getGroup(configured),
      [functions.servicePrincipal]: getServicePrincipal(configured),
    },
  });
}
