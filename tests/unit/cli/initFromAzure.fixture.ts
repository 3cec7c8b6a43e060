import type {
  Finding,
  Found,
  FoundAccount,
  FoundCluster,
  FoundIdentity,
  FoundVault,
} from '../../../cli/init/fromAzureFound';
import { planFromAzure } from '../../../cli/init/fromAzurePlan';
import { builtInRoles } from '../../../components/azure/roles';
import type { FederatedCredential, RoleAssignment } from '../../../verification/access';

export const subscription = '22222222-2222-4222-8222-222222222222';
const tenantId = '11111111-1111-4111-8111-111111111111';
const group = `/subscriptions/${subscription}/resourceGroups/rg-shop`;

export const account = (namespace: string, name: string, identity?: string): FoundAccount => ({
  ...{ namespace, name, tenantId: undefined, pods: 1 },
  clientId: identity === undefined ? undefined : `client-of-${identity}`,
});

export const cluster = (name: string, accounts?: readonly FoundAccount[]): FoundCluster => ({
  id: `${group}/providers/Microsoft.ContainerService/managedClusters/${name}`,
  ...{ location: 'westeurope', issuer: issuerOf(name), disabled: [], accounts },
});

export const issuerOf = (name: string) => `https://issuer.example/${name}/`;

/** A federated credential for `<cluster>/<namespace>/<service account>`. */
export function trusts(place: string, changed: Partial<FederatedCredential> = {}): FederatedCredential {
  const [of = '', ...subject] = place.split('/');
  return {
    name: place.replaceAll('/', '-'),
    issuer: issuerOf(of),
    subject: ['system:serviceaccount', ...subject].join(':'),
    audiences: ['api://AzureADTokenExchange'],
    ...changed,
  };
}

export const identity = (name: string, ...credentials: FederatedCredential[]): FoundIdentity => ({
  id: `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`,
  ...{ clientId: `client-of-${name}`, principalId: `principal-of-${name}`, tenantId, credentials },
  isOfCluster: false,
});

export const vault = (name: string, ...secrets: string[]): FoundVault => ({
  id: `${group}/providers/Microsoft.KeyVault/vaults/${name}`,
  ...{ location: 'westeurope', access: 'rbac', policies: [], secrets },
});

/** A role assignment for an identity on `<vault>` or `<vault>/<secret>`. */
export function grant(to: string, on: string, changed: Partial<RoleAssignment> = {}): RoleAssignment {
  const [vaultName = '', secret] = on.split('/');
  const scope = `${vault(vaultName).id}${secret === undefined ? '' : `/secrets/${secret}`}`;
  const name = `grant-of-${to}`;
  return {
    ...{ id: `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}`, name, scope },
    ...{ role: builtInRoles.keyVaultSecretsUser, principalId: `principal-of-${to}` },
    ...changed,
  };
}

/** One application with one secret. */
export const shop: Found = {
  clusters: [cluster('aks-1', [account('shop', 'orders', 'id-orders'), account('shop', 'default')])],
  identities: [identity('id-orders', trusts('aks-1/shop/orders'))],
  vaults: [vault('kv-shop', 'orders-db')],
  assignments: [grant('id-orders', 'kv-shop/orders-db')],
};

export const planOf = (found: Partial<Found>) => planFromAzure({ ...shop, ...found }, 'prod');

/** The kinds of the findings, with what each is about. */
export const kindsOf = (findings: readonly Finding[]) => findings.map(({ kind, what }) => [kind, what]);
