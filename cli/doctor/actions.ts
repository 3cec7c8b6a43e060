import { identityBindingType } from '../../components/identity/bindingNames';
import { credentialType, importableTypes, policyType } from '../import/types';

/** Role definitions, and the types whose id in `importableTypes` does not name their Azure type. */
const others: Readonly<Record<string, string>> = {
  'azure-native:authorization:RoleDefinition': 'Microsoft.Authorization/roleDefinitions',
  'azure-native:resources:ResourceGroup': 'Microsoft.Resources/subscriptions/resourceGroups',
  // The id of access policies is the provider's own.
  [policyType]: 'Microsoft.KeyVault/vaults/accessPolicies',
};

/** Returns the action that writes resources of a type of azure-native; undefined for other providers. */
function actionOf(token: string): string | undefined {
  const type = others[token] ?? azureTypeIn(importableTypes[token]?.id ?? '');
  return type && `${type}/write`;
}

/** Returns the Azure type in the pattern of an id, `…/providers/Microsoft.KeyVault/vaults/{vaultName}`. */
function azureTypeIn(id: string): string | undefined {
  const [, provider] = id.split('/providers/');
  return provider?.replace(/\/\{[^}]+\}/g, '');
}

/** Returns the actions that write resources of these types. With a binding, AKS writes a credential of its identity as the caller. */
export function actionsOf(tokens: readonly string[]): string[] {
  const all = tokens.includes(identityBindingType) ? [...tokens, credentialType] : tokens;
  return [...new Set(all.flatMap((token) => actionOf(token) ?? []))].sort();
}

/** Returns the role that usually has an action (docs/azure.md, docs/threat-model.md). */
export function roleFor(action: string): string {
  if (action.startsWith('Microsoft.Authorization/roleAssignments/'))
    return 'Role Based Access Control Administrator';
  return action.startsWith('Microsoft.Authorization/') ? 'User Access Administrator' : 'Contributor';
}
