/** One claim of parity and the test that holds it. */
export interface ParityRow {
  service: 'Resource manager' | 'Entra' | 'Key Vault' | 'AKS issuer' | 'Server';
  /** Operation ids as in the service's specification. */
  operations: readonly string[];
  /** What behaves as in Azure. */
  real: string;
  /** What is only imitated, or left out. */
  standIn: string;
  /** The test that drives it, through a vendor's own client unless `plainHttps`: file below tests/localcloud/azure, and its name. */
  test: { file: string; name: string };
  /** True where the test asks by plain HTTPS, since none of the vendors' clients in use asks for it. */
  plainHttps: boolean;
}

const row = (
  service: ParityRow['service'],
  operations: readonly string[],
  real: string,
  standIn: string,
  file: string,
  name: string,
  plainHttps = false,
): ParityRow => ({
  service,
  operations,
  real,
  standIn,
  test: { file: `tests/localcloud/azure/${file}.test.ts`, name },
  plainHttps,
});

const ARM = 'Resource manager';

/** What the local Azure does, and which test proves it. Everything else is refused by name. */
export const PARITY: readonly ParityRow[] = [
  row(
    ARM,
    [
      'Tenants_List',
      'Subscriptions_List',
      'Subscriptions_Get',
      'Subscriptions_ListLocations',
      'Providers_List',
      'Providers_Get',
      'Providers_Register',
    ],
    'Forms; a caller without any role sees no subscription',
    'One tenant, one subscription, 15 regions; every provider is registered',
    'server',
    'lists subscriptions, tenants, locations and providers',
    true,
  ),
  row(
    ARM,
    ['ResourceGroups_CreateOrUpdate', 'ResourceGroups_Update', 'ResourceGroups_Get', 'ResourceGroups_List'],
    'Names, immutable location, HEAD, case-insensitive ids',
    '',
    'resourceGroups',
    'creates, reads, tags, lists and finds a group',
  ),
  row(
    ARM,
    ['ResourceGroups_Delete', 'OperationResults_Get'],
    'Long-running, cascades; survives a restart in between',
    'Takes as long as its clusters take to stop',
    'resourceGroups',
    'lets nothing change a group that is being deleted, and goes on deleting it after a restart',
  ),
  row(
    ARM,
    ['Resources_ListByResourceGroup'],
    'Tracked resources; any resource by its id',
    'Filter: resourceType only',
    'resourceGroups',
    'lists the resources of a group and reads any of them by id',
  ),
  row(
    ARM,
    ['Resources_List'],
    'Tracked resources of the subscription',
    'Filter: resourceType only',
    'vaults',
    'creates, reads, changes and lists a vault',
  ),
  row(
    ARM,
    [
      'UserAssignedIdentities_CreateOrUpdate',
      'UserAssignedIdentities_Update',
      'UserAssignedIdentities_Get',
      'UserAssignedIdentities_Delete',
      'UserAssignedIdentities_ListByResourceGroup',
      'UserAssignedIdentities_ListBySubscription',
    ],
    'Name rule, stable client and principal id, a service principal that comes and goes with it',
    '',
    'identities',
    'creates, reads, tags, lists and deletes an identity',
  ),
  row(
    ARM,
    [
      'FederatedIdentityCredentials_CreateOrUpdate',
      'FederatedIdentityCredentials_Get',
      'FederatedIdentityCredentials_Delete',
      'FederatedIdentityCredentials_List',
    ],
    'Name rule, one audience, unique issuer and subject, 600 characters, no wildcards, Azure’s messages',
    'Propagation delay and 429 only as injected faults',
    'identities',
    'creates, reads, changes, lists and deletes federated credentials',
  ),
  row(
    ARM,
    ['FederatedIdentityCredentials_CreateOrUpdate'],
    '409 for concurrent writes under one identity',
    'A write takes 40 ms',
    'identities',
    'refuses two writes at a time under one identity, not under two',
  ),
  row(
    ARM,
    ['FederatedIdentityCredentials_CreateOrUpdate'],
    'At most 20 under an identity',
    'The message is ours',
    'identities',
    'holds at most 20 credentials under an identity',
  ),
  row(
    ARM,
    [
      'Vaults_CreateOrUpdate',
      'Vaults_Update',
      'Vaults_Get',
      'Vaults_ListByResourceGroup',
      'Vaults_ListBySubscription',
    ],
    'Global names, both permission models, RBAC by default from 2026-02-01',
    'Created at once; keys, certificates and private endpoints are left out',
    'vaults',
    'creates, reads, changes and lists a vault',
  ),
  row(
    ARM,
    ['Vaults_Delete', 'Vaults_GetDeleted', 'Vaults_ListDeleted', 'Vaults_CheckNameAvailability'],
    'Soft delete, names that stay taken, recovery with the secrets; role assignments are lost',
    '',
    'vaults',
    'keeps a deleted vault and its name until it is recovered',
  ),
  row(
    ARM,
    ['Vaults_PurgeDeleted'],
    'Frees name and contents; purge protection; end of the retention on the clock',
    '',
    'vaults',
    'frees the name and forgets the secrets when a deleted vault is purged',
  ),
  row(
    ARM,
    ['Vaults_UpdateAccessPolicy'],
    'add, replace, remove, one principal at a time',
    'Only permissions on secrets are evaluated',
    'vaults',
    'adds, replaces and removes access policies of one principal only',
  ),
  row(
    ARM,
    ['Secrets_CreateOrUpdate', 'Secrets_Update', 'Secrets_Get', 'Secrets_List'],
    'Values go in and never come out',
    '',
    'vaults',
    'writes and lists secrets through the control plane without ever giving a value',
  ),
  row(
    ARM,
    ['RoleDefinitions_Get', 'RoleDefinitions_List'],
    'Built-in roles with their real ids and actions',
    'Those of the list only; no custom roles',
    'roles',
    'finds built-in roles by name and by id',
  ),
  row(
    ARM,
    [
      'RoleAssignments_Create',
      'RoleAssignments_Get',
      'RoleAssignments_Delete',
      'RoleAssignments_ListForScope',
    ],
    'Any scope, immutable, unique by scope, principal and role; evaluated on every request',
    'Effective at once; conditions are refused',
    'roles',
    'creates, reads, repeats, lists and deletes an assignment',
  ),
  row(
    ARM,
    ['ManagedClusters_CreateOrUpdate', 'ManagedClusters_Get', 'ManagedClusters_OperationStatus'],
    'Long-running; a real control plane is started; issuer, identities, group of the nodes',
    'Properties of nodes and networks are kept without effect',
    'clusters',
    'creates a cluster: the operation ends when the control plane serves',
  ),
  row(
    ARM,
    ['ManagedClusters_UpdateTags', 'ManagedClusters_List', 'ManagedClusters_ListByResourceGroup'],
    'Workload identity can be switched on later',
    '',
    'clusters',
    'tags, lists and switches workload identity on',
  ),
  row(
    ARM,
    ['ManagedClusters_ListClusterAdminCredentials', 'ManagedClusters_ListClusterUserCredentials'],
    'Kubeconfigs that kubectl can use; local accounts can be disabled',
    '',
    'clusters',
    'gives kubeconfigs of users and administrators',
  ),
  row(
    ARM,
    ['ManagedClusters_Delete'],
    'Stops the control plane, removes the group of the nodes',
    '',
    'clusters',
    'deletes a cluster with its control plane and its nodes’ group',
  ),
  row(
    'AKS issuer',
    ['OpenIdConfiguration', 'Keys'],
    'The API server’s own documents at the issuer’s own URL',
    '',
    'clusters',
    'serves the issuer’s documents without credentials, at the issuer’s own name',
    true,
  ),
  row(
    'Entra',
    ['Token_FederatedAssertion'],
    'Issuer’s discovery and keys fetched, signature, issuer, subject, audience and times checked',
    '',
    'tokens',
    'exchanges a service account token for an access token of the identity',
  ),
  row(
    'Entra',
    ['Token_ClientSecret'],
    'Wrong and expired secrets are told apart',
    '',
    'tokens',
    'gives a token for a client secret, and refuses wrong and expired ones',
  ),
  row(
    'Entra',
    ['Token_ClientCertificate'],
    'Assertion signed by a registered certificate’s key',
    'Certificates are registered by the control surface',
    'tokens',
    'gives a token for a registered certificate, and refuses another',
  ),
  row(
    'Entra',
    ['OpenIdConfiguration', 'Keys', 'InstanceDiscovery'],
    'Documents of the directory',
    'One tenant',
    'tokens',
    'publishes discovery, keys and instance metadata; refuses another tenant',
    true,
  ),
  row(
    'Key Vault',
    ['SetSecret', 'GetSecret', 'UpdateSecret', 'ListSecretVersions'],
    'Versions, attributes, content type, tags',
    'Backup and restore are refused',
    'secrets',
    'sets, reads, updates and lists versions of a secret',
  ),
  row(
    'Key Vault',
    ['ListSecrets'],
    'Pages of 25',
    '',
    'secrets',
    'lists secrets over several pages, without values',
  ),
  row(
    'Key Vault',
    ['DeleteSecret', 'GetDeletedSecret', 'ListDeletedSecrets', 'RecoverDeletedSecret', 'PurgeDeletedSecret'],
    'Soft delete, retention, names that stay taken',
    'Deleted at once',
    'secrets',
    'deletes softly: the name stays taken until it is recovered or purged',
  ),
  row(
    'Key Vault',
    ['Authorisation_Rbac'],
    'Data actions at secret, vault, group and subscription',
    'Effective at once',
    'secrets',
    'reads by a role %s',
  ),
  row(
    'Key Vault',
    ['Authorisation_AccessPolicy'],
    'Permissions on secrets, on all of the vault',
    'Effective at once',
    'secrets',
    'reads by an access policy, on every secret of the vault, whatever roles say',
  ),
  row(
    'Key Vault',
    ['Network'],
    'Public access off: ForbiddenByConnection; default action Deny: ForbiddenByFirewall',
    'Every caller comes from outside; network rules and private endpoints let nobody in',
    'secrets',
    'refuses everyone while public access is off',
  ),
  row(
    'Server',
    ['Proxy', 'Tls'],
    'Public names, verified TLS, clients unchanged',
    'Own certificate authority',
    'server',
    'serves an unchanged process that has the environment only',
  ),
];

const cell = (text: string): string => (text === '' ? '–' : text.replaceAll('|', '\\|'));

/** The table of docs/local-cloud.md, in Markdown. */
export function parityTable(): string {
  const lines = PARITY.map(
    ({ service, operations, real, standIn, test, plainHttps }) =>
      `| ${service} | ${operations.map((each) => `\`${each}\``).join(', ')} | ${cell(real)} | ${cell(standIn)} | \`${test.file.slice('tests/'.length)}\`: ${cell(test.name)}${plainHttps ? ' (plain HTTPS: no client in use asks for it)' : ''} |`,
  );
  return ['| service | operations | real | stands in | test |', '|---|---|---|---|---|', ...lines].join('\n');
}
