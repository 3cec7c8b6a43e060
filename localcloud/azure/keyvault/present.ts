import type {
  KeyDocument,
  KeyVersionDocument,
  ResourceDocument,
  SecretDocument,
  SecretVersionDocument,
} from '../store/documents';
import { badParameter } from './errors';
import { retentionDays } from '../store/secretStore';

const FULL_RETENTION = 90;
const LARGEST_PAGE = 25;

function recoveryLevel(vault: ResourceDocument): string {
  const customised = retentionDays(vault) < FULL_RETENTION ? 'Customized' : '';
  return vault.properties['enablePurgeProtection'] === true
    ? `${customised}Recoverable`
    : `${customised}Recoverable+Purgeable`;
}

const uri = (vault: ResourceDocument): string => String(vault.properties['vaultUri']);

/** A version as the data plane returns it, without its value. */
export function presentVersion(
  vault: ResourceDocument,
  secret: SecretDocument,
  version: SecretVersionDocument,
  withVersion = true,
): Record<string, unknown> {
  const { enabled, nbf, exp, created, updated, contentType, tags } = version;
  return {
    id: `${uri(vault)}secrets/${secret.name}${withVersion ? `/${version.version}` : ''}`,
    attributes: {
      enabled,
      nbf,
      exp,
      created,
      updated,
      recoveryLevel: recoveryLevel(vault),
      recoverableDays: retentionDays(vault),
    },
    contentType,
    tags,
  };
}

/** Id of a version of a key. */
export const keyId = (vault: ResourceDocument, key: KeyDocument, { version }: KeyVersionDocument): string =>
  `${uri(vault)}keys/${key.name}/${version}`;

/** A version of a key as the data plane returns it, without its private part. */
export function presentKey(
  vault: ResourceDocument,
  key: KeyDocument,
  version: KeyVersionDocument,
): Record<string, unknown> {
  const { n, e, operations, tags, enabled, created, updated } = version;
  return {
    key: { kid: keyId(vault, key, version), kty: 'RSA', key_ops: operations, n, e },
    attributes: {
      ...{ enabled, created, updated },
      ...{ recoveryLevel: recoveryLevel(vault), recoverableDays: retentionDays(vault), exportable: false },
    },
    tags,
  };
}

/** The additional members of a soft-deleted secret. */
export function presentDeletion(vault: ResourceDocument, secret: SecretDocument): Record<string, unknown> {
  return { recoveryId: `${uri(vault)}deletedsecrets/${secret.name}`, ...secret.deleted };
}

/** Returns one page of a list, with the link to the next page. */
export function page<T>(
  vault: ResourceDocument,
  path: string,
  items: readonly T[],
  query: URLSearchParams,
): { value: T[]; nextLink: string | null } {
  const size = Number(query.get('maxresults') ?? LARGEST_PAGE);
  if (!Number.isInteger(size) || size < 1 || size > LARGEST_PAGE) {
    throw badParameter(`maxresults is '${query.get('maxresults') ?? ''}'; 1 to ${LARGEST_PAGE} are allowed.`);
  }
  const start = Number(query.get('$skiptoken') ?? 0);
  if (!Number.isInteger(start) || start < 0) throw badParameter('The $skiptoken is not from this vault.');
  const end = start + size;
  const version = query.get('api-version') ?? '';
  return {
    value: items.slice(start, end),
    nextLink:
      end < items.length
        ? `${uri(vault)}${path}?api-version=${version}&$skiptoken=${end}&maxresults=${size}`
        : null,
  };
}
