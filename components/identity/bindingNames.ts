import { guidPattern } from '../azure/guid';
import { fieldsOf, listOf, textsOf } from '../resource/fields';

// Names in Azure and in clusters, without a provider: commands and policies load them at their start.

/** Type of identity bindings in a stack. */
export const identityBindingType = 'azure-native:containerservice:IdentityBinding';

/** API group of the rights to use identities through identity bindings (azure-aks-docs articles/aks/identity-bindings.md). */
export const identityBindingGroup = 'cid.wi.aks.azure.com';

/** Verb of the right to use an identity; the resource is its client id. */
export const useVerb = 'use-managed-identity';

/** A client id, as a resource in a rule of a role. */
const clientId = new RegExp(`^${guidPattern}$`);

/**
 * Returns the client ids of the identities, or `*` for all, that the rules of a Kubernetes role let its subjects use; one that is not
 * known yet is no string. A rule that names neither the API group, the verb nor an identity, like that of `cluster-admin`, is not
 * about identities.
 */
export const identitiesUsedBy = (rules: unknown): unknown[] => listOf(rules).flatMap(usedByRule);

function usedByRule(rule: unknown): unknown[] {
  const { apiGroups, resources, verbs } = fieldsOf(rule);
  const [groups, allowed] = [textsOf(apiGroups), textsOf(verbs)];
  const clients = [...listOf(resources)];
  if (!allowed.some((verb) => verb === useVerb || verb === '*')) return [];
  if (groups.includes(identityBindingGroup)) return clients;
  if (!groups.includes('*')) return [];
  return allowed.includes(useVerb)
    ? clients
    : clients.filter((client) => typeof client === 'string' && clientId.test(client));
}

/** The audience of the tokens that pods present to AKS, which exchanges them for tokens of the identity. */
export const identityBindingAudience = 'api://AKSIdentityBinding';

/**
 * The annotation of pods that use their identity through an identity binding. It belongs on the pod, not on its service
 * account.
 */
export const useBindingAnnotation = 'azure.workload.identity/use-identity-binding';

/**
 * Name of the one federated credential with which an identity trusts AKS for all its bindings. AKS creates it with the
 * first binding, and never removes it.
 */
const bindingCredential = 'aks-identity-binding';

const bindingIssuer = 'https://ib.oic.prod-aks.azure.com/';

/**
 * Tells whether a federated credential is the one that AKS created for identity bindings.
 * @param identity the identity that it must be for, as its issuer says; default: any
 */
export function isBindingCredential(
  { name, issuer }: { readonly name: string; readonly issuer: string },
  identity?: { readonly tenantId: string; readonly clientId: string },
): boolean {
  if (name !== bindingCredential) return false;
  return identity === undefined
    ? issuer.startsWith(bindingIssuer)
    : issuer.toLowerCase() === `${bindingIssuer}${identity.tenantId}/${identity.clientId}`.toLowerCase();
}
