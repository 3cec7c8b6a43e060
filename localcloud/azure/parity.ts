import { ANSWERS } from './parity/answers';
import { CLUSTERS } from './parity/clusters';
import { EXTENSIONS } from './parity/extensions';
import { GRAPH } from './parity/graph';
import { LOGS } from './parity/logs';
import { METADATA } from './parity/metadata';
import { RESOURCES } from './parity/resources';
import { NETWORKS } from './parity/networks';
import type { ParityRow } from './parity/row';
import { row } from './parity/row';
import { SERVICES } from './parity/services';

export type { ParityRow } from './parity/row';

/** What the local Azure supports, with the test of each row. All other requests are refused by name. */
export const PARITY: readonly ParityRow[] = [
  ...RESOURCES,
  ...CLUSTERS,
  ...EXTENSIONS,
  ...NETWORKS,
  ...SERVICES,
  ...ANSWERS,
  ...GRAPH,
  ...METADATA,
  ...LOGS,
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
    'Different errors for wrong and expired secrets',
    '',
    'tokens',
    'issues a token for a client secret, and refuses wrong and expired ones',
  ),
  row(
    'Entra',
    ['Token_ClientCertificate'],
    'Assertion signed by a registered certificate’s key; its issuer, subject and audience checked',
    'That a token endpoint of either version is an audience at both is assumed',
    'tokens',
    'issues a token for a registered certificate, and refuses another',
  ),
  row(
    'Entra',
    ['OpenIdConfiguration', 'Keys', 'InstanceDiscovery'],
    'The directory’s discovery documents',
    'One tenant',
    'tokens',
    'publishes discovery, keys and instance metadata; refuses another tenant',
    true,
  ),
  row(
    'Key Vault',
    ['SetSecret', 'GetSecret', 'UpdateSecret', 'ListSecretVersions'],
    'Versions, attributes, content type, tags',
    'No backup and restore',
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
    'soft-deletes a secret: the name stays taken until it is recovered or purged',
  ),
  row(
    'Key Vault',
    ['CreateKey', 'GetKey'],
    'Versions, operations, tags, whether it is enabled',
    'RSA keys only; no lists, changes, imports, deletion and rotation of keys, nor such that are valid for a time',
    'keys',
    'makes a key and further versions of it, and never gives out the private part',
  ),
  row(
    'Key Vault',
    ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'],
    'RSA-OAEP and RSA-OAEP-256, of a version or of the latest; refused for a disabled key and for another operation',
    'No signatures; the inner codes of the refusals are assumed',
    'keys',
    'encrypts what only the same version decrypts, and wraps what it unwraps',
  ),
  row(
    'Key Vault',
    ['Authorisation_Rbac', 'Authorisation_AccessPolicy'],
    'Data actions and permissions on keys',
    'Effective at once',
    'keys',
    'lets a principal do what its role or its access policy has, and nothing else',
  ),
  row(
    'Key Vault',
    ['Authorisation_Rbac'],
    'Data actions at the scope of a secret, vault, group or subscription',
    'Effective at once',
    'secrets',
    'reads by a role %s',
  ),
  row(
    'Key Vault',
    ['Authorisation_AccessPolicy'],
    'Permissions on all secrets of the vault',
    'Effective at once',
    'secrets',
    'allows reading every secret of the vault by an access policy, regardless of roles',
  ),
  row(
    'Key Vault',
    ['Network'],
    'Public access off: ForbiddenByConnection; default action Deny: ForbiddenByFirewall',
    'Every caller is on this machine; none is a trusted service',
    'secrets',
    'refuses all callers while public access is disabled',
  ),
  row(
    'Key Vault',
    ['Network'],
    'IP rules are checked as in Azure, and evaluated',
    'Every caller has the address 127.0.0.1; virtual network rules allow nobody; with an approved private endpoint all callers count as connected through it',
    'networks',
    'admits callers by an IP rule for this machine’s address only',
  ),
  row(
    'Server',
    ['Proxy', 'Tls'],
    'Public names, verified TLS, unmodified clients',
    'Own certificate authority',
    'server',
    'serves an unmodified process that has only the environment variables',
  ),
];

const cell = (text: string): string => (text === '' ? '–' : text.replaceAll('|', '\\|'));

/** The table in docs/local-cloud.md. */
export function parityTable(): string {
  const lines = PARITY.map(
    ({ service, operations, real, standIn, test, plainHttps }) =>
      `| ${service} | ${operations.map((each) => `\`${each}\``).join(', ')} | ${cell(real)} | ${cell(standIn)} | \`${test.file.slice('localcloud/tests/services/'.length)}\`: ${cell(test.name)}${plainHttps ? ' (plain HTTPS: no client in use sends it)' : ''} |`,
  );
  return [
    '| service | operations | as in Azure | differences | test |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}
