import { fieldsOf } from '../../components/resource/fields';
import type { Declared } from './rule';

/** Types of Azure Service Operator's custom resources that are checked like those of azure-native. */
export const operatorTypes = {
  credential: 'kubernetes:managedidentity.azure.com:FederatedIdentityCredential',
  vault: 'kubernetes:keyvault.azure.com:Vault',
} as const;

/** Returns the Azure resource of an operator's custom resource, which has the same fields; any other resource unchanged. */
export function inAzure(resource: Declared): Declared {
  const [, module, kind] = /^kubernetes:(\w+)\.azure\.com:(\w+)$/.exec(resource.type) ?? [];
  if (module === undefined || kind === undefined) return resource;
  return {
    ...resource,
    type: `azure-native:${module}:${kind}`,
    properties: fieldsOf(resource.properties.spec),
  };
}
