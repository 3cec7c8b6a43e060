import { CLUSTERS } from './parity/clusters';
import { EXTENSIONS } from './parity/extensions';
import { RESOURCES } from './parity/resources';
import type { ParityRow } from './parity/row';
import { row } from './parity/row';
import { SERVICES } from './parity/services';

export type { ParityRow } from './parity/row';

/** What the local Azure does, and which test proves it. Everything else is refused by name. */
export const PARITY: readonly ParityRow[] = [
  ...RESOURCES,
  ...CLUSTERS,
  ...EXTENSIONS,
  ...SERVICES,
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
    'Every caller comes from this machine; none is a trusted service',
    'secrets',
    'refuses everyone while public access is off',
  ),
  row(
    'Key Vault',
    ['Network'],
    'IP rules are checked as in Azure, and evaluated',
    'Every caller’s address is 127.0.0.1, which may be allowed; virtual network rules let nobody in; with an approved private endpoint every caller is taken to be in its network',
    'networks',
    'lets in by a rule for this machine’s address, and by no other',
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
