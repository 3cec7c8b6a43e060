import type { ArgumentProblem } from '../resource/errors';
import { addressRangePattern } from './addressRange';
import { guidPattern } from './guid';
import { limits } from './limits';
import type { NamedType } from './naming';
import { isValidName, nameRule } from './naming';
import {
  clusterType,
  dnsZoneType,
  identityType,
  securityGroupType,
  tryParseResourceGroupId,
  tryParseResourceId,
  tryParseSubnetId,
  vaultType,
  workspaceType,
  zoneType,
} from './resourceId';
import { scopeForms, scopeKind } from './scope';

/** The values that an argument can have, of those of its type. */
export interface Format extends Pick<ArgumentProblem, 'problem' | 'allowed' | 'remedy'> {
  readonly fits: (value: unknown) => boolean;
}

/** What is wrong with a value of an argument: one problem or none. */
export function misfits(
  format: Format,
  argument: string,
  value: string | number | boolean,
): ArgumentProblem[] {
  const { fits, ...problem } = format;
  return fits(value) ? [] : [{ argument, value, ...problem }];
}

export const nameFormat = (type: NamedType): Format => ({
  problem: 'is not a valid name',
  allowed: nameRule(type).allowed,
  fits: (name) => isValidName(type, String(name)),
});

const idFormat = (type: string): Format => ({
  problem: `is not the id of a resource of type ${type}`,
  allowed: `/subscriptions/<id>/resourceGroups/<group>/providers/${type}/<name>`,
  remedy: `\`az resource list --resource-type ${type} --query "[].id"\` lists those that exist.`,
  fits: (id) => tryParseResourceId(String(id))?.type.toLowerCase() === type.toLowerCase(),
});

const matching = (pattern: RegExp, problem: string, allowed: string): Format => ({
  ...{ problem, allowed },
  fits: (text) => pattern.test(String(text)),
});

/** What every text is that has no format of its own. */
export const notEmpty: Format = {
  ...{ problem: 'is empty', allowed: 'a text' },
  fits: (value) => value !== '',
};

const wholeNumber = ([min, max]: readonly [number, number]): Format => ({
  problem: 'is not possible',
  allowed: `a whole number from ${min} to ${max}`,
  fits: (given) => Number.isInteger(given) && Number(given) >= min && Number(given) <= max,
});

/**
 * Issuers of tokens that Entra accepts: up to 600 characters (Graph, federatedIdentityCredential), of those that a URL has
 * (RFC 3986).
 */
