import { maxCredentialsPerIdentity } from '../../components/identity/subjects';

// Azure's limits for a fleet. The duration of a rollout and the checks of a plan are computed from them.

/** Quantity that a limit counts. */
export type Counted =
  | 'cluster'
  | 'identity'
  | 'credential'
  | 'roleAssignment'
  | 'entraObject'
  | 'secretRead'
  /** Any creation of a resource in Azure. */
  | 'write';

/** Place that has its own limit. */
export type Scope = 'identity' | 'vault' | 'region' | 'subscription' | 'tenant';

interface Limit {
  /** Name in `--raised` and in the output of `--json`. */
  readonly name: string;
  readonly what: string;
  readonly counts: Counted;
  readonly per: Scope;
  readonly source: string;
}

/** Maximum number of objects that exist at the same time. */
export interface Quota extends Limit {
  readonly most: number;
  /** True if Microsoft raises it on request. Default: false. */
  readonly raisable?: true;
  /** Imperative sentence that says how to change a plan that exceeds the quota. */
  readonly hint: string;
}

/** A token bucket: it holds `burst` requests, and `perSecond` requests are added each second. */
export interface Rate extends Limit {
  readonly burst: number;
  readonly perSecond: number;
}

const azureLimits = 'MicrosoftDocs/azure-docs articles/azure-resource-manager/management';
const ofAks = 'MicrosoftDocs/azure-aks-docs articles/aks/quotas-skus-regions.md';
const ofIdentities = `${azureLimits}, managed identity limits`;
const ofCredentials =
  'MicrosoftDocs/entra-docs docs/workload-id/workload-identity-federation-considerations.md';
const ofVaults = 'MicrosoftDocs/azure-security-docs articles/key-vault/general/service-limits.md';

export const quotas: readonly Quota[] = [
  {
    ...{ name: 'role-assignments', what: 'role assignments', counts: 'roleAssignment', per: 'subscription' },
    most: 4000,
    hint: 'Set `vault.grants: condition`, which needs one assignment for all secrets of an identity, or `trust: identityBinding`, which needs one identity for all clusters, or move cells to an environment in a second subscription.',
    source: 'MicrosoftDocs/azure-docs includes/role-based-access-control/limits.md',
  },
  {
    ...{ name: 'credentials', what: 'federated credentials', counts: 'credential', per: 'identity' },
    most: maxCredentialsPerIdentity,
    hint: 'Set `identity: application` or `shard: true`, or `trust: identityBinding`, which needs one credential for all clusters.',
    source: ofCredentials,
  },
  {
    ...{ name: 'clusters-in-region', what: 'created clusters', counts: 'cluster', per: 'region' },
    ...{ most: 100, raisable: true },
    hint: 'Ask Microsoft to raise the quota of the region, or move cells to an environment in another region.',
    source: ofAks,
  },
  {
    ...{ name: 'clusters', what: 'created clusters', counts: 'cluster', per: 'subscription' },
    most: 5000,
    hint: 'Move cells to an environment in a second subscription.',
    source: ofAks,
  },
  {
    ...{ name: 'entra-objects', what: 'objects in Entra', counts: 'entraObject', per: 'tenant' },
    ...{ most: 50_000, raisable: true },
    hint: 'Verify a domain of the tenant, which raises the quota to 300,000, or set `identity: cluster`, which needs one identity for each cluster.',
    source: 'MicrosoftDocs/entra-docs docs/identity/users/directory-service-limits-restrictions.md',
  },
];

/** A bucket without a documented size holds the requests of one second. */
export const rates: readonly Rate[] = [
  {
    ...{ name: 'writes', what: 'writes of the resource manager', counts: 'write', per: 'subscription' },
    ...{ burst: 200, perSecond: 10 },
    source: `${azureLimits}/request-limits-and-throttling.md: a region, a subscription and a principal`,
  },
  {
    ...{ name: 'identity-writes', what: 'new identities', counts: 'identity', per: 'subscription' },
    ...{ burst: 80, perSecond: 4 },
    source: `${ofIdentities}: 80 in 20 s in a subscription and region`,
  },
  {
    ...{ name: 'identity-writes-in-tenant', what: 'new identities', counts: 'identity', per: 'tenant' },
    ...{ burst: 400, perSecond: 20 },
    source: `${ofIdentities}: 400 in 20 s in a tenant and region`,
  },
  {
    ...{ name: 'credential-writes', what: 'new credentials', counts: 'credential', per: 'subscription' },
    ...{ burst: 2, perSecond: 2 },
    source: ofCredentials,
  },
  {
    ...{ name: 'credential-writes-of-identity', what: 'new credentials', counts: 'credential' },
    ...{ per: 'identity', burst: 1, perSecond: 0.25 },
    source: ofCredentials,
  },
  {
    ...{ name: 'cluster-writes', what: 'new clusters', counts: 'cluster', per: 'subscription' },
    ...{ burst: 20, perSecond: 1 / 60 },
    source: `${ofAks}: in a region`,
  },
  {
    ...{ name: 'vault-requests', what: 'reads of secrets', counts: 'secretRead', per: 'vault' },
    ...{ burst: 4000, perSecond: 400 },
    source: `${ofVaults}: 4,000 in 10 s`,
  },
  {
    ...{ name: 'vault-requests-in-subscription', what: 'reads of secrets', counts: 'secretRead' },
    ...{ per: 'subscription', burst: 20_000, perSecond: 2000 },
    source: `${ofVaults}: five times the limit of a vault`,
  },
];
