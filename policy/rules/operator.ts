import { fieldsOf } from '../../stacks/offline';
import type { Declared } from './rule';

/** Types of Azure Service Operator's custom resources that are judged as those of azure-native. */
export const operatorTypes = {
  credential: 'kubernetes:managedidentity.azure.com:FederatedIdentityCredential',
  vault: 'kubernetes:keyvault.azure.com:Vault',
} as const;

/** A custom resource of the operator as what it makes in Azure, which has the same form; anything else as it is. */
export function inAzure(resource: Declared): Declared {
  const [, module, kind] = /^kubernetes:(\w+)\.azure\.com:(\w+)$/.exec(resource.type) ?? [];
  if (module === undefined || kind === undefined) return resource;
  return {
    ...resource,
    type: `azure-native:${module}:${kind}`,
    properties: fieldsOf(resource.properties.spec),
  };
}