export const issuerPattern = /^https:\/\/(?:(?![?#])[!-~]){1,592}$/;

/**
 * Which custom resources Azure Service Operator installs: patterns over `group/kind`, separated by semicolons
 * (azure-service-operator, `crdPattern` of its chart).
 */
export const crdPattern = /^[a-z0-9.*?-]+\/[A-Za-z0-9*?]+(;[a-z0-9.*?-]+\/[A-Za-z0-9*?]+)*$/;

const guidFormat = matching(
  new RegExp(`^${guidPattern}$`),
  'is not a GUID',
  'a GUID, such as 4633458b-17de-408a-b874-0445c86b69e6',
);
const ipRange = matching(
  addressRangePattern,
  'is not a range of addresses',
  'an IPv4 address or range such as 203.0.113.0/24',
);
const issuer = matching(
  issuerPattern,
  'is not an issuer that Entra can reach',
  'an https:// URL without query or fragment, as `kubectl get --raw /.well-known/openid-configuration` prints it',
);
const crdPatternsFormat = matching(
  crdPattern,
  'names no custom resources',
  '`group/kind` patterns separated by semicolons, such as "resources.azure.com/*;keyvault.azure.com/*"',
);
const time = matching(
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  'is not a time in whole seconds',
  'a time such as 2027-01-30T00:00:00Z',
);
const scope: Format = {
  problem: 'is nothing that a role can be assigned on',
  allowed: scopeForms,
  fits: (id) => scopeKind(String(id)) !== undefined,
};
const idOfGroup: Format = {
  problem: 'is not the id of a resource group',
  allowed: '/subscriptions/<id>/resourceGroups/<name>',
  fits: (id) => tryParseResourceGroupId(String(id)) !== undefined,
};
const idOfSubnet: Format = {
  problem: 'is not the id of a subnet',
  allowed:
    '/subscriptions/<id>/resourceGroups/<group>/providers/Microsoft.Network/virtualNetworks/<network>/subnets/<name>',
  fits: (id) => tryParseSubnetId(String(id)) !== undefined,
};

/**
 * The formats of arguments, with the arguments' names; with the type first, where a name alone does not say what it is.
 * A format of a list or of an object is that of each of its texts.
 */
const formatsWithNames: readonly (readonly [Format, ...string[]])[] = [
  [
    guidFormat,
    'administratorGroups',
    'assignableRoles',
    'clientId',
    'EntraGroup.existing',
    'importedAssignments',
    'principalId',
    'subscriptionId',
    'role',
    'tenantId',
  ],
  [ipRange, 'allowedIpRanges', 'authorizedIpRanges'],
  [crdPatternsFormat, 'crdPattern'],
  [issuer, 'issuer'],
  [matching(/^[\w.-]+\/[\w.-]+$/, 'is not a repository of GitHub', 'owner/name'), 'GitHubJob.repository'],
  [matching(/^.{1,600}$/s, 'cannot be a subject', 'a text of 1 to 600 characters'), 'subject'],
  [matching(/^.{1,600}$/s, 'cannot be an audience', 'a text of 1 to 600 characters'), 'audience'],
  // Names of resources are made of it and of others, with slashes between them.
  [matching(/^[^/]+$/, 'cannot be the name of a grant', 'a text without a slash'), 'grantee'],
  [
    matching(/^[^/]+$/, 'cannot be the name of a membership', 'a text without a slash'),
    'EntraGroupMember.name',
  ],
  [nameFormat('application'), 'application'],
  [nameFormat('dependency'), 'dependency'],
  [nameFormat('federatedIdentityCredential'), 'importedNames', 'TrustedPipeline.name'],
  [nameFormat('keyVault'), 'vaultName', 'HostedClusterVault.name', 'VaultService.name', 'WorkloadVault.name'],
  [nameFormat('keyVaultSecret'), 'secretName', 'secretNames', 'SecretGrant.secrets'],
  [nameFormat('logWorkspace'), 'workspaceName'],
  [nameFormat('managedCluster'), 'clusterName'],
  [nameFormat('namespace'), 'namespace'],
  [nameFormat('postgresql'), 'PostgresqlService.name'],
  [nameFormat('postgresqlDatabase'), 'database'],
  [nameFormat('redis'), 'RedisService.name'],
  [
    nameFormat('resourceGroup'),
    'resourceGroupName',
    'DeployedResourceGroup.name',
    'ResourceGroupReference.name',
  ],
  [nameFormat('serviceAccount'), 'serviceAccount', 'furtherServiceAccounts'],
  [nameFormat('serviceBus'), 'ServiceBusService.name'],
  [nameFormat('serviceBusQueue'), 'queues'],
  [nameFormat('storageAccount'), 'StorageAccountService.name'],
  [nameFormat('userAssignedIdentity'), 'identityName', 'IdentityService.name'],
  [nameFormat('hostedCluster'), 'hostedCluster'],
  [
    idOfGroup,
    'DeployedResourceGroup.id',
    'ResourceGroupReference.id',
    'resourceGroupId',
    'ConnectionWriterRole.scope',
    'furtherScopes',
  ],
  [idOfSubnet, 'subnet', 'allowedSubnets'],
  [idFormat(clusterType), 'ExistingClusterArgs.id'],
  [idFormat(dnsZoneType), 'dnsZoneId'],
  [idFormat(securityGroupType), 'networkSecurityGroupId'],
  [idFormat(identityType), 'ManagedIdentity.existing', 'PodIdentity.identities', 'ReadIdentity.id'],
  [idFormat(vaultType), 'KeyVault.existing', 'vaultId'],
  [idFormat(workspaceType), 'LogWorkspace.existing', 'workspaceId'],
  [idFormat(zoneType), 'privateDnsZone'],
  [scope, 'RoleGrant.scope'],
  [time, 'PasswordArgs.expiresOn'],
  ...Object.entries(limits).map(([name, limit]): [Format, string] => [wholeNumber(limit), name]),
];
const formats = new Map(
  formatsWithNames.flatMap(([format, ...names]) => names.map((name) => [name, format])),
);

/** The format of an argument, if it has one. */
export function formatOf(type: string, argument: string): Format | undefined {
  return formats.get(`${type}.${argument}`) ?? formats.get(argument);
}

/** Arguments of which exactly one is given. */
export const alternatives: Readonly<Partial<Record<string, readonly string[]>>> = {
  // prettier-ignore
  DependencyServiceArgs: ['storageAccount', 'postgresql', 'redis', 'serviceBus', 'identity', 'vault', 'resource'],
  EntraGroup: ['create', 'existing'],
  KeyVault: ['create', 'existing'],
  LogWorkspace: ['create', 'existing'],
  ManagedIdentity: ['create', 'existing'],
  StoredCredential: ['certificate', 'password'],
  TrustedPipeline: ['gitHub', 'serviceConnection'],
  Workload: ['image', 'chart', 'deployedByOthers'],
  WorkloadIdentityCluster: ['create', 'existing', 'external'],
};

/** The properties of entries of lists, by type, in which no two entries may be the same; those with a slash together. */
export const keyProperties: Readonly<Partial<Record<string, readonly string[]>>> = {
  CertificateArgs: ['name'],
  EntraGroupMember: ['name'],
  HostedClusterComponentArgs: ['component'],
  KeptConnection: ['name'],
  MountedCredentials: ['component'],
  PasswordArgs: ['name'],
  DeployedResourceGroup: ['name'],
  PodIdentityException: ['namespace/name'],
  RoleGrant: ['role/scope'],
  SecretGrant: ['grantee'],
  TrustedPipeline: ['name'],
  VaultPrivateEndpoint: ['subnet'],
  WindowedScope: ['name'],
  WorkloadDependency: ['dependency'],
};

/** Arguments whose default is the component's name. */
export const namedAfterComponent: readonly string[] = [
  'NewCluster.clusterName',
  'NewLogWorkspace.workspaceName',
  'NewManagedIdentity.identityName',
];
